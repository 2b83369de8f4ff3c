"""The standard streams: handling of closed or unwritable streams, and the width of their lines."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STDIN, STDOUT, STDERR = 0, 1, 2
LEAST = 60
"""Minimum width in columns. A narrower terminal wraps the lines itself."""
USUAL = 80
"""The width if the terminal does not report one."""
ENDLESS = 1_000_000
"""The width of files and pipes, whose lines are not wrapped."""


def prepare_standard_streams() -> None:
    """Replace closed standard streams.

    Writing to a closed stdout raises an error, because results would be lost. Errors of stderr are ignored. A closed
    stdin is empty. The file descriptors are reserved so that files opened later do not get their numbers.
    """
    for descriptor, stream in ((STDIN, sys.stdin), (STDOUT, sys.stdout), (STDERR, sys.stderr)):
        if stream is None:
            _take(descriptor, os.O_WRONLY if descriptor == STDERR else os.O_RDONLY)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.FileIO(STDIN, closefd=False), "utf-8")
    sys.stdout = sys.stdout or _text(io.FileIO(STDOUT, "w", closefd=False))  # opened for reading: writing fails
    sys.stderr = _text(_Notices(STDERR, "w", closefd=False))


class _Notices(io.FileIO):
    """Stderr that ignores errors, because unwritable notices must not prevent results from being printed."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write the data if possible and return its size in bytes."""
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _take(descriptor: int, flags: int) -> None:
    nothing = os.open(os.devnull, flags)
    if nothing != descriptor:
        os.dup2(nothing, descriptor)
        os.close(nothing)


def _text(raw: io.FileIO) -> io.TextIOWrapper:
    encoding = sys.stderr.encoding if sys.stderr else None
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, "backslashreplace", line_buffering=True)


def width_of(stream: IO[str]) -> int:
    """Return the width of a stream in columns: the terminal's, `ENDLESS` if it is not a terminal, or COLUMNS.

    COLUMNS applies to pipes and files only if FORCE_COLOR is also set.
    """
    given = os.environ.get("COLUMNS", "")
    columns = int(given) if given.isdecimal() else 0
    if not stream.isatty() and not (columns and os.environ.get("FORCE_COLOR")):
        return ENDLESS
    return max(LEAST, columns or _columns_of(stream) or USUAL)


def _columns_of(stream: IO[str]) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # not a terminal, although `isatty` says so
        return 0
