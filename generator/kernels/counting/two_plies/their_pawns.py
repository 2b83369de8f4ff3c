"""The opponent's pawns: their moves, and how our simple moves add or remove pushes and captures.

Pinned pawns are not included, because simple moves do not change their moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import NOT_FILE_A, NOT_FILE_H, bishop_attacks, rook_attacks
from ...machine.bits import ONE, ZERO, lowest, popcount, rest
from ...machine.jit import inline
from ...sliders.lookup import Tables
from .position import BoardSides
from .tally import Counters, sum_counts
from .their_king import Pins, pin_lines

_2, _3, _4, _7, _8, _9, _16 = (np.uint64(number) for number in (2, 3, 4, 7, 8, 9, 16))
RANK_1, _RANK_4, _RANK_5, RANK_6 = (np.uint64(0xFF << 8 * rank) for rank in (0, 3, 4, 5))


class TheirPawns(NamedTuple):
    """The moves of their pawns that are not pinned.

    `single` and `double` are the targets of pushes, `left` and `right` the attacked squares. Our pieces block pushes:
    those on `blocked` a single push, those on `blocked_twice` both a single and a double push, and those on
    `blocked_far` only a double push.
    """

    single: np.uint64
    double: np.uint64
    left: np.uint64
    right: np.uint64
    blocked: np.uint64
    blocked_twice: np.uint64
    blocked_far: np.uint64


@inline
def their_pawns(sides: BoardSides, pins: Pins) -> TheirPawns:
    """Return the moves that their pawns would have if it were the opponent's turn."""
    loose = sides.board.their_pawns & ~pin_lines(pins)
    down = loose >> _8
    single = down & ~sides.occupied
    # Their pawns move down: a first step from their starting rank, our seventh, ends on the sixth, where the second
    # step starts.
    second = (single & RANK_6) >> _8
    blocked = down & sides.own
    return TheirPawns(
        single,
        second & ~sides.occupied,
        (loose & NOT_FILE_H) >> _7,
        (loose & NOT_FILE_A) >> _9,
        blocked,
        blocked & RANK_6 & (~sides.occupied & _RANK_5) << _8,
        second & sides.own,
    )


@inline
def pawn_replies(sides: BoardSides, pawns: TheirPawns) -> np.uint64:
    """Return the number of moves of their pawns that are not pinned, before our move."""
    left, right = pawns.left & sides.own, pawns.right & sides.own
    count = popcount(pawns.single | pawns.double | left) + popcount(right)
    # A pawn move to the last rank has been counted once so far, but it is four moves, one per promotion piece.
    return count + _3 * (popcount((pawns.single | left) & RANK_1) + popcount(right & RANK_1))


@inline
def pawn_arrivals(pawns: TheirPawns, counters: Counters) -> np.uint64:
    """Return the change in the number of their pawn moves caused by the targets of all quiet moves (mod 2**64)."""
    taken = sum_counts(counters, pawns.left) + sum_counts(counters, pawns.right)
    # A double push can be blocked on its last square, or on its first square, which blocks the single push as well.
    change = taken - sum_counts(counters, pawns.single) - sum_counts(counters, pawns.double | pawns.double << _8)
    if (pawns.single | pawns.left | pawns.right) & RANK_1 != ZERO:
        change += _3 * sum_counts(counters, pawns.left & RANK_1) + _3 * sum_counts(counters, pawns.right & RANK_1)
        change -= _3 * sum_counts(counters, pawns.single & RANK_1)
    return change


@inline
def captures_on(pawns: TheirPawns, squares: np.uint64) -> np.uint64:
    """Return the number of their pawn captures on `squares`, which are all occupied by our pieces."""
    if (pawns.left | pawns.right) & squares == ZERO:
        return ZERO
    count = popcount(pawns.left & squares) + popcount(pawns.right & squares)
    return count << _2 if squares & RANK_1 != ZERO else count


@inline
def pawn_origins(pawns: TheirPawns) -> np.uint64:
    """Return the squares that one of our pieces cannot leave without changing the moves of their pawns."""
    return pawns.left | pawns.right | pawns.blocked | pawns.blocked_far


@inline
def pawn_departures(pawns: TheirPawns, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return the change in the number of their pawn moves when a piece leaves `origin`, summed over `targets`.

    The change is modulo 2**64.
    """
    # Most origins are neither attacked by a pawn nor in front of one.
    if origin & pawn_origins(pawns) == ZERO:
        return ZERO
    change = ZERO - captures_on(pawns, origin)
    if origin & pawns.blocked != ZERO:
        change += _4 if origin & RANK_1 != ZERO else ONE
    # The double push becomes possible as well, unless the piece has moved to the other of its two squares.
    if origin & pawns.blocked_twice != ZERO:
        return change * popcount(targets) + popcount(targets & ~(origin >> _8))
    if origin & pawns.blocked_far != ZERO:
        return change * popcount(targets) + popcount(targets & ~(origin << _8))
    return change * popcount(targets)


@inline
def _is_safe(tables: Tables, sides: BoardSides, pushed: np.uint64, taker: np.uint64) -> bool:
    """Return True if their king is safe after `taker` has captured the pawn on `pushed` en passant.

    All lines to the king are tested, because three squares have changed.
    """
    board = sides.board
    # `occupied` is the occupancy before the push: the pawn has left its origin, and its target is empty again.
    after = sides.occupied ^ taker ^ pushed >> _16 ^ pushed >> _8
    attackers = rook_attacks(tables, sides.their_king, after) & board.orthogonals
    attackers |= bishop_attacks(tables, sides.their_king, after) & board.diagonals
    return bool(attackers == ZERO)


@inline
def captures_offered(tables: Tables, sides: BoardSides, doubles: np.uint64) -> np.uint64:
    """Return the number of legal en passant captures after double pushes that do not give check."""
    beside, count = sides.board.their_pawns & _RANK_4, ZERO
    left, right = doubles & (beside & NOT_FILE_A) >> ONE, doubles & (beside & NOT_FILE_H) << ONE
    while left != ZERO:
        if _is_safe(tables, sides, lowest(left), lowest(left) << ONE):
            count += ONE
        left = rest(left)
    while right != ZERO:
        if _is_safe(tables, sides, lowest(right), lowest(right) >> ONE):
            count += ONE
        right = rest(right)
    return count
