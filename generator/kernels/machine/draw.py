"""Random draws inside a kernel: a state of 64 bits, never zero, and numbers made of it (xorshift)."""

from __future__ import annotations

import numpy as np

from .bits import ONE, ZERO, multiply
from .jit import inlined

_MIXER = np.uint64(0x2545F4914F6CDD1D)
_7, _13, _17, _20, _32 = (np.uint64(number) for number in (7, 13, 17, 20, 32))


@inlined
def stepped(state: np.uint64) -> np.uint64:
    """Return the next state of the random generator (xorshift, 64 bits, never zero)."""
    state ^= state << _13
    state ^= state >> _7
    return state ^ state << _17


@inlined
def below(state: np.uint64, limit: np.uint64) -> np.uint64:
    """Return a number below `limit` (at most 2**32) drawn from a state."""
    return multiply(multiply(state, _MIXER) >> _32, limit) >> _32


@inlined
def is_drawn(state: np.uint64, one_in: np.uint64) -> bool:
    """Tell whether the position with this random state is in the sample of 1 in `one_in`, a power of two.

    Smaller samples are parts of larger ones.
    """
    return bool(state >> _20 & (one_in - ONE) == ZERO)
