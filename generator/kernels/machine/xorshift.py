"""Random draws inside a kernel: a state of 64 bits, never zero, and numbers made of it (xorshift)."""

from __future__ import annotations

import numpy as np

from .bits import ONE, ZERO, multiply
from .jit import inline

_MIXER = np.uint64(0x2545F4914F6CDD1D)
_7, _13, _17, _20, _32 = (np.uint64(number) for number in (7, 13, 17, 20, 32))


@inline
def next_state(state: np.uint64) -> np.uint64:
    """Return the next state of the random generator (xorshift, 64 bits, never zero)."""
    # Marsaglia's shifts 13, 7, 17 lead through all 2**64 - 1 states before one is repeated; 0 would stay 0.
    state ^= state << _13
    state ^= state >> _7
    return state ^ state << _17


@inline
def random_below(state: np.uint64, limit: np.uint64) -> np.uint64:
    """Return a number below `limit` (at most 2**32) drawn from a state."""
    # The lower bits of a state are weak; a product mixes them into its upper half (xorshift*). The upper half of that
    # times the limit is below the limit, evenly, without a division.
    return multiply(multiply(state, _MIXER) >> _32, limit) >> _32


@inline
def is_sampled(state: np.uint64, one_in: np.uint64) -> bool:
    """Return True if the position with this random state is in the sample of 1 in `one_in`, a power of two.

    Smaller samples are parts of larger ones.
    """
    # Fewer bits have to be 0 for a larger sample: what is in a sample is in each larger one.
    return bool(state >> _20 & (one_in - ONE) == ZERO)
