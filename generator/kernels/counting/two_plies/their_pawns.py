"""The opponent's pawns: their moves, and how our simple moves block, unblock, offer and withdraw them.

Pinned pawns are not included: no simple move changes their moves.
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
    """Their pawns that are not pinned, by what they do.

    `single` and `double` are the targets of pushes, `left` and `right` the attacked squares. On `blocked` our piece
    blocks a single push; on `blocked_twice` also the double push behind it, which is otherwise free; on `blocked_far`
    only the double push.
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
    """Return what their pawns do when it is their move."""
    loose = sides.board.their_pawns & ~pin_lines(pins)
    down = loose >> _8
    single = down & ~sides.occupied
    # Their pawns move down: a first step from their starting rank, our seventh, ends on the sixth, and only from there
    # the second step follows.
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
    """Return the number of their pawn moves before our move, of pawns that are not pinned."""
    left, right = pawns.left & sides.own, pawns.right & sides.own
    count = popcount(pawns.single) + popcount(pawns.double) + popcount(left) + popcount(right)
    # Each promotion has been counted once, but is four moves.
    return count + _3 * (popcount(pawns.single & RANK_1) + popcount(left & RANK_1) + popcount(right & RANK_1))


@inline
def pawn_arrivals(pawns: TheirPawns, counters: Counters) -> np.uint64:
    """Return the change in their pawn moves caused by the arrivals of all quiet moves (mod 2**64)."""
    taken = sum_counts(counters, pawns.left) + sum_counts(counters, pawns.right)
    # A double push can be blocked on two squares: on the last one, and on the first one, where the single push is lost
    # as well.
    change = taken - sum_counts(counters, pawns.single) - sum_counts(counters, pawns.double | pawns.double << _8)
    if (pawns.single | pawns.left | pawns.right) & RANK_1 != ZERO:
        change += _3 * sum_counts(counters, pawns.left & RANK_1) + _3 * sum_counts(counters, pawns.right & RANK_1)
        change -= _3 * sum_counts(counters, pawns.single & RANK_1)
    return change


@inline
def captures_on(pawns: TheirPawns, squares: np.uint64) -> np.uint64:
    """Return the number of their pawn captures on `squares`, on each of which there is a piece of ours."""
    count = popcount(pawns.left & squares) + popcount(pawns.right & squares)
    return count << _2 if squares & RANK_1 != ZERO else count


@inline
def pawn_departures(pawns: TheirPawns, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return the change in their pawn moves when a piece leaves `origin`, summed over its targets (mod 2**64)."""
    # Most squares that a piece leaves are neither attacked by a pawn nor in front of one.
    touched = pawns.left | pawns.right | pawns.blocked | pawns.blocked_far
    if origin & touched == ZERO:
        return ZERO
    change = ZERO - captures_on(pawns, origin)
    if origin & pawns.blocked != ZERO:
        change += _4 if origin & RANK_1 != ZERO else ONE
    # The double push becomes possible as well, unless the piece has moved to the other one of the two squares.
    if origin & pawns.blocked_twice != ZERO:
        return change * popcount(targets) + popcount(targets & ~(origin >> _8))
    if origin & pawns.blocked_far != ZERO:
        return change * popcount(targets) + popcount(targets & ~(origin << _8))
    return change * popcount(targets)


@inline
def _is_safe(tables: Tables, sides: BoardSides, pushed: np.uint64, taker: np.uint64) -> bool:
    """Return True if their king is safe after `taker` has captured en passant the pawn that has been `pushed`.

    Three squares have changed by then, so all lines to the king are tested.
    """
    board = sides.board
    # `occupied` is the occupancy before the push: the pawn has left its first square, and its last one is empty again.
    after = sides.occupied ^ taker ^ pushed >> _16 ^ pushed >> _8
    attackers = rook_attacks(tables, sides.their_king, after) & board.orthogonals
    attackers |= bishop_attacks(tables, sides.their_king, after) & board.diagonals
    return bool(attackers == ZERO)


@inline
def captures_offered(tables: Tables, sides: BoardSides, doubles: np.uint64) -> np.uint64:
    """Return the number of legal en passant captures after double pushes, none of which gives check."""
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
