"""The correct answers for a position: its root moves in the order of their keys, and the counts below them.

Keys are sorted because engines' answers are compared in this order. To sort, moves are marked in one bitboard of
origins per target square, and one per target square of promotions. Reading the bits in ascending order gives the sorted
keys.
"""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..castling import king_target
from ..counting.walk import count_leaves
from ..encoding import CASTLING, KIND_MASK, MAX_MOVES, PROMOTION, PROMOTION_MASK, QUEEN, bit, origin_of, target_of
from ..fen import flip_of, load_state
from ..generate import generate_legal
from ..machine.bits import ALL, ONE, ZERO, load, load16, lsb, rest, store, store16
from ..machine.jit import inline, kernel
from ..play import play
from ..sliders.lookup import Tables

_2, _5, _6, _8, _12 = (np.uint64(number) for number in (2, 5, 6, 8, 12))
MARK_BYTES = 8 * 128
"""One bitboard per target square, and another one for promotions."""
PLACED_BYTES = 2 * 4096
"""The move for each pair of squares."""


@inline
def _mark(marks: np.uint64, place: np.uint64, origin: np.uint64) -> None:
    store(marks, place, load(marks, place) | bit(origin))


@inline
def _put_marked(
    marks: np.uint64,
    placed: np.uint64,
    target: np.uint64,
    piece: np.uint64,
    keys: np.uint64,
    ordered: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Append the marked moves to a target, as keys and as moves; `piece` is the promotion piece, 1 to 4, or 0."""
    origins = load(marks, target)
    while origins != ZERO:
        squares = lsb(origins) | target << _6
        move = load16(placed, squares)
        # Only the promotion to a queen is stored; the others differ from it in two bits.
        store16(ordered, count, move if piece == ZERO else move & ~PROMOTION_MASK | piece - ONE << _12)
        store16(keys, count, squares | piece << _12)
        count += ONE
        origins = rest(origins)
    return count


@inline
def write_roots(
    moves: np.uint64,
    found: np.uint64,
    flip: np.uint64,
    to_rook: np.uint64,
    scratch: np.uint64,
    keys: np.uint64,
    ordered: np.uint64,
) -> None:
    """Write the keys of `found` legal moves in ascending order, and the moves in the same order.

    `moves` is the address of the moves. `flip` converts squares to White's view. The target in the key of a castling
    move is the square of the rook if `to_rook` is 1, or the king's destination if it is 0. `scratch` is the address of
    `MARK_BYTES`, which are zero before and after the call, followed by `PLACED_BYTES`.
    """
    placed, promoted = scratch + np.uint64(MARK_BYTES), scratch + np.uint64(MARK_BYTES // 2)
    targets, promotion_targets = ZERO, ZERO
    for index in range(found):
        move = load16(moves, np.uint64(index))
        origin, target, kind = origin_of(move), target_of(move), move & KIND_MASK
        if kind == CASTLING and to_rook == ZERO:
            target = king_target(origin, target)
        origin, target = origin ^ flip, target ^ flip
        if kind != PROMOTION:
            _mark(scratch, target, origin)
            targets |= bit(target)
        elif move & PROMOTION_MASK == QUEEN:
            _mark(promoted, target, origin)
            promotion_targets |= bit(target)
        # The queen represents all four promotions, which have the same squares.
        else:
            continue
        store16(placed, origin | target << _6, move)
    # Only marked squares are read, so moves stored by earlier positions do not matter.
    count = ZERO
    while targets != ZERO:
        count = _put_marked(scratch, placed, lsb(targets), ZERO, keys, ordered, count)
        store(scratch, lsb(targets), ZERO)
        targets = rest(targets)
    if promotion_targets == ZERO:
        return
    piece = ONE
    while piece != _5:
        targets = promotion_targets
        while targets != ZERO:
            count = _put_marked(promoted, placed, lsb(targets), piece, keys, ordered, count)
            targets = rest(targets)
        piece += ONE
    while promotion_targets != ZERO:
        store(promoted, lsb(promotion_targets), ZERO)
        promotion_targets = rest(promotion_targets)


TRIAL_BYTES = 8 * MAX_MOVES
"""Space for the counts at a depth that may exceed the budget."""
TOO_MUCH = np.uint64(4)


@inline
def counts_below(
    tables: Tables,
    board: Board,
    moves: np.uint64,
    found: np.uint64,
    depth: np.uint64,
    budget: np.uint64,
    control: np.uint64,
    counts: np.uint64,
) -> np.uint64:
    """Write the number of leaf nodes below each move; return the sum, or ALL once it exceeds the budget."""
    total = ZERO
    for index in range(found):
        leaves = count_leaves(tables, play(board, load16(moves, np.uint64(index))), depth - ONE, control, ZERO)
        store(counts, np.uint64(index), leaves)
        total += leaves
        # The depth is abandoned as soon as the sum exceeds the budget.
        if total > budget:
            return ALL
    return total


@inline
def count_by_cost(
    tables: Tables,
    board: Board,
    moves: np.uint64,
    found: np.uint64,
    most: np.uint64,
    budget: np.uint64,
    control: np.uint64,
    counts: np.uint64,
    trial: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Write the number of leaf nodes below each of `found` legal moves; return the depth and the total.

    The depth increases from 1 up to `most` while the total is within the budget. A depth is skipped if extrapolating
    the growth of the previous depth gives more than `TOO_MUCH` times the budget. `trial` is the address of
    `TRIAL_BYTES`.
    """
    for index in range(found):
        store(counts, np.uint64(index), ONE)
    # Without root moves, the total is 0 and no depth is tried.
    depth, before, total = ONE, ONE, found
    while depth < most and total != ZERO and total * total // before <= TOO_MUCH * budget:
        deeper = counts_below(tables, board, moves, found, depth + ONE, budget, control, trial)
        if deeper == ALL:
            break
        for index in range(found):
            store(counts, np.uint64(index), load(trial, np.uint64(index)))
        depth, before, total = depth + ONE, total, deeper
    return depth, total


_LIST = 2 * MAX_MOVES
ORDERED, ROOTS = (np.uint64(place) for place in (_LIST, 2 * _LIST))
"""Offsets in the scratch memory, which starts with the legal moves."""
SCRATCH_BYTES = int(ROOTS) + MARK_BYTES + PLACED_BYTES


@kernel
def write_answers(
    tables: Tables,
    states: np.uint64,
    depths: np.uint64,
    number: np.uint64,
    to_rook: np.uint64,
    keys: np.uint64,
    counts: np.uint64,
    ends: np.uint64,
    totals: np.uint64,
    scratch: np.uint64,
    control: np.uint64,
) -> None:
    """Write the answers for `number` states, each at its own depth of at least 1, as in a `PositionBatch`.

    All arguments except `number` and `to_rook` are addresses. `to_rook` is 1 if the key of a castling move has the
    square of the rook as its target. `scratch` is the address of `SCRATCH_BYTES` zero bytes, `control` that of a
    `Control`.
    """
    start = ZERO
    for place in range(number):
        index = np.uint64(place)
        state, depth = load_state(states, index), load(depths, index)
        found = generate_legal(tables, state.board, scratch)
        ordered, below = scratch + ORDERED, counts + _8 * start
        write_roots(scratch, found, flip_of(state), to_rook, scratch + ROOTS, keys + _2 * start, ordered)
        total = found
        for root in range(found):
            store(below, np.uint64(root), ONE)
        if depth > ONE:
            total = counts_below(tables, state.board, ordered, found, depth, ALL, control, below)
        start += found
        store(ends, index, start)
        store(totals, index, total)
