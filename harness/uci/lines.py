"""Lines that come and go: whatever bytes they have, bounded in length, written at once."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator

from ...errors import shorten

LONGEST_LINE = 1_000_000
"""Bytes of a line: a hundred times what the longest possible game needs."""
CHUNK = 65_536


def lines_of(descriptor: int) -> Iterator[str | None]:
    """Yield the lines of a file descriptor, without their ends, and None for one that is too long. Raises OSError.

    The last line may have no end.
    """
    kept = b""
    while chunk := os.read(descriptor, CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield _text(kept + part)
            kept = b""
        if len(kept) <= LONGEST_LINE:
            kept += rest
    if kept:
        yield _text(kept)


def _text(line: bytes) -> str | None:
    return line.decode(errors="replace") if len(line) <= LONGEST_LINE else None


LONGEST_INFO = 400
"""Characters of an `info string`: what it is about may be longer."""


def info(text: str) -> str:
    """Return the line that tells the reader something which is no answer."""
    return f"info string {shorten(text, LONGEST_INFO)}\n"


class Output:
    """A file descriptor to write to. Nothing stays in a buffer, whose lock would keep Ctrl-C from ending us."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._poll = select.poll() if hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(descriptor, 0)  # that it is closed is told without asking

    def write(self, text: str) -> None:
        """Write a text. Raises OSError."""
        data = memoryview(text.encode())
        while data:
            data = data[os.write(self._descriptor, data) :]

    @property
    def is_closed(self) -> bool:
        """Whether the reader is known to have gone."""
        return self._poll is not None and bool(self._poll.poll(0))
