"""64 counters in four words, one for each square: how many simple quiet moves end there.

Bit s of the four words together is the number of square s, from 0 to 15. A set of squares is counted with a
few operations, whatever its size, and sums over squares are popcounts.

More than 15 moves may end on a square, and its counter then begins anew. Nobody asks for it: where a piece of
theirs looks at a square, it does so from one of eight directions, and ours come from seven and by eight knight's moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.bits import ONE, ZERO, popcount
from ...machine.jit import inlined

_2, _3 = np.uint64(2), np.uint64(3)


class Counters(NamedTuple):
    """The binary digits of all counters."""

    ones: np.uint64
    twos: np.uint64
    fours: np.uint64
    eights: np.uint64


@inlined
def no_counts() -> Counters:
    """Return counters that are all zero."""
    return Counters(ZERO, ZERO, ZERO, ZERO)


@inlined
def counted(counters: Counters, squares: np.uint64) -> Counters:
    """Add one to the counter of each of `squares`; 15 and one are 0."""
    to_twos = counters.ones & squares
    to_fours = counters.twos & to_twos
    to_eights = counters.fours & to_fours
    return Counters(
        counters.ones ^ squares, counters.twos ^ to_twos, counters.fours ^ to_fours, counters.eights ^ to_eights
    )


@inlined
def some(counters: Counters) -> np.uint64:
    """Return the squares whose counters are not zero."""
    return counters.ones | counters.twos | counters.fours | counters.eights


@inlined
def total(counters: Counters, squares: np.uint64) -> np.uint64:
    """Return the sum of the counters of `squares`."""
    count = popcount(counters.ones & squares) + (popcount(counters.twos & squares) << ONE)
    return count + (popcount(counters.fours & squares) << _2) + (popcount(counters.eights & squares) << _3)


@inlined
def number_at(counters: Counters, square: np.uint64) -> np.uint64:
    """Return the counter of one square, by its index."""
    count = (counters.ones >> square & ONE) + ((counters.twos >> square & ONE) << ONE)
    return count + ((counters.fours >> square & ONE) << _2) + ((counters.eights >> square & ONE) << _3)
