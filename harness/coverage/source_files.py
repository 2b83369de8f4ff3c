"""The source of an engine, as its coverage names it: files that are read as data, or why one is not here.

A path comes from the engine, which may name anything. Only regular files of bounded size are read, and only those below
a folder where sources of the engine are to be expected: nobody wants the text of other files in a report.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LARGEST = 2_000_000
"""Bytes of a file that is read."""
MOST_BYTES = 40_000_000
"""Bytes of all files that are read for one report."""
WITHOUT_LINES = "its lines are not known: compile with -g, and have llvm-symbolizer or addr2line"
WITHOUT_SOME_LINES = "the compiler says no lines of it"
REPOSITORIES = (".git", ".hg", ".svn")
"""What the folder of a project has."""


@dataclass(frozen=True)
class SourceFile:
    """A file that the coverage of an engine names."""

    path: str
    """As the engine names it."""
    name: str
    """The path as people are shown it: where the file is here, from one of the folders that have sources."""
    lines: tuple[str, ...] = ()
    """Its text; none where it is not here."""
    absence: str = ""
    """Why it is not here, as a clause; empty where it is."""
    place: str = ""
    """The file that was read, as a path from the root; empty where it is not here."""
    is_source: bool = True
    """Whether it is source, and not the library or program itself, whose places are offsets."""

    def line(self, number: int) -> str:
        """Return the text of a line, from 1; "" where there is none."""
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
