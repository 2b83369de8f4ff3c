"""From addresses in a program to lines of its source, by `llvm-symbolizer` or `addr2line`, whichever is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .model import SourcePlace

SECONDS = 60.0
"""How long all addresses of a program may take."""
LLVM = ("llvm-symbolizer", *(f"llvm-symbolizer-{version}" for version in range(22, 12, -1)))
UNKNOWN = "??"
_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::\d+)?(?: \(discriminator \d+\))?")


def find_places(program: str, addresses: Sequence[int]) -> tuple[SourcePlace | None, ...]:
    """Return the place of each address, relative to the program; 0 stands for none, negative ones for an unknown one.

    Where no symbolizer is there, or it fails, or the program has no line table, places are offsets.
    """
    known = sorted({address for address in addresses if address > 0})
    found = dict(zip(known, _symbolize(program, known), strict=True))
    return tuple(None if address == 0 else found.get(address) or _offset(program, address) for address in addresses)


def _offset(program: str, address: int) -> SourcePlace:
    return SourcePlace(program, max(0, address), is_source=False)


def _symbolize(program: str, addresses: Sequence[int]) -> list[SourcePlace | None]:
    """Return a place for each address, None where its line is not known."""
    nothing: list[SourcePlace | None] = [None] * len(addresses)
    command = _command(program)
    if command is None or not addresses or not Path(program).is_file():
        return nothing
    try:
        done = subprocess.run(
            command,
            input="".join(f"{address:#x}\n" for address in addresses).encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return nothing
    pairs = _pairs(done.stdout.decode(errors="replace"))
    return [_read(*pair) for pair in pairs] if len(pairs) == len(addresses) else nothing


def _command(program: str) -> list[str] | None:
    """Return a command that answers each address by two lines, its function and its place; None where none is here."""
    for name in LLVM:
        if path := shutil.which(name):
            # Without inlining there are two lines for each address, and an empty one.
            return [path, f"--obj={program}", "--no-inlines", "--functions=short", "--demangle"]
    path = shutil.which("addr2line")
    return [path, "-e", program, "-f", "-C"] if path else None


def _pairs(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.splitlines() if line.strip()]
    return list(zip(lines[::2], lines[1::2], strict=False))


def _read(function: str, place: str) -> SourcePlace | None:
    read = _PLACE.fullmatch(place.strip())
    if read is None or read["path"].startswith(UNKNOWN) or int(read["line"]) == 0:
        return None
    return SourcePlace(
        os.path.normpath(read["path"]), int(read["line"]), "" if function.startswith(UNKNOWN) else function.strip()
    )
