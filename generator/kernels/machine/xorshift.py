"""Random numbers in kernels: the xorshift generator with a state of 64 bits, which is never zero."""

from __future__ import annotations

import numpy as np

from .bits import ONE, ZERO, multiply
from .jit import inline

_MIXER = np.uint64(0x2545F4914F6CDD1D)
_7, _13, _17, _20, _32 = (np.uint64(number) for number in (7, 13, 17, 20, 32))


@inline
def next_state(state: np.uint64) -> np.uint64:
    """Return the next state of the generator (xorshift with 64 bits, never zero)."""
    # With Marsaglia's shifts 13, 7, 17 the period is 2**64 - 1: all states except 0, which would stay 0.
    state ^= state << _13
    state ^= state >> _7
    return state ^ state << _17


@inline
def random_below(state: np.uint64, limit: np.uint64) -> np.uint64:
    """Return a random number below `limit` (at most 2**32), derived from a state."""
    # The lower bits of a state are weak; a product mixes them into its upper half (xorshift*). The upper half, times
    # the limit, gives a uniform number below the limit in its upper half, without a division.
    return multiply(multiply(state, _MIXER) >> _32, limit) >> _32


@inline
def is_sampled(state: np.uint64, one_in: np.uint64) -> bool:
    """Return True if a position with this random state belongs to a sample of 1 in `one_in`, a power of two.

    Smaller samples are subsets of larger ones.
    """
    # A larger sample requires fewer bits to be 0, so it includes each smaller one.
    return bool(state >> _20 & (one_in - ONE) == ZERO)
