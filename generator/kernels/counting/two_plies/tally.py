"""The tally of our moves: the sum of replies, and how many simple quiet moves end on each square.

The 64 counters, one per square, are stored in four bitboards: bit s of each bitboard is a binary digit of the counter
of square s, which ranges from 0 to 15. Counting a set of squares takes a few operations regardless of its size, and
sums over squares are population counts.

If more than 15 moves end on a square, its counter wraps to 0. Such counters are never used: if an opponent's piece sees
the square from one of eight directions, at most seven moves from the other directions and eight knight moves end there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.bits import ONE, ZERO, popcount
from ...machine.jit import inline
from ...pawns import PawnTargets

_2, _3 = (np.uint64(number) for number in (2, 3))


class Counters(NamedTuple):
    """The binary digits of all counters."""

    ones: np.uint64
    twos: np.uint64
    fours: np.uint64
    eights: np.uint64


@inline
def empty_counters() -> Counters:
    """Return counters that are all zero."""
    return Counters(ZERO, ZERO, ZERO, ZERO)


@inline
def count_squares(counters: Counters, squares: np.uint64) -> Counters:
    """Add one to the counter of each of `squares`, modulo 16."""
    # A ripple-carry adder for all squares at once: a digit carries if it was 1 and 1 is added.
    to_twos = counters.ones & squares
    to_fours = counters.twos & to_twos
    to_eights = counters.fours & to_fours
    return Counters(
        counters.ones ^ squares, counters.twos ^ to_twos, counters.fours ^ to_fours, counters.eights ^ to_eights
    )


@inline
def squares_counted(counters: Counters) -> np.uint64:
    """Return the squares with non-zero counters."""
    return counters.ones | counters.twos | counters.fours | counters.eights


@inline
def are_small(counters: Counters) -> bool:
    """Return True if no counter exceeds three, as in most positions."""
    return bool(counters.fours | counters.eights == ZERO)


@inline
def sum_counts(counters: Counters, squares: np.uint64) -> np.uint64:
    """Return the sum of the counters of `squares`."""
    count = popcount(counters.ones & squares) + (popcount(counters.twos & squares) << ONE)
    if are_small(counters):
        return count
    return count + (popcount(counters.fours & squares) << _2) + (popcount(counters.eights & squares) << _3)


@inline
def count_at(counters: Counters, square: np.uint64) -> np.uint64:
    """Return the counter of a square, given by its index."""
    count = (counters.ones >> square & ONE) + ((counters.twos >> square & ONE) << ONE)
    if are_small(counters):
        return count
    return count + ((counters.fours >> square & ONE) << _2) + ((counters.eights >> square & ONE) << _3)


class Tally(NamedTuple):
    """Sums over the moves added so far.

    `counters` counts the targets of simple quiet moves, `origins` contains the origins of all simple moves, and `pawns`
    the targets of simple pawn moves; these three fields do not include promotions. `simple` is the number of simple
    moves. `replies` is the number of replies to moves that are not simple, plus the changes caused by simple moves,
    except those that are computed from the first three fields (modulo 2**64).
    """

    counters: Counters
    origins: np.uint64
    pawns: PawnTargets
    simple: np.uint64
    replies: np.uint64


@inline
def empty_tally() -> Tally:
    """Return an empty tally."""
    return Tally(empty_counters(), ZERO, PawnTargets(ZERO, ZERO, ZERO, ZERO), ZERO, ZERO)


@inline
def add_replies(tally: Tally, replies: np.uint64) -> Tally:
    """Add the number of replies to moves that are not simple; return the new tally."""
    return add_simple(tally, ZERO, replies)


@inline
def add_simple(tally: Tally, number: np.uint64, change: np.uint64) -> Tally:
    """Add simple moves and the change they cause, without updating `counters` and `origins`; return the new tally."""
    return Tally(tally.counters, tally.origins, tally.pawns, tally.simple + number, tally.replies + change)
