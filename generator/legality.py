"""Which 16-bit patterns are legal moves of a position, without generating any."""

from __future__ import annotations

import numpy as np

from .kernels.legality import PATTERNS, accept_all, is_legal
from .kernels.tables import Backend, tables
from .types.frame import HasBoard, flip_move
from .types.moves import Move


def is_legal_move(position: HasBoard, move: int) -> bool:
    """Tell whether a number, seen as a move (see `Move`), is legal; no number is refused with an error."""
    if not 0 <= move < PATTERNS:
        return False
    return bool(is_legal(tables(), position.board, np.uint64(flip_move(move, position.turn))))


def accepted_moves(position: HasBoard, backend: Backend | None = None) -> list[Move]:
    """Return every one of the 65,536 patterns that is a legal move.

    They come in ascending order as the side to move sees them. Raises ValueError where the slider
    back-end cannot run here.
    """
    found = np.empty(PATTERNS, dtype=np.uint16)
    size = int(accept_all(tables(backend), position.board, np.uint64(found.ctypes.data)))
    return [flip_move(int(move), position.turn) for move in found[:size]]
