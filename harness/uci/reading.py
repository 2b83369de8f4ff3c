"""The lines of an input as they come: whatever bytes they have, and bounded in length."""

from __future__ import annotations

import os
from collections.abc import Iterator

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
