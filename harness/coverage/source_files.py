"""Places in the source of an engine: found for addresses of its code, and their files, read as data.

`llvm-symbolizer` or `addr2line`, whichever is there, finds the lines. A path comes from the engine, which may name
anything. Only regular files of bounded size are read, and only those below a folder where sources of the engine are to
be expected: nobody wants the text of other files in a report.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .model import SourceLocation

LARGEST = 2_000_000
"""Bytes of a file that is read."""
MOST_BYTES = 40_000_000
"""Bytes of all files that are read for one report."""
WITHOUT_LINES = "its lines are not known: compile with -g, and have llvm-symbolizer or addr2line"
WITHOUT_SOME_LINES = "no line is known of some of its branches"
REPOSITORIES = (".git", ".hg", ".svn")
"""What the folder of a project has."""

SECONDS = 60.0
"""How long all addresses of a program may take."""
LLVM = ("llvm-symbolizer", *(f"llvm-symbolizer-{version}" for version in range(22, 12, -1)))
UNKNOWN = "??"
OF_LANGUAGES = ("/rustc/", "/usr/")
"""Where compilers say that their standard libraries are."""
_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::\d+)?(?: \(discriminator \d+\))?")


@dataclass(frozen=True)
class SourceFile:
    """A file that the coverage of an engine names."""

    path: str
    """As the engine names it."""
    name: str
    """The path as people are shown it: where the file is here, from one of the folders that have sources."""
    lines: tuple[str, ...] = ()
    """Its text; none if it is not here."""
    absence: str = ""
    """Why it is not here, as a clause; empty if it is."""
    place: str = ""
    """The file that was read, as a path from the root; empty if it is not here."""
    is_source: bool = True
    """Whether it is source, and not the library or program itself, whose places are offsets."""

    def line(self, number: int) -> str:
        """Return the text of a line, from 1; "" if there is none."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


def source_folders(files: Iterable[Path]) -> tuple[Path, ...]:
    """Return the folders below which sources are read: the working folder, and the project that has an engine's files.

    The project is the nearest folder above a file that has a repository, or else the folder of the file.
    """
    folders = [Path.cwd(), *(_project_of(Path(os.path.realpath(file)).parent) for file in files)]
    return tuple(dict.fromkeys(folder.resolve() for folder in folders))


def _project_of(folder: Path) -> Path:
    home = Path(os.path.expanduser("~"))  # a repository of settings is no project
    above = [one for one in (folder, *folder.parents) if one not in (home, *home.parents)]
    return next((one for one in above if any((one / name).exists() for name in REPOSITORIES)), folder)


def read_sources(files: Iterable[tuple[str, bool]], folders: Sequence[Path]) -> Iterator[SourceFile]:
    """Yield the files of these paths, and whether each is source; relative ones start from each of the `folders`."""
    room, named = MOST_BYTES, list(files)
    without = WITHOUT_SOME_LINES if any(is_source for _, is_source in named) else WITHOUT_LINES
    for path, is_source in named:
        if not is_source:
            yield SourceFile(path, path.rpartition("/")[2], (), without, is_source=False)
            continue
        try:
            found, name = _find(path, folders)
            text = _read(found, room)
        except _NotHere as reason:
            yield SourceFile(path, path, (), str(reason))
            continue
        room -= len(text)
        lines = text.replace("\r\n", "\n").split("\n")  # as compilers count: no other character ends a line
        yield SourceFile(path, name, tuple(lines[:-1] if lines[-1] == "" else lines), place=str(found))


class _NotHere(Exception):
    """The source is not here; the message says why, as a clause."""


def _find(path: str, folders: Sequence[Path]) -> tuple[Path, str]:
    """Return the regular file that a path means, and its path from one of the folders. Raises _NotHere."""
    if not path:
        raise _NotHere("the engine names no file")
    reason = "no such file"
    for folder in folders:
        try:
            place = Path(os.path.realpath(folder / path))
            mode = place.stat().st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            reason = error.strerror or "it cannot be read"
            continue
        except ValueError:
            raise _NotHere("that is no path") from None
        for above in folders:
            if place.is_relative_to(above):
                if stat.S_ISREG(mode):
                    return place, place.relative_to(above).as_posix()
                raise _NotHere("it is no regular file")
        reason = "it is outside of the working folder and of the engine's project"
    raise _NotHere(reason)


def _read(file: Path, room: int) -> str:
    """Return the text of a file that has no more than so many bytes. Raises _NotHere."""
    try:
        with file.open("rb") as opened:
            content = opened.read(min(LARGEST, room) + 1)  # a size that the system tells may be 0, or grow
    except OSError as error:
        raise _NotHere(error.strerror or "it cannot be read") from None
    if len(content) > LARGEST:
        raise _NotHere(f"it has more than {LARGEST:,} bytes")
    if len(content) > room:
        raise _NotHere("there is too much source for one report")
    return content.decode(errors="replace")


def find_locations(program: str, addresses: Sequence[int]) -> tuple[SourceLocation | None, ...]:
    """Return the place of each address, relative to the program; 0 stands for none, negative ones for an unknown one.

    Where no symbolizer is there, or it fails, or the program has no line table, places are offsets.
    """
    known = sorted({address for address in addresses if address > 0})
    found = dict(zip(known, _symbolize(program, known), strict=True))
    return tuple(None if address == 0 else found.get(address) or _offset(program, address) for address in addresses)


def _offset(program: str, address: int) -> SourceLocation:
    return SourceLocation(program, max(0, address), is_source=False)


def _symbolize(program: str, addresses: Sequence[int]) -> list[SourceLocation | None]:
    """Return a place for each address, None if its line is not known."""
    nothing: list[SourceLocation | None] = [None] * len(addresses)
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
    """Return a command that answers each address by two lines, its function and its place; None if none is here.

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


def _choose(frames: Sequence[tuple[str, str]]) -> SourceLocation | None:
    """Return the innermost frame that is not in a library of the language, which has much that is inlined."""
    places = [place for frame in frames if (place := _parse_frame(*frame)) is not None]
    others = [place for place in places if not place.path.startswith(OF_LANGUAGES)]
    return next(iter(others or places), None)


def _parse_frame(function: str, place: str) -> SourceLocation | None:
    read = _PLACE.fullmatch(place.strip())
    if read is None or read["path"].startswith(UNKNOWN) or int(read["line"]) == 0:
        return None
    return SourceLocation(
        os.path.normpath(read["path"]), int(read["line"]), "" if function.startswith(UNKNOWN) else function.strip()
    )
