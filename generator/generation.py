"""Which moves a position has: those of a GenType, and without generating any, which 16-bit patterns are legal moves."""

from __future__ import annotations

import numpy as np

from .kernels.encoding import MAX_MOVES
from .kernels.generate import generate
from .kernels.legality import PATTERNS, accept_all, is_legal
from .kernels.tables import Backend, tables
from .types.frame import HasBoard, flip_move
from .types.moves import GenType, Move


def generate_moves(position: HasBoard, gentype: GenType, backend: Backend | None = None) -> tuple[Move, ...]:
    """Return the moves of `gentype` in the order of generation, as White sees them.

    The precondition of the GenType is not checked: see `MoveList`. The buffer holds more moves than
    any board can produce (see `kernels.encoding.MAX_MOVES`), so a list is never cut short. Raises
    ValueError where the slider back-end ("pext" or "magic"; default: the best) cannot run here.
    """
    buffer = np.empty(MAX_MOVES, dtype=np.uint16)
    size = int(generate(tables(backend), position.board, np.uint64(gentype), np.uint64(buffer.ctypes.data)))
    if size > MAX_MOVES:
        raise AssertionError(f"{size} moves overran the buffer: {position!r}")
    return tuple(flip_move(int(move), position.turn) for move in buffer[:size])


def is_legal_move(position: HasBoard, move: int) -> bool:
    """Return True if a number, seen as a move (see `Move`), is legal; no number is refused with an error."""
    if not 0 <= move < PATTERNS:
        return False
    return bool(is_legal(tables(), position.board, np.uint64(flip_move(move, position.turn))))


def accepted_moves(position: HasBoard, backend: Backend | None = None) -> list[Move]:
    """Return every one of the 65,536 patterns that is a legal move.

    They come in ascending order as the side to move sees them. Raises ValueError if the slider
    back-end cannot run here.
    """
    found = np.empty(PATTERNS, dtype=np.uint16)
    size = int(accept_all(tables(backend), position.board, np.uint64(found.ctypes.data)))
    return [flip_move(int(move), position.turn) for move in found[:size]]
