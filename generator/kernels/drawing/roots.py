"""The root moves of a position in ascending order of their keys, as engines' answers are compared with them.

The moves are sorted by marking: one word for each target square with a bit for each origin, and one
more for each target of promotions. Read in ascending order, the bits are the sorted keys.
"""

from __future__ import annotations

import numpy as np

from ..castling import king_target
from ..encoding import CASTLING, KIND_MASK, PROMOTION, PROMOTION_MASK, QUEEN, bit, origin_of, target_of
from ..machine.bits import ONE, ZERO, load, load16, lsb, rest, store, store16
from ..machine.jit import inlined

MARK_BYTES = 8 * 128
"""One word for each target square, of promotions apart."""
PLACED_BYTES = 2 * 4096
"""The move of each pair of squares."""
_5, _6, _12 = np.uint64(5), np.uint64(6), np.uint64(12)


@inlined
def _mark(marks: np.uint64, place: np.uint64, origin: np.uint64) -> None:
    store(marks, place, load(marks, place) | bit(origin))


@inlined
def _put_marked(
    marks: np.uint64,
    placed: np.uint64,
    target: np.uint64,
    piece: np.uint64,
    keys: np.uint64,
    ordered: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Append the marked moves to one target, as key and as move; `piece` is that of a promotion, 1 to 4, or 0."""
    origins = load(marks, target)
    while origins != ZERO:
        squares = lsb(origins) | target << _6
        move = load16(placed, squares)
        # Of a promotion, the one to a queen is kept: the others differ from it in two bits.
        store16(ordered, count, move if piece == ZERO else move & ~PROMOTION_MASK | piece - ONE << _12)
        store16(keys, count, squares | piece << _12)
        count += ONE
        origins = rest(origins)
    return count


@inlined
def write_roots(
    moves: np.uint64,
    found: np.uint64,
    flip: np.uint64,
    to_rook: np.uint64,
    scratch: np.uint64,
    keys: np.uint64,
    ordered: np.uint64,
) -> None:
    """Write the keys of `found` legal moves at address `moves` in ascending order, and the moves in the same order.

    `flip` turns squares into those that White sees. `to_rook` is 1 if the key of castling has the
    rook as its target, 0 for the king's. `scratch` is the address of `MARK_BYTES`, all zero, and so again
    afterwards, and of `PLACED_BYTES` behind them.
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
        else:
            continue
        store16(placed, origin | target << _6, move)
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
