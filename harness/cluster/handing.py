"""Handing out things to be done to all threads of a cluster, at the end those again that take long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .client import Cluster, Done
from .remote import Message, Work

SLOW = 4
"""What takes so many times as long as others is handed out again, once there is nothing else."""
SLOW_SECONDS = 10.0
"""... if it has been out for so long."""
UNKNOWN_SECONDS = 60.0
"""... or for so long, as long as nothing is done and it is not known how long it takes."""
WEIGHT = 0.2
"""Of the latest in the mean."""

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Out(Generic[T]):
    """Something that is handed out."""

    thing: T
    since: float


class Handing(Generic[T]):
    """Hands out things of one kind, each a task; of one that is out twice the first result counts."""

    def __init__(self, cluster: Cluster, work: Work[...], *words: object) -> None:
        """Take a cluster, what it does, and with which words; the last one is the thing."""
        self.cluster, self._work, self._words = cluster, work, words
        self._out: dict[int, Out[T]] = {}
        self._kept: T | None = None
        """What goes out first once somebody is there."""
        self._number = 0
        self._mean: float | None = None
        """Seconds that one takes."""

    @property
    def is_busy(self) -> bool:
        """Whether anything is out, or waits for somebody who does it."""
        return bool(self._out) or self._kept is not None

    def out(self) -> dict[int, T]:
        """Return what is out, by the numbers of its tasks."""
        return {number: out.thing for number, out in self._out.items()}

    def things(self) -> list[T]:
        """Return what is out, or waits for somebody who does it."""
        return [*self.out().values(), *([] if self._kept is None else [self._kept])]

    def forget_kept(self) -> None:
        """Do not hand out what waits for somebody."""
        self._kept = None

    def give(self, next_thing: Callable[[], T | None], ahead: int = 1) -> None:
        """Hand out things until each thread has `ahead` of them, or there are no more."""
        slow = [out for out in self._out.values() if self._is_slow(out)]
        most = ahead * self.cluster.capacity()
        # Whoever has what is slow may hang: it takes nobody's place. All of it may only wait, though, for its turn.
        while len(self._out) - min(len(slow), most) < most:
            thing = self._next(next_thing)
            if thing is None:
                self._give_again(slow)
                return
            self._give(thing)
        if not most:
            self._kept = self._next(next_thing)

    def _next(self, next_thing: Callable[[], T | None]) -> T | None:
        kept, self._kept = self._kept, None
        return next_thing() if kept is None else kept

    def _give(self, thing: T) -> None:
        self._number += 1
        self._out[self._number] = Out(thing, time.monotonic())
        self.cluster.submit(self._number, self._work, *self._words, thing)

    def _is_slow(self, out: Out[T]) -> bool:
        patience = UNKNOWN_SECONDS if self._mean is None else max(SLOW_SECONDS, SLOW * self._mean)
        return time.monotonic() - out.since > patience

    def _give_again(self, slow: list[Out[T]]) -> None:
        """Hand out again what is slow, as long as somebody is idle, unless that was done and is not slow yet."""
        quick = [out.thing for out in self._out.values() if out not in slow]
        idle = self.cluster.capacity() - len(quick)
        left = [out.thing for out in slow if not any(out.thing is other for other in quick)]
        for thing in list({id(thing): thing for thing in left}.values())[: max(0, idle)]:
            self._give(thing)

    def done(self, seconds: float) -> Iterator[tuple[T, Done]]:
        """Yield what is done, waiting so long for the first. Raises ClusterError where all workers were refused."""
        for one in self.cluster.done(seconds):
            if (out := self._out.pop(one.number, None)) is None:
                continue
            taken = time.monotonic() - out.since
            self._mean = taken if self._mean is None else (1 - WEIGHT) * self._mean + WEIGHT * taken
            self._take_back(out.thing)
            yield out.thing, one

    def _take_back(self, thing: T) -> None:
        for number in [number for number, out in self._out.items() if out.thing is thing]:
            del self._out[number]
            self.cluster.take_back(number)

    def messages(self) -> list[Message]:
        """Return what workers have told of what is out."""
        return [message for message in self.cluster.messages() if message.number in self._out]


def value_of(done: Done, failed: Callable[[str], Exception]) -> Any:
    """Return what was done. Raises what `failed` makes of a failure."""
    if done.failure:
        raise failed(f"a worker could not do its work: {done.failure}")
    return done.value
