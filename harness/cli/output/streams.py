"""The streams that our parent gave us: whether somebody reads them, and how wide our lines may be there."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STDIN, STDOUT, STDERR = 0, 1, 2
LEAST = 60
"""Columns: a narrower terminal breaks our lines itself."""
USUAL = 80
"""Columns of a terminal that does not tell."""
ENDLESS = 1_000_000
"""The width of files and pipes: there a record is a line."""


def settle() -> None:
    """Make a result that nobody can read an error, a notice that nobody can read none, and a closed stdin an empty one.

    A descriptor that is closed would become the next file that we open, so all of them are taken.
    """
    for descriptor, stream in ((STDIN, sys.stdin), (STDOUT, sys.stdout), (STDERR, sys.stderr)):
        if stream is None:
            _take(descriptor, os.O_WRONLY if descriptor == STDERR else os.O_RDONLY)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.FileIO(STDIN, closefd=False), "utf-8")
    sys.stdout = sys.stdout or _text(io.FileIO(STDOUT, "w", closefd=False))  # it is for reading, so each write fails
    sys.stderr = _text(_Notices(STDERR, "w", closefd=False))


class _Notices(io.FileIO):
    """Stderr. That nobody can read it, or that its disk is full, must not keep a result from being printed."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, or do as if."""
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
    """Return the columns of a terminal, or those of COLUMNS; with FORCE_COLOR this makes a terminal of a pipe, too."""
    given = os.environ.get("COLUMNS", "")
    columns = int(given) if given.isdecimal() else 0
    if not stream.isatty() and not (columns and os.environ.get("FORCE_COLOR")):
        return ENDLESS
    return max(LEAST, columns or _columns_of(stream) or USUAL)


def _columns_of(stream: IO[str]) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # it is no terminal, but called one
        return 0
