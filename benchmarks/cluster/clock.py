"""Simulated time: what is to happen, in its order."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count


class EventClock:
    """Has things happen at their time, those of one time as they were asked for."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[..., object], tuple[object, ...]]] = []
        self._ticks = count()

    def after(self, seconds: float, happen: Callable[..., object], *arguments: object) -> None:
        """Have something happen in so many seconds."""
        heapq.heappush(self._events, (self.now + seconds, next(self._ticks), happen, arguments))

    def go_on(self) -> None:
        """Have the next thing happen."""
        self.now, _, happen, arguments = heapq.heappop(self._events)
        happen(*arguments)
