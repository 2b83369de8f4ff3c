"""Generating the moves of a GenType, and testing whether 16-bit integers are legal moves."""

from __future__ import annotations

import numpy as np

from .kernels.encoding import MAX_MOVES
from .kernels.generate import generate
from .kernels.legality import PATTERNS, accept_all, is_legal
from .kernels.tables import Backend, tables
from .types.frame import HasBoard, flip_move
from .types.moves import GenType, Move


def generate_moves(position: HasBoard, gentype: GenType, backend: Backend | None = None) -> tuple[Move, ...]:
    """Return the moves of `gentype`, from White's view, in the order of generation.

    The precondition of the GenType is not checked; `MoveList` checks it. Lists are never truncated, because the buffer
    has space for more moves than any board allows (see `kernels.encoding.MAX_MOVES`). `backend` is the slider back-end
    ("pext" or "magic"; default: the fastest available). Raises ValueError if the back-end cannot run on this machine.
    """
    buffer = np.empty(MAX_MOVES, dtype=np.uint16)
    size = int(generate(tables(backend), position.board, np.uint64(gentype), np.uint64(buffer.ctypes.data)))
    if size > MAX_MOVES:
        raise AssertionError(f"{size} moves overran the buffer: {position!r}")
    return tuple(flip_move(int(move), position.turn) for move in buffer[:size])


def is_legal_move(position: HasBoard, move: int) -> bool:
    """Return True if `move`, interpreted as a `Move`, is legal; any integer is accepted."""
    if not 0 <= move < PATTERNS:
        return False
    return bool(is_legal(tables(), position.board, np.uint64(flip_move(move, position.turn))))


def accepted_moves(position: HasBoard, backend: Backend | None = None) -> list[Move]:
    """Return all 16-bit integers that are legal moves, in ascending order from the side to move's view.

    Raises ValueError if the slider back-end cannot run on this machine.
    """
    found = np.empty(PATTERNS, dtype=np.uint16)
    size = int(accept_all(tables(backend), position.board, np.uint64(found.ctypes.data)))
    return [flip_move(int(move), position.turn) for move in found[:size]]
