"""Find the source locations of addresses in an engine's code, and read source files as data.

Locations are found by `llvm-symbolizer` or `addr2line`, whichever is installed. The paths come from the engine, which
may name any file. To keep the text of unrelated files out of reports, only regular files of limited size are read, and
only from folders that are expected to contain the engine's source.
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
"""Maximum size in bytes of a file to read."""
MOST_BYTES = 40_000_000
"""Maximum total size in bytes of the files to read for a report."""
WITHOUT_LINES = "its lines are not known: compile with -g, and have llvm-symbolizer or addr2line"
WITHOUT_SOME_LINES = "no line is known of some of its branches"
REPOSITORIES = (".git", ".hg", ".svn")
"""Files or folders that mark the root of a project."""

SECONDS = 60.0
"""Time limit for finding the lines of all addresses of a program."""
LLVM = ("llvm-symbolizer", *(f"llvm-symbolizer-{version}" for version in range(22, 12, -1)))
UNKNOWN = "??"
OF_LANGUAGES = ("/rustc/", "/usr/")
"""Prefixes of the paths of standard libraries."""
_LOCATION = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::\d+)?(?: \(discriminator \d+\))?")


@dataclass(frozen=True)
class SourceFile:
    """A file that an engine's coverage refers to."""

    path: str
    """The path as given by the engine."""
    name: str
    """The path to show, relative to one of the folders that contain source."""
    lines: tuple[str, ...] = ()
    """The text, or "" if the file was not found."""
    absence: str = ""
    """A clause that says why the file was not found, or "" if it was found."""
    real_path: str = ""
    """The absolute path of the file that was read, or "" if it was not found."""
    is_source: bool = True
    """Whether the file is source code. If not, it is the library or program itself, and locations are offsets."""

    def line(self, number: int) -> str:
        """Return the text of a line, numbered from 1, or "" if there is none."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


def source_folders(files: Iterable[Path]) -> tuple[Path, ...]:
    """Return the folders from which source is read: the working folder, and the projects of an engine's files.

    The project of a file is the nearest parent folder that contains a repository, or else the folder of the file.
    """
    folders = [Path.cwd(), *(_project_of(Path(os.path.realpath(file)).parent) for file in files)]
    return tuple(dict.fromkeys(folder.resolve() for folder in folders))


def _project_of(folder: Path) -> Path:
    home = Path(os.path.expanduser("~"))  # a repository of configuration files is not a project
    above = [one for one in (folder, *folder.parents) if one not in (home, *home.parents)]
    return next((one for one in above if any((one / name).exists() for name in REPOSITORIES)), folder)


def read_sources(files: Iterable[tuple[str, bool]], folders: Sequence[Path]) -> Iterator[SourceFile]:
    """Yield the files given as pairs of a path and whether the file is source code.

    Relative paths are resolved against each of the `folders`.
    """
    bytes_left, named = MOST_BYTES, list(files)
    without = WITHOUT_SOME_LINES if any(is_source for _, is_source in named) else WITHOUT_LINES
    for path, is_source in named:
        if not is_source:
            yield SourceFile(path, path.rpartition("/")[2], (), without, is_source=False)
            continue
        try:
            found, name = _find(path, folders)
            text = _read(found, bytes_left)
        except _SourceMissing as reason:
            yield SourceFile(path, path, (), str(reason))
            continue
        bytes_left -= len(text)
        lines = text.replace("\r\n", "\n").split("\n")  # as in compilers, no other character ends a line
        yield SourceFile(path, name, tuple(lines[:-1] if lines[-1] == "" else lines), real_path=str(found))


class _SourceMissing(Exception):
    """Raised if source is not found. The message is a clause that says why."""


def _find(path: str, folders: Sequence[Path]) -> tuple[Path, str]:
    """Return the regular file with a path, and its path relative to one of the folders. Raises _SourceMissing."""
    if not path:
        raise _SourceMissing("the engine names no file")
    reason = "no such file"
    for folder in folders:
        try:
            found = Path(os.path.realpath(folder / path))
            mode = found.stat().st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            reason = error.strerror or "it cannot be read"
            continue
        except ValueError:
            raise _SourceMissing("it is not a valid path") from None
        for above in folders:
            if found.is_relative_to(above):
                if stat.S_ISREG(mode):
                    return found, found.relative_to(above).as_posix()
                raise _SourceMissing("it is not a regular file")
        reason = "it is outside the working folder and the engine's project"
    raise _SourceMissing(reason)


def _read(file: Path, bytes_left: int) -> str:
    """Return the text of a file of at most `bytes_left` bytes. Raises _SourceMissing."""
    try:
        with file.open("rb") as opened:
            content = opened.read(min(LARGEST, bytes_left) + 1)  # the reported size may be 0 or may grow
    except OSError as error:
        raise _SourceMissing(error.strerror or "it cannot be read") from None
    if len(content) > LARGEST:
        raise _SourceMissing(f"it has more than {LARGEST:,} bytes")
    if len(content) > bytes_left:
        raise _SourceMissing("there is too much source for one report")
    return content.decode(errors="replace")


def find_locations(program: str, addresses: Sequence[int]) -> tuple[SourceLocation | None, ...]:
    """Return the source location of each address; addresses are relative to the program.

    Address 0 means that there is no location; negative addresses are unknown. If no symbolizer is installed, the
    symbolizer fails, or the program has no line table, locations are offsets.
    """
    known = sorted({address for address in addresses if address > 0})
    found = dict(zip(known, _symbolize(program, known), strict=True))
    return tuple(None if address == 0 else found.get(address) or _offset(program, address) for address in addresses)


def _offset(program: str, address: int) -> SourceLocation:
    return SourceLocation(program, max(0, address), is_source=False)


def _symbolize(program: str, addresses: Sequence[int]) -> list[SourceLocation | None]:
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
    groups = _frames_by_address(done.stdout.decode(errors="replace"), has_frames="--inlines" in command)
    return list(map(_choose_frame, groups)) if len(groups) == len(addresses) else nothing


def _command(program: str) -> list[str] | None:
    """Return a command that prints the function and the location of each address on two lines, or None.

    With `--inlines`, the command prints two lines for each function inlined at the address, then an empty line. The
    result is None if no such command is installed.
    """
    for name in LLVM:
        if path := shutil.which(name):
            return [path, f"--obj={program}", "--inlines", "--functions=short", "--demangle"]
    path = shutil.which("addr2line")
    return [path, "-e", program, "-f", "-C"] if path else None


def _frames_by_address(text: str, *, has_frames: bool) -> list[list[tuple[str, str]]]:
    """Return the function and location of each frame, innermost first, for each address."""
    if has_frames:
        parts = [part.splitlines() for part in text.strip("\n").split("\n\n")]
    else:
        lines = text.splitlines()
        parts = [lines[start : start + 2] for start in range(0, len(lines), 2)]
    return [list(zip(part[::2], part[1::2], strict=False)) for part in parts if len(part) > 1]


def _choose_frame(frames: Sequence[tuple[str, str]]) -> SourceLocation | None:
    """Return the innermost frame outside standard libraries, whose functions are often inlined."""
    locations = [location for frame in frames if (location := _parse_frame(*frame)) is not None]
    others = [one for one in locations if not one.path.startswith(OF_LANGUAGES)]
    return next(iter(others or locations), None)


def _parse_frame(function: str, location: str) -> SourceLocation | None:
    read = _LOCATION.fullmatch(location.strip())
    if read is None or read["path"].startswith(UNKNOWN) or int(read["line"]) == 0:
        return None
    return SourceLocation(
        os.path.normpath(read["path"]), int(read["line"]), "" if function.startswith(UNKNOWN) else function.strip()
    )
