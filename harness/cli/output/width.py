"""How wide our lines may be."""

from __future__ import annotations

import os
from typing import IO

LEAST = 60
"""Columns: a narrower terminal breaks our lines itself."""
USUAL = 80
"""Columns of a terminal that does not tell."""
ENDLESS = 1_000_000
"""The width of files and pipes: there a record is a line."""


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
