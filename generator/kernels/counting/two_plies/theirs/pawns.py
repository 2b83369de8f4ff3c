"""Their pawns: where they go when it is their move, and what our simple moves block, unblock, offer and withdraw.

Pawns that are pinned are apart: no simple move changes what they can do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import NOT_FILE_A, NOT_FILE_H
from ....machine.bits import ONE, ZERO, popcount
from ....machine.jit import inlined
from ..counters import Counters, total
from ..scene import Scene
from .pins import Pins, pin_lines

RANK_1, RANK_5, RANK_6 = (np.uint64(0xFF << 8 * rank) for rank in (0, 4, 5))
_2, _3, _4, _7, _8, _9 = (np.uint64(number) for number in (2, 3, 4, 7, 8, 9))


class TheirPawns(NamedTuple):
    """Their pawns that are not pinned, by what they do.

    `single` and `double` are where they push, `left` and `right` what they attack. On `blocked` a piece of ours
    stops a push; on `blocked_twice` also the double push behind it, which is free; on `blocked_far` that alone.
    """

    single: np.uint64
    double: np.uint64
    left: np.uint64
    right: np.uint64
    blocked: np.uint64
    blocked_twice: np.uint64
    blocked_far: np.uint64


@inlined
def their_pawns(scene: Scene, pins: Pins) -> TheirPawns:
    """Return what their pawns do when it is their move."""
    loose = scene.board.their_pawns & ~pin_lines(pins)
    down = loose >> _8
    single = down & ~scene.occupied
    second = (single & RANK_6) >> _8
    blocked = down & scene.own
    return TheirPawns(
        single,
        second & ~scene.occupied,
        (loose & NOT_FILE_H) >> _7,
        (loose & NOT_FILE_A) >> _9,
        blocked,
        blocked & RANK_6 & (~scene.occupied & RANK_5) << _8,
        second & scene.own,
    )


@inlined
def pawn_replies(scene: Scene, pawns: TheirPawns) -> np.uint64:
    """Return the number of their pawn moves before we move, of pawns that are not pinned."""
    left, right = pawns.left & scene.own, pawns.right & scene.own
    count = popcount(pawns.single) + popcount(pawns.double) + popcount(left) + popcount(right)
    return count + _3 * (popcount(pawns.single & RANK_1) + popcount(left & RANK_1) + popcount(right & RANK_1))


@inlined
def pawn_arrivals(pawns: TheirPawns, counters: Counters) -> np.uint64:
    """Return what the arrivals of all quiet moves change for their pawns (modulo 2**64)."""
    taken = total(counters, pawns.left) + total(counters, pawns.right)
    change = taken - total(counters, pawns.single) - total(counters, pawns.double | pawns.double << _8)
    if (pawns.single | pawns.left | pawns.right) & RANK_1 != ZERO:
        change += _3 * total(counters, pawns.left & RANK_1) + _3 * total(counters, pawns.right & RANK_1)
        change -= _3 * total(counters, pawns.single & RANK_1)
    return change


@inlined
def offered(pawns: TheirPawns, squares: np.uint64) -> np.uint64:
    """Return the number of their pawn captures on `squares`, of which each has a piece of ours."""
    count = popcount(pawns.left & squares) + popcount(pawns.right & squares)
    return count << _2 if squares & RANK_1 != ZERO else count


@inlined
def pawn_departures(pawns: TheirPawns, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return what it changes for their pawns that a piece leaves `origin`, summed over its targets (modulo 2**64)."""
    touched = pawns.left | pawns.right | pawns.blocked | pawns.blocked_far
    if origin & touched == ZERO:
        return ZERO
    change = ZERO - offered(pawns, origin)
    if origin & pawns.blocked != ZERO:
        change += _4 if origin & RANK_1 != ZERO else ONE
    # The double push comes with it, unless the piece has gone to the other one of the two squares.
    if origin & pawns.blocked_twice != ZERO:
        return change * popcount(targets) + popcount(targets & ~(origin >> _8))
    if origin & pawns.blocked_far != ZERO:
        return change * popcount(targets) + popcount(targets & ~(origin << _8))
    return change * popcount(targets)
