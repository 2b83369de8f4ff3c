"""The timeline of a run, as its processes report it, and what a process has met: events, and pairs of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...generator.sampling.position_batch import WORDS

LATEST_SECONDS = 60.0
"""How much of the end of a long run the rates are about; of a shorter run it is the second half."""


@dataclass(frozen=True)
class CampaignTimeline:
    """When a run met what for the first time, and where its CPU time went.

    Times are seconds since the first process was ready to draw positions.
    """

    seconds: float
    """How long positions were generated."""
    events: tuple[tuple[int, float], ...] = ()
    """The events of the catalogue that were met, and when first, in this order."""
    pairs: tuple[float, ...] = ()
    """When each pair of events was first met in one position, ascending."""
    cpu_seconds: float = 0.0
    """CPU time of the whole program, from its start, and of the processes of all engines."""
    engine_cpu_seconds: float | None = None
    """CPU time of the processes of the engine under test; None if it has none, or the system does not report it."""

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
        """When an event was last met for the first time; None if none was met."""
        return self.events[-1][1] if self.events else None

    @property
    def last_new_pair(self) -> float | None:
        """When a pair of events was last met for the first time; None if none was met."""
        return self.pairs[-1] if self.pairs else None

    @property
    def engine_share(self) -> float | None:
        """The share of the CPU time that was spent inside the engine, from 0 to 1; None if it is unknown."""
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


def no_pairs() -> Pairs:
    """Return that no pair was met."""
    return np.zeros((EVENTS, EVENTS), dtype=np.bool_)


class PairRecorder:
    """The pairs of events of positions that come one at a time."""

    def __init__(self) -> None:
        self._together = no_pairs()

    def add(self, events: Iterable[int]) -> None:
        """Add the events of one position."""
        numbers = np.fromiter(events, dtype=np.int64)
        self._together[np.ix_(numbers, numbers)] = True

    @property
    def pairs(self) -> Pairs:
        """The pairs met so far."""
        return np.tril(self._together, -1)


class UnreportedEvents:
    """What was met and is not reported yet."""

    def __init__(self) -> None:
        self._events: set[int] = set()
        self._pairs = no_pairs()

    def of(self, events: Iterable[int], pairs: Pairs) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return which of the events and pairs are new; a pair is the number `EVENTS * higher + lower`."""
        new_events = tuple(sorted({*events} - self._events))
        new_pairs = pairs & ~self._pairs
        self._events.update(new_events)
        self._pairs |= pairs
        return new_events, tuple(np.flatnonzero(new_pairs).tolist())


@dataclass(frozen=True)
class EventsMet:
    """What a process has met and not reported before."""

    events: tuple[int, ...]
    pairs: tuple[int, ...]
    """Pairs of events met in one position, as `UnreportedEvents` numbers them."""


@dataclass(frozen=True)
class CpuTime:
    """The seconds of CPU used so far."""

    process: int
    """The number of the process."""
    cpu: float
    """What this process and the engines that it asks have used."""
    engine: float | None
    """The part of the engine under test; None if it has no processes, or the system does not report it."""


class TimelineRecorder:
    """What is known of the timeline so far. `clock` and `own_cpu` return seconds: of time, of CPU of this process."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, own_cpu: Callable[[], float] = time.process_time
    ) -> None:
        self._clock, self._own_cpu = clock, own_cpu
        self._began: float | None = None
        self._ended: float | None = None
        self._events: dict[int, float] = {}
        self._pairs: dict[int, float] = {}
        self._spent: dict[int, CpuTime] = {}
        """The last that each process has reported."""

    def begin(self) -> None:
        """Note that a process is ready. Positions are generated from the first one on."""
        self._began = self._clock() if self._began is None else self._began

    def take(self, news: EventsMet | CpuTime) -> None:
        """Note what a process reports."""
        if isinstance(news, CpuTime):
            self._spent[news.process] = news
            return
        for first, things in ((self._events, news.events), (self._pairs, news.pairs)):
            for thing in things:
                first.setdefault(thing, self._seconds)

    def end(self) -> None:
        """Note that no more positions are generated."""
        self._ended = self._clock()

    def timeline(self, among: Collection[int] | None = None) -> CampaignTimeline:
        """Return the timeline so far; of events only those `among` the ones given, if they are."""
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
