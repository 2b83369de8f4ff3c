"""The faults, a family a file. Importing this package enters them all into the zoo."""

from __future__ import annotations

from types import ModuleType

from . import (
    capacity,
    castling,
    checks,
    chess960,
    controls,
    counting,
    duplicates,
    en_passant,
    fens,
    keys,
    make_unmake,
    pieces,
    pins,
    promotion,
    reading,
    rights,
    staging,
    stored_moves,
    waiting,
)

FAMILIES: tuple[ModuleType, ...] = (
    capacity,
    castling,
    checks,
    chess960,
    controls,
    counting,
    duplicates,
    en_passant,
    fens,
    keys,
    make_unmake,
    pieces,
    pins,
    promotion,
    reading,
    rights,
    staging,
    stored_moves,
    waiting,
)
"""Files of faults that are alike."""
