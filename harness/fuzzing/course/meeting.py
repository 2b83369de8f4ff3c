"""What a fuzzing process has met: which events, and which pairs of them in one position."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ....generator.drawing.drawn import WORDS

EVENTS = 64 * WORDS
"""Room for the events of the catalogue, by their numbers."""

Pairs = NDArray[np.bool_]
"""Whether pairs of events were met in one position: row the higher number, column the lower one."""


def none_met() -> Pairs:
    """Return that no pair was met."""
    return np.zeros((EVENTS, EVENTS), dtype=np.bool_)


class PairsMet:
    """The pairs of events of positions that come one at a time."""

    def __init__(self) -> None:
        self._together = none_met()

    def add(self, events: Iterable[int]) -> None:
        """Add the events of one position."""
        numbers = np.fromiter(events, dtype=np.int64)
        self._together[np.ix_(numbers, numbers)] = True

    @property
    def pairs(self) -> Pairs:
        """The pairs met so far."""
        return np.tril(self._together, -1)


class News:
    """What has been met and not been told yet."""

    def __init__(self) -> None:
        self._events: set[int] = set()
        self._pairs = none_met()

    def of(self, events: Iterable[int], pairs: Pairs) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return which of the events and pairs are new; a pair is the number `EVENTS * higher + lower`."""
        new_events = tuple(sorted({*events} - self._events))
        new_pairs = pairs & ~self._pairs
        self._events.update(new_events)
        self._pairs |= pairs
        return new_events, tuple(np.flatnonzero(new_pairs).tolist())
