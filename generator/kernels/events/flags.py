"""Events as flags: each has one bit in the low or the high word of a census."""

from __future__ import annotations

import numpy as np

from ..machine.bits import ZERO
from ..machine.jit import inlined
from .catalogue import Event


def flag(event: Event) -> np.uint64:
    """Return the bit of an event in its word; for the constants of kernels."""
    return np.uint64(1 << event % 64)


@inlined
def when(condition: bool | np.bool_, event: np.uint64) -> np.uint64:
    """Return the flag of an event if it is met, else no flag."""
    return event if condition else ZERO
