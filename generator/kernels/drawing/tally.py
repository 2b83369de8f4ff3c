"""How many positions of a block show each event."""

from __future__ import annotations

import numpy as np

from ..machine.bits import ONE, ZERO, load, lsb, rest, store
from ..machine.jit import kernel

_6 = np.uint64(6)


@kernel
def tally(events: np.uint64, number: np.uint64, times: np.uint64) -> None:
    """Add to word i at address `times` how many of so many positions show event i.

    `events` is the address of two words for each position, as `Drawn.events` has them. Callable from Python.
    """
    for index in range(number << ONE):
        word, first = load(events, np.uint64(index)), (np.uint64(index) & ONE) << _6
        while word != ZERO:
            event = first + lsb(word)
            store(times, event, load(times, event) + ONE)
            word = rest(word)
