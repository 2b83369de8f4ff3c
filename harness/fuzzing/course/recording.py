"""The course of a run as its processes tell it, piece by piece."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable

from ..processes.messages import Answer, Met, Spent, Started
from .model import Course


class CourseKeeper:
    """What is known of the course so far. `clock` and `own_cpu` return seconds: of time, of CPU of this process."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, own_cpu: Callable[[], float] = time.process_time
    ) -> None:
        self._clock, self._own_cpu = clock, own_cpu
        self._began: float | None = None
        self._ended: float | None = None
        self._events: dict[int, float] = {}
        self._pairs: dict[int, float] = {}
        self._spent: dict[int, Spent] = {}
        """The last that each process has told."""

    def take(self, answer: Answer) -> None:
        """Note what an answer says about the course. Positions are drawn from the first `Started` on."""
        match answer:
            case Started() if self._began is None:
                self._began = self._clock()
            case Met():
                _note(self._events, answer.events, self._seconds)
                _note(self._pairs, answer.pairs, self._seconds)
            case Spent():
                self._spent[answer.process] = answer

    def end(self) -> None:
        """Note that no more positions are drawn."""
        self._ended = self._clock()

    def course(self, among: Collection[int] | None = None) -> Course:
        """Return the course so far; of events only those `among` the ones given, if they are."""
        inside = [spent.engine for spent in self._spent.values() if spent.engine is not None]
        return Course(
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


def _note(first: dict[int, float], met: Iterable[int], seconds: float) -> None:
    """Note things as met at a time, unless they were met before."""
    for thing in met:
        first.setdefault(thing, seconds)
