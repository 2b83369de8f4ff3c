"""Things of which each task of a run uses one, such as engines and processes; the next task uses them again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic

from .station import T


class Reused(Generic[T]):
    """All of one kind in this worker."""

    def __init__(self, make: Callable[[], T], stop: Callable[[T], None]) -> None:
        """Take what makes one, and what ends what it does."""
        self._make, self._stop = make, stop
        self._idle: list[T] = []
        self._busy: list[T] = []
        self._lock = threading.Lock()
        self._is_closed = False

    @contextmanager
    def taken(self) -> Iterator[T]:
        """Use one in this block; where that raises, it is closed. Raises what `make` raises."""
        with self._lock:  # one is made at a time: a process that is started changes the environment for a moment
            one = self._idle.pop() if self._idle else self._make()
            self._busy.append(one)
        is_good = False
        try:
            yield one
            is_good = True
        finally:
            with self._lock:
                self._busy.remove(one)
                is_good = is_good and not self._is_closed
                if is_good:
                    self._idle.append(one)
            if not is_good:
                one.close()

    def close(self) -> None:
        """Close those that are idle, and end what the others do, which are closed then."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            busy = list(self._busy)
        for one in busy:
            self._stop(one)
        for one in idle:
            one.close()
