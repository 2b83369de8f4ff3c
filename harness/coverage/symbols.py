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
OF_LANGUAGES = ("/rustc/", "/usr/")
"""Where compilers say that their standard libraries are."""
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
    groups = _groups(done.stdout.decode(errors="replace"), has_frames="--inlines" in command)
    return list(map(_choose, groups)) if len(groups) == len(addresses) else nothing


def _command(program: str) -> list[str] | None:
    """Return a command that answers each address by two lines, its function and its place; None where none is here.

    With `--inlines` there are two lines for each function that was inlined there, and an empty one.
    """
    for name in LLVM:
        if path := shutil.which(name):
            return [path, f"--obj={program}", "--inlines", "--functions=short", "--demangle"]
    path = shutil.which("addr2line")
    return [path, "-e", program, "-f", "-C"] if path else None


def _groups(text: str, *, has_frames: bool) -> list[list[tuple[str, str]]]:
    """Return the function and the place of each frame of each address, the innermost first."""
    if has_frames:
        parts = [part.splitlines() for part in text.strip("\n").split("\n\n")]
    else:
        lines = text.splitlines()
        parts = [lines[start : start + 2] for start in range(0, len(lines), 2)]
    return [list(zip(part[::2], part[1::2], strict=False)) for part in parts if len(part) > 1]


def _choose(frames: Sequence[tuple[str, str]]) -> SourcePlace | None:
    """Return the innermost frame that is not in a library of the language, which has much that is inlined."""
    places = [place for frame in frames if (place := _read(*frame)) is not None]
    others = [place for place in places if not place.path.startswith(OF_LANGUAGES)]
    return next(iter(others or places), None)


def _read(function: str, place: str) -> SourcePlace | None:
    read = _PLACE.fullmatch(place.strip())
    if read is None or read["path"].startswith(UNKNOWN) or int(read["line"]) == 0:
        return None
    return SourcePlace(
        os.path.normpath(read["path"]), int(read["line"]), "" if function.startswith(UNKNOWN) else function.strip()
    )
