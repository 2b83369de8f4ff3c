"""Random numbers in kernels: the xorshift generator with a 64-bit state, which is never zero."""

from __future__ import annotations

import numpy as np

from .bits import ONE, ZERO, multiply
from .jit import inline

_MIXER = np.uint64(0x2545F4914F6CDD1D)
_7, _13, _17, _20, _32 = (np.uint64(number) for number in (7, 13, 17, 20, 32))


@inline
def next_state(state: np.uint64) -> np.uint64:
    """Return the next state of the generator, which is never zero."""
    # With Marsaglia's shifts 13, 7 and 17, the period is 2**64 - 1: all states except 0, which would remain 0.
    state ^= state << _13
    state ^= state >> _7
    return state ^ state << _17


@inline
def random_below(state: np.uint64, limit: np.uint64) -> np.uint64:
    """Return a random number below `limit` (at most 2**32), derived from a state."""
    # The lower bits of a state are weak; the multiplication mixes them into the upper half of the product (xorshift*).
    # Multiplying this half by the limit gives a uniform number below the limit without a division.
    return multiply(multiply(state, _MIXER) >> _32, limit) >> _32


@inline
def is_sampled(state: np.uint64, one_in: np.uint64) -> bool:
    """Return True if a position with this random state belongs to a sample of 1 in `one_in`, a power of two.

    Smaller samples are subsets of larger ones.
    """
    # A larger sample requires fewer bits to be 0, so it includes each smaller one.
    return bool(state >> _20 & (one_in - ONE) == ZERO)
