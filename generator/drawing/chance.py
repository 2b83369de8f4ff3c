"""How likely the next position shows something new, as Good and Turing estimate it from what was met exactly once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def chance_of_new(times_met: NDArray[np.integer], drawn: int) -> float:
    """Return how likely the next position shows something not met so far; 1.0 before the first position.

    `times_met` says how often each thing (an event, a pair of events) was met in `drawn` positions. The
    chance is estimated as the number of things met exactly once, divided by `drawn` (I. J. Good, 1953, after
    A. M. Turing). A position shows many things, which often come together: the quotient is then the number
    of new things to be expected in it, and as a chance too high. Raises ValueError where `drawn` is negative.
    """
    if drawn < 0:
        raise ValueError(f"the number of positions must not be negative, as {drawn} is")
    singletons = int(np.count_nonzero(np.asarray(times_met) == 1))
    return min(1.0, singletons / drawn) if drawn else 1.0
