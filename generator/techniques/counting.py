"""Perft by a technique: list its pseudo-legal moves, keep the legal ones, play each.

One entry point serves all techniques that differ in nothing but their walk; which one is a number
that is the same all the way down, so the branch costs nothing. Those with a board or a test of
legality of their own have an entry point of their own.
"""

from __future__ import annotations

import numpy as np

from ..kernels.board import Board
from ..kernels.encoding import MAX_MOVES
from ..kernels.machine.bits import ONE, ZERO, load, load16, store
from ..kernels.machine.jit import kernel, subroutine
from ..kernels.machine.memory import NODES, STOP
from ..kernels.play import play
from ..kernels.sliders.lookup import Tables
from . import butterfly, dense_list, linked_list, magic, move_table, ray_delta, skip
from .names import TechniqueName
from .rules import keep_legal

WALKS = (
    TechniqueName.RAY_DELTA,
    TechniqueName.BUTTERFLY,
    TechniqueName.MOVE_TABLE,
    TechniqueName.SKIP,
    TechniqueName.LINKED_LIST,
    TechniqueName.DENSE_LIST,
    TechniqueName.MAGIC,
)
"""The techniques that this entry point serves; a technique's number is its place."""

_RAY_DELTA, _BUTTERFLY, _MOVE_TABLE, _SKIP, _LINKED_LIST, _DENSE_LIST, _MAGIC = map(np.uint64, range(len(WALKS)))
_4 = np.uint64(4)
_BUFFER_BYTES = np.uint64(2 * MAX_MOVES)

_by_ray_delta = ray_delta.generate
_by_butterfly = butterfly.generate
_by_move_table = move_table.generate
_by_skip = skip.generate
_by_linked_list = linked_list.generate
_by_dense_list = dense_list.generate
_by_magic = magic.generate


@subroutine
def _legal_moves(technique: np.uint64, tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    found = ZERO
    if technique == _RAY_DELTA:
        found = _by_ray_delta(tables, walk, board, moves)
    elif technique == _BUTTERFLY:
        found = _by_butterfly(tables, walk, board, moves)
    elif technique == _MOVE_TABLE:
        found = _by_move_table(tables, walk, board, moves)
    elif technique == _SKIP:
        found = _by_skip(tables, walk, board, moves)
    elif technique == _LINKED_LIST:
        found = _by_linked_list(tables, walk, board, moves)
    elif technique == _DENSE_LIST:
        found = _by_dense_list(tables, walk, board, moves)
    elif technique == _MAGIC:
        found = _by_magic(tables, walk, board, moves)
    return keep_legal(tables, board, moves, found)


@kernel
def list_moves(technique: np.uint64, tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    """Write the legal moves as a technique finds them; return their number."""
    return _legal_moves(technique, tables, walk, board, moves)


@kernel
def count_leaves_by_technique(
    technique: np.uint64,
    tables: Tables,
    walk: np.uint64,
    board: Board,
    depth: np.uint64,
    control: np.uint64,
    moves: np.uint64,
) -> np.uint64:
    """Return the number of leaves `depth` plies below, at least one; see `count_leaves_by_list`."""
    found = _legal_moves(technique, tables, walk, board, moves)
    if depth == ONE:
        return found
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    count = ZERO
    for index in range(found):
        child = play(board, load16(moves, np.uint64(index)))
        below = moves + _BUFFER_BYTES
        count += count_leaves_by_technique(technique, tables, walk, child, depth - ONE, control, below)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count
