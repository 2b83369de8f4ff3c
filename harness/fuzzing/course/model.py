"""The course of a run in time, as reports tell it, and what a process has met: events, and pairs of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....generator.drawing.drawn import WORDS

LATEST_SECONDS = 60.0
"""How much of the end of a long run the rates are about; of a shorter run it is the second half."""


@dataclass(frozen=True)
class Course:
    """When a run met what for the first time, and where its CPU time went.

    Times are seconds since the first process was ready to draw positions.
    """

    seconds: float
    """How long positions were drawn."""
    events: tuple[tuple[int, float], ...] = ()
    """The events of the catalogue that were met, and when first, in this order."""
    pairs: tuple[float, ...] = ()
    """When each pair of events was first met in one position, ascending."""
    cpu_seconds: float = 0.0
    """CPU time of the whole program, from its start, and of the processes of all engines."""
    engine_cpu_seconds: float | None = None
    """CPU time of the processes of the engine under test; None where it has none, or the system does not tell."""

    @property
    def latest_seconds(self) -> float:
        """How much of the end of the run the rates are about."""
        return min(LATEST_SECONDS, self.seconds / 2)

    @property
    def new_events_a_minute(self) -> float | None:
        """How many events a minute were met for the first time, at the end of the run; None before it has begun."""
        return self._a_minute([seconds for _, seconds in self.events])

    @property
    def new_pairs_a_minute(self) -> float | None:
        """How many pairs of events a minute were met for the first time, at the end of the run."""
        return self._a_minute(self.pairs)

    @property
    def last_new_event(self) -> float | None:
        """When an event was last met for the first time; None where none was met."""
        return self.events[-1][1] if self.events else None

    @property
    def last_new_pair(self) -> float | None:
        """When a pair of events was last met for the first time; None where none was met."""
        return self.pairs[-1] if self.pairs else None

    @property
    def engine_share(self) -> float | None:
        """The share of the CPU time that was spent inside the engine, from 0 to 1; None where nobody knows."""
        if self.engine_cpu_seconds is None or self.cpu_seconds <= 0:
            return None
        return self.engine_cpu_seconds / self.cpu_seconds

    def _a_minute(self, times: Sequence[float]) -> float | None:
        latest = self.latest_seconds
        return 60 * sum(seconds > self.seconds - latest for seconds in times) / latest if latest > 0 else None


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
