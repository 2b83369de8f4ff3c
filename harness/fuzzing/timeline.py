"""The timeline of a run: when events and pairs of events first occurred, and how the CPU time was used."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...generator.sampling.position_batch import WORDS

LATEST_SECONDS = 60.0
"""Length of the period at the end of a run for which rates are computed; at most half of the run."""


@dataclass(frozen=True)
class CampaignTimeline:
    """When events first occurred in a run, and how its CPU time was used.

    Times are in seconds since the first process was ready to generate positions.
    """

    seconds: float
    """Duration of the generation of positions."""
    events: tuple[tuple[int, float], ...] = ()
    """The events that occurred and the times of their first occurrence, in chronological order."""
    pairs: tuple[float, ...] = ()
    """The times at which pairs of events first occurred in the same position, in ascending order."""
    cpu_seconds: float = 0.0
    """CPU time of the whole program since it started, including the processes of all engines."""
    engine_cpu_seconds: float | None = None
    """CPU time of the processes of the engine under test; None if it has none or the time is unknown."""

    @property
    def latest_seconds(self) -> float:
        """Length of the period at the end of the run for which the rates are computed."""
        return min(LATEST_SECONDS, self.seconds / 2)

    @property
    def new_events_a_minute(self) -> float | None:
        """New events per minute at the end of the run; None before the timeline starts."""
        return self._a_minute([seconds for _, seconds in self.events])

    @property
    def new_pairs_a_minute(self) -> float | None:
        """New pairs of events per minute at the end of the run; None before the timeline starts."""
        return self._a_minute(self.pairs)

    @property
    def last_new_event(self) -> float | None:
        """Time of the most recent new event; None if no event occurred."""
        return self.events[-1][1] if self.events else None

    @property
    def last_new_pair(self) -> float | None:
        """Time of the most recent new pair of events; None if no pair occurred."""
        return self.pairs[-1] if self.pairs else None

    @property
    def engine_share(self) -> float | None:
        """The share of the CPU time spent in the engine, from 0 to 1; None if unknown."""
        if self.engine_cpu_seconds is None or self.cpu_seconds <= 0:
            return None
        return self.engine_cpu_seconds / self.cpu_seconds

    def _a_minute(self, times: Sequence[float]) -> float | None:
        latest = self.latest_seconds
        return 60 * sum(seconds > self.seconds - latest for seconds in times) / latest if latest > 0 else None


EVENTS = 64 * WORDS
"""Size of arrays that are indexed by event number."""

Pairs = NDArray[np.bool_]
"""Which pairs of events occurred in the same position; the row is the higher event number, the column the lower."""


def no_pairs() -> Pairs:
    """Return an array in which no pair has occurred."""
    return np.zeros((EVENTS, EVENTS), dtype=np.bool_)


class PairRecorder:
    """Records the pairs of events in positions that are added one at a time."""

    def __init__(self) -> None:
        self._together = no_pairs()

    def add(self, events: Iterable[int]) -> None:
        """Add the events of one position."""
        numbers = np.fromiter(events, dtype=np.int64)
        self._together[np.ix_(numbers, numbers)] = True

    @property
    def pairs(self) -> Pairs:
        """The pairs recorded so far."""
        return np.tril(self._together, -1)


class UnreportedEvents:
    """Selects the events and pairs that were not reported before."""

    def __init__(self) -> None:
        self._events: set[int] = set()
        self._pairs = no_pairs()

    def select(self, events: Iterable[int], pairs: Pairs) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the new events and pairs; each pair is encoded as `EVENTS * higher + lower`."""
        new_events = tuple(sorted({*events} - self._events))
        new_pairs = pairs & ~self._pairs
        self._events.update(new_events)
        self._pairs |= pairs
        return new_events, tuple(np.flatnonzero(new_pairs).tolist())


@dataclass(frozen=True)
class EventsMet:
    """A message with the events and pairs that a process has not reported before."""

    events: tuple[int, ...]
    pairs: tuple[int, ...]
    """Pairs of events, encoded as by `UnreportedEvents`."""


@dataclass(frozen=True)
class CpuTime:
    """A message with the CPU time used so far, in seconds."""

    process: int
    """The ID of the process."""
    cpu: float
    """CPU time of this process and its engines."""
    engine: float | None
    """CPU time of the engine under test; None if it has no processes or the time is unknown."""


class TimelineRecorder:
    """Builds a timeline from messages; `clock` returns the time, and `own_cpu` the CPU time of this process."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, own_cpu: Callable[[], float] = time.process_time
    ) -> None:
        self._clock, self._own_cpu = clock, own_cpu
        self._began: float | None = None
        self._ended: float | None = None
        self._events: dict[int, float] = {}
        self._pairs: dict[int, float] = {}
        self._spent: dict[int, CpuTime] = {}
        """The last message from each process."""

    def begin(self) -> None:
        """Start the timeline when the first process is ready; later calls have no effect."""
        self._began = self._clock() if self._began is None else self._began

    def record(self, news: EventsMet | CpuTime) -> None:
        """Record a message from a process."""
        if isinstance(news, CpuTime):
            self._spent[news.process] = news
            return
        for first_seconds, numbers in ((self._events, news.events), (self._pairs, news.pairs)):
            for number in numbers:
                first_seconds.setdefault(number, self._seconds)

    def end(self) -> None:
        """Stop the timeline when no more positions are generated."""
        self._ended = self._clock()

    def timeline(self, among: Collection[int] | None = None) -> CampaignTimeline:
        """Return the timeline so far; `among` selects events."""
        inside = [spent.engine for spent in self._spent.values() if spent.engine is not None]
        return CampaignTimeline(
            seconds=self._seconds,
            events=tuple(one for one in self._events.items() if among is None or one[0] in among),
            pairs=tuple(self._pairs.values()),
            cpu_seconds=self._own_cpu() + sum(spent.cpu for spent in self._spent.values()),
            engine_cpu_seconds=sum(inside) if inside else None,
        )

    @property
    def _seconds(self) -> float:
        if self._began is None:
            return 0.0
        return (self._clock() if self._ended is None else self._ended) - self._began
