"""Counting many positions in one call, because a call from Python takes longer than a small count.

Positions are counted one by one, or as plies in which equal positions are merged: each board has the number of games
that lead to it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..board import BOARD_BYTES, Board, board_at, load_board, store_board
from ..generate import generate_legal
from ..machine.bits import ONE, ZERO, load, load16, load32, store, store32
from ..machine.jit import inline, kernel, with_name
from ..machine.memory import NODES, STOP
from ..play import play
from ..sliders.lookup import Tables
from .last_ply import count_legal
from .list_perft import count_leaves_by_list
from .table import TOO_LARGE, Buckets, add_counts, count_leaves_with_table, key_of
from .two_plies.kernel import count_leaves_by_two
from .walk import Walk, count_leaves

_4 = np.uint64(4)

Each = Callable[[Tables, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64], None]


def _count_each(name: str, count: Walk) -> Each:
    """Return a kernel called `name` that applies `count` to many boards."""

    @kernel
    @with_name(name)
    def each(
        tables: Tables,
        boards: np.uint64,
        depths: np.uint64,
        number: np.uint64,
        control: np.uint64,
        memory: np.uint64,
        counts: np.uint64,
    ) -> None:
        """Write the counts of `number` boards at address `boards`, each at its depth, to address `counts`.

        Depths are 1 or more. `memory` is the last argument of `count`, with space for the deepest count. If the control
        asks to stop, the counts are meaningless.
        """
        for place in range(number):
            index = np.uint64(place)
            if load(control, STOP) != ZERO:
                return
            store(counts, index, count(tables, board_at(boards, index), load(depths, index), control, memory))

    return each


count_each_by_list = _count_each("count_each_by_list", count_leaves_by_list)
count_each = _count_each("count_each", count_leaves)
count_each_by_two = _count_each("count_each_by_two", count_leaves_by_two)


@inline
def _differs(words: np.uint64, board: Board) -> bool:
    other = load_board(words)
    pawns = other.pawns ^ board.pawns | other.their_pawns ^ board.their_pawns
    knights = other.knights ^ board.knights | other.their_knights ^ board.their_knights
    diagonals = other.diagonals ^ board.diagonals | other.their_diagonals ^ board.their_diagonals
    orthogonals = other.orthogonals ^ board.orthogonals | other.their_orthogonals ^ board.their_orthogonals
    kings = other.king ^ board.king | other.their_king ^ board.their_king
    rights = other.en_passant ^ board.en_passant | other.castling ^ board.castling
    return pawns | knights | diagonals | orthogonals | kings | rights != ZERO


@kernel
def count_moves(tables: Tables, boards: np.uint64, number: np.uint64) -> np.uint64:
    """Return the total number of legal moves of `number` boards at address `boards`."""
    count = ZERO
    for place in range(number):
        count += count_legal(tables, board_at(boards, np.uint64(place)))
    return count


@kernel
def merge_children(
    tables: Tables,
    boards: np.uint64,
    times: np.uint64,
    number: np.uint64,
    moves: np.uint64,
    slots: np.uint64,
    mask: np.uint64,
    below: np.uint64,
    below_times: np.uint64,
    control: np.uint64,
) -> np.uint64:
    """Write the boards after each legal move of `number` boards, equal ones once; return how many there are.

    `times` has the number of games that lead to each board. `moves` is a move buffer. `slots` is a hash table of `mask`
    + 1 numbers of 32 bits, a power of two and more than there are moves, all 0: the slot that a board's key selects, or
    the next free one, gets the index of the board, counted from 1. `below` and `below_times` have space for one board
    per move. If the control asks to stop, the remaining boards are left out.
    """
    merged = ZERO
    for place in range(number):
        if load(control, STOP) != ZERO:
            return merged
        board, games = board_at(boards, np.uint64(place)), load(times, np.uint64(place))
        for index in range(generate_legal(tables, board, moves)):
            child = play(board, load16(moves, np.uint64(index)))
            # The slots are never full, so the search for a free one always ends.
            slot = key_of(child, ZERO)[0] & mask
            found = load32(slots, slot)
            while found != ZERO and _differs(below + (found - ONE) * BOARD_BYTES, child):
                slot = (slot + ONE) & mask
                found = load32(slots, slot)
            if found == ZERO:
                store_board(below + merged * BOARD_BYTES, child)
                store(below_times, merged, games)
                merged += ONE
                store32(slots, slot, merged)
            else:
                store(below_times, found - ONE, load(below_times, found - ONE) + games)
    return merged


@kernel
def count_merged(
    tables: Tables,
    boards: np.uint64,
    times: np.uint64,
    number: np.uint64,
    depth: np.uint64,
    control: np.uint64,
    moves: np.uint64,
    notes: np.uint64,
    buckets: Buckets,
) -> np.uint64:
    """Return the leaf nodes `depth` plies below `number` boards, each times the games that lead to it, or `TOO_LARGE`.

    The other arguments are those of `count_leaves_with_table`. If the control asks to stop, the count is meaningless.
    """
    total = ZERO
    for place in range(number):
        if load(control, STOP) != ZERO:
            return ZERO
        index = np.uint64(place)
        count = count_leaves_with_table(tables, board_at(boards, index), depth, control, moves, notes, buckets)
        games = load(times, index)
        # The product is tested in advance, because an overflow could not be recognized afterwards.
        if count != ZERO and games > TOO_LARGE // count:
            return TOO_LARGE
        total = add_counts(total, games * count)
        if total == TOO_LARGE:
            return TOO_LARGE
        # From depth 4 on, the walk has already reported these nodes once.
        store(control, NODES, load(control, NODES) + (games - ONE if depth >= _4 else games) * count)
    return total
