"""Counting many positions per call, because a call from Python takes longer than a small count.

Positions are counted one by one, or ply by ply: equal positions of a ply are then merged into one board, which stores
the number of games that lead to it.
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
    """Return a kernel named `name` that applies `count` to many boards."""

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
        """Count `number` boards at address `boards`, each to its own depth, and write the counts to address `counts`.

        Depths are at least 1. `memory` is passed to `count` as its last argument and must be large enough for the
        greatest depth. If a stop is requested, the counts are meaningless.
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
    """Write the distinct boards after all legal moves of `number` boards; return their number.

    All arguments except `number` and `mask` are addresses. `times` contains the number of games that lead to each
    board, and `moves` is a scratch move buffer. `slots` is a hash table of `mask` + 1 32-bit integers, all 0; its size
    is a power of two and exceeds the number of moves. Board indices, counted from 1, are stored in the slot selected by
    the key of the board, or in the next free slot. `below` and `below_times` have space for one board per move. If a
    stop is requested, the remaining boards are skipped.
    """
    merged = ZERO
    for place in range(number):
        if load(control, STOP) != ZERO:
            return merged
        board, games = board_at(boards, np.uint64(place)), load(times, np.uint64(place))
        for index in range(generate_legal(tables, board, moves)):
            child = play(board, load16(moves, np.uint64(index)))
            # There is always a free slot, so the search terminates.
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
    """Return the number of leaf nodes at `depth` below `number` boards, weighted by their number of games.

    Returns `TOO_LARGE` if the sum overflows. The other arguments are those of `count_leaves_with_table`. If a stop is
    requested, the count is meaningless.
    """
    total = ZERO
    for place in range(number):
        if load(control, STOP) != ZERO:
            return ZERO
        index = np.uint64(place)
        count = count_leaves_with_table(tables, board_at(boards, index), depth, control, moves, notes, buckets)
        games = load(times, index)
        # This is tested before the multiplication, because an overflow cannot be detected afterwards.
        if count != ZERO and games > TOO_LARGE // count:
            return TOO_LARGE
        total = add_counts(total, games * count)
        if total == TOO_LARGE:
            return TOO_LARGE
        # From depth 4 on, the walk itself has already reported each of these nodes once.
        store(control, NODES, load(control, NODES) + (games - ONE if depth >= _4 else games) * count)
    return total
