"""Generate the moves of a GenType, in a fixed buffer."""

from __future__ import annotations

import numpy as np

from .kernels.encoding import MAX_MOVES
from .kernels.generate import generate
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
