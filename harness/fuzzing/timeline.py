"""The timeline of a run: when rare events first occurred, and how the CPU time was used."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

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
        latest = self.latest_seconds
        new = sum(seconds > self.seconds - latest for _, seconds in self.events)
        return 60 * new / latest if latest > 0 else None

    @property
    def last_new_event(self) -> float | None:
        """Time of the most recent new event; None if no event occurred."""
        return self.events[-1][1] if self.events else None

    @property
    def engine_share(self) -> float | None:
        """The share of the CPU time spent in the engine, from 0 to 1; None if unknown."""
        if self.engine_cpu_seconds is None or self.cpu_seconds <= 0:
            return None
        return self.engine_cpu_seconds / self.cpu_seconds


@dataclass(frozen=True)
class EventsMet:
    """A message with the events that a process has not reported before."""

    events: tuple[int, ...]


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
        for event in news.events:
            self._events.setdefault(event, self._seconds)

    def end(self) -> None:
        """Stop the timeline when no more positions are generated."""
        self._ended = self._clock()

    def timeline(self, among: Collection[int] | None = None) -> CampaignTimeline:
        """Return the timeline so far; `among` selects events."""
        inside = [spent.engine for spent in self._spent.values() if spent.engine is not None]
        return CampaignTimeline(
            seconds=self._seconds,
            events=tuple(one for one in self._events.items() if among is None or one[0] in among),
            cpu_seconds=self._own_cpu() + sum(spent.cpu for spent in self._spent.values()),
            engine_cpu_seconds=sum(inside) if inside else None,
        )

    @property
    def _seconds(self) -> float:
        if self._began is None:
            return 0.0
        return (self._clock() if self._ended is None else self._ended) - self._began
