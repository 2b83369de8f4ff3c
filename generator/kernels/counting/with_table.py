"""Perft with a table: positions that come again are looked up, from three plies on; below, other kernels count."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..encoding import MAX_MOVES
from ..generate import generate_legal
from ..machine.bits import ONE, ZERO, load, load16, store
from ..machine.control import NODES, STOP
from ..machine.jit import inlined, kernel
from ..play import play
from ..sliders.common import Tables
from .table import ABSENT, keep, key_of, look_up
from .turbo import count_legal
from .two_plies.fallback import replies_to_all
from .two_plies.kernel import count_two_plies

_2, _3, _4 = np.uint64(2), np.uint64(3), np.uint64(4)
_BUFFER_BYTES = np.uint64(2 * MAX_MOVES)


@inlined
def _two_plies(tables: Tables, board: Board, moves: np.uint64, notes: np.uint64) -> np.uint64:
    return replies_to_all(tables, board, moves) if notes == ZERO else count_two_plies(tables, board, moves, notes)


@kernel
def count_leaves_with_table(
    tables: Tables,
    board: Board,
    depth: np.uint64,
    control: np.uint64,
    moves: np.uint64,
    notes: np.uint64,
    table: np.uint64,
    mask: np.uint64,
) -> np.uint64:
    """Return what `count_leaves_by_two` returns, and without `notes` (0) what `count_leaves` does.

    `table` is the address of `mask` + 1 buckets, a power of two. The walk of `count_leaves_by_two` is written
    again here, for a kernel that calls itself may call no other one that does.
    """
    if depth == ONE:
        return count_legal(tables, board)
    if depth == _2:
        return _two_plies(tables, board, moves, notes)
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    key, place = key_of(board, depth)
    known = look_up(table, mask, key, place)
    if known != ABSENT:
        if depth >= _4:
            store(control, NODES, load(control, NODES) + known)
        return known
    count, below = ZERO, moves + _BUFFER_BYTES
    for index in range(generate_legal(tables, board, moves)):
        child = play(board, load16(moves, np.uint64(index)))
        if depth == _3:
            count += _two_plies(tables, child, below, notes)
        else:
            count += count_leaves_with_table(tables, child, depth - ONE, control, below, notes, table, mask)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    if depth == _3 or load(control, STOP) == ZERO:  # what is below may have been stopped
        keep(table, mask, key, place, depth, count)
    return count
