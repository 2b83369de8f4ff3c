"""Perft by the list kernel: every legal move is generated, and above the last ply played."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..encoding import MAX_MOVES
from ..generate import generate_legal
from ..machine.bits import ONE, ZERO, load, load16, store
from ..machine.control import NODES, STOP
from ..machine.jit import kernel
from ..play import play
from ..sliders.common import Tables

_4 = np.uint64(4)
_BUFFER_BYTES = np.uint64(2 * MAX_MOVES)


@kernel
def count_leaves_by_list(
    tables: Tables, board: Board, depth: np.uint64, control: np.uint64, moves: np.uint64
) -> np.uint64:
    """Return the number of leaves `depth` plies below, at least one.

    `moves` is the address of one move buffer for each ply, `control` that of a `Control`. When the
    control asks to stop, the walk ends early and the count is meaningless.
    """
    found = generate_legal(tables, board, moves)
    if depth == ONE:
        return found
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    count = ZERO
    for index in range(found):
        child = play(board, load16(moves, np.uint64(index)))
        count += count_leaves_by_list(tables, child, depth - ONE, control, moves + _BUFFER_BYTES)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count
