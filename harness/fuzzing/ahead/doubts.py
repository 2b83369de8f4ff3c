"""Which of the doubtful answers are examined. An engine with one fault may be wrong in half of all positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

ALL_OF = 16
"""So many doubts of a batch are all examined. Of the others those are that meet an event which none before has met,
and those whose number is a power of two."""


class Doubts:
    """The doubts of one batch."""

    def __init__(self) -> None:
        self.number = 0
        """How many there were."""
        self._met: NDArray[Any] | None = None

    def is_worth_examining(self, events: NDArray[np.uint64]) -> bool:
        """Note a doubt about a position that shows these events; tell whether it is to be examined."""
        self.number += 1
        before = np.zeros_like(events) if self._met is None else self._met
        self._met = before | events
        is_power_of_two = self.number & (self.number - 1) == 0
        return self.number <= ALL_OF or is_power_of_two or bool((events & ~before).any())
