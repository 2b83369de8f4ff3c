"""Perft with a table: positions that come again are looked up, from two plies on; below, other kernels count."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..encoding import MAX_MOVES
from ..generate import generate_legal
from ..machine.bits import ONE, ZERO, load, load16, prefetch, store
from ..machine.jit import inline, kernel, subroutine
from ..machine.memory import NODES, STOP
from ..play import play
from ..sliders.lookup import Tables
from .last_ply import count_legal
from .table import ABSENT, TOO_LARGE, Buckets, address_of, keep, key_of, look_up
from .two_plies.kernel import count_two_plies

_2, _3, _4 = np.uint64(2), np.uint64(3), np.uint64(4)
_BUFFER_BYTES = np.uint64(2 * MAX_MOVES)
KEYS_BUFFERS = 8
"""The keys and places of all moves of a board need as much memory as so many move buffers."""


@inline
def add_counts(count: np.uint64, more: np.uint64) -> np.uint64:
    """Return the sum of two counts, or `TOO_LARGE`."""
    # A sum that has wrapped around is smaller than each of its parts.
    total = count + more
    return TOO_LARGE if total < count else total


@subroutine
def _replies_one_by_one(tables: Tables, board: Board, moves: np.uint64) -> np.uint64:
    count = ZERO
    for index in range(generate_legal(tables, board, moves)):
        count += count_legal(tables, play(board, load16(moves, np.uint64(index))))
    return count


@inline
def _two_plies(tables: Tables, board: Board, moves: np.uint64, notes: np.uint64) -> np.uint64:
    return _replies_one_by_one(tables, board, moves) if notes == ZERO else count_two_plies(tables, board, notes)


@subroutine
def _count_three_plies(tables: Tables, board: Board, moves: np.uint64, notes: np.uint64, buckets: Buckets) -> np.uint64:
    """Return the number of leaves three plies below. The memory that all children need is fetched beforehand."""
    # All keys first: while the last ones are made, the memory of the first ones is on its way, and nothing waits for
    # it.
    below, keys = moves + _BUFFER_BYTES, moves + _2 * _BUFFER_BYTES
    size = generate_legal(tables, board, moves)
    for place in range(size):
        index = np.uint64(place)
        key, chosen = key_of(play(board, load16(moves, index)), _2)
        prefetch(address_of(buckets, chosen), ZERO)
        store(keys, _2 * index, key)
        store(keys, _2 * index + ONE, chosen)
    count = ZERO
    for place in range(size):
        index = np.uint64(place)
        key, chosen = load(keys, _2 * index), load(keys, _2 * index + ONE)
        known = look_up(buckets, key, chosen)
        if known == ABSENT:
            known = _two_plies(tables, play(board, load16(moves, index)), below, notes)
            keep(buckets, key, chosen, _2, known)
        count += known
    return count


@kernel
def count_leaves_with_table(
    tables: Tables,
    board: Board,
    depth: np.uint64,
    control: np.uint64,
    moves: np.uint64,
    notes: np.uint64,
    buckets: Buckets,
) -> np.uint64:
    """Return what `count_leaves_by_two` returns, without `notes` (0) what `count_leaves` does, or `TOO_LARGE`.

    Trees whose counts come from a table may be that large; those that are walked take too long.
    `moves` has `KEYS_BUFFERS` move buffers more than there are plies. The walk of `count_leaves_by_two` is written
    again here, for a kernel that calls itself may call no other one that does.
    """
    if depth == ONE:
        return count_legal(tables, board)
    if depth == _2:
        return _two_plies(tables, board, moves, notes)
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    key, place = key_of(board, depth)
    known = look_up(buckets, key, place)
    if known != ABSENT:
        if depth >= _4:
            store(control, NODES, load(control, NODES) + known)
        return known
    if depth == _3:
        count = _count_three_plies(tables, board, moves, notes, buckets)
        keep(buckets, key, place, depth, count)
        return count
    # Each ply has a move buffer of its own: the moves of this one are still being played while those below are listed.
    count, below = ZERO, moves + _BUFFER_BYTES
    for index in range(generate_legal(tables, board, moves)):
        child = play(board, load16(moves, np.uint64(index)))
        count = add_counts(count, count_leaves_with_table(tables, child, depth - ONE, control, below, notes, buckets))
        # Nothing above is kept: all of it would be walked again and again.
        if count == TOO_LARGE:
            return TOO_LARGE
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    # What is below may have been stopped, and a count that is too small would stay in the table.
    if load(control, STOP) == ZERO:
        keep(buckets, key, place, depth, count)
    return count
