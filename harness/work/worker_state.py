"""What a worker process has: who it is, what was opened there for a run, and which tasks are under way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, cast

from ..engines.kinds.own import ALONE, KernelOptions


class Closable(Protocol):
    """What a worker keeps between two tasks of a run."""

    def close(self) -> None:
        """Free what it holds. Tasks that use it end."""


T = TypeVar("T", bound=Closable)


@dataclass(frozen=True, eq=False)
class UnderWay:
    """A task that can be ended early."""

    number: int
    stop: Callable[[], None]
    """Has it deliver what it has."""


@dataclass
class _RunState:
    """What there is of one run."""

    kept: dict[Hashable, Closable] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while something is opened."""
    under_way: set[UnderWay] = field(default_factory=set)
    busy: list[int] = field(default_factory=list)
    """The numbers of the tasks that are carried out."""
    ended: set[int] = field(default_factory=set)
    """Those of them that are to end early: also where they are not yet at what can be stopped."""


@dataclass
class WorkerState:
    """One worker process: this one, or one of a cluster."""

    name: str = ""
    resources: KernelOptions = ALONE
    _runs: dict[str, _RunState] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, run: str, what: Hashable, make: Callable[[], T]) -> T:
        """Return what is opened once for a run. Raises what `make` raises."""
        place = self._run(run)
        with place.lock:
            if what not in place.kept:
                place.kept[what] = make()
            return cast(T, place.kept[what])

    @contextmanager
    def working(self, run: str, number: int) -> Iterator[None]:
        """Do a task of a run in this block."""
        place = self._run(run)
        with self._lock:
            place.busy.append(number)
        try:
            yield
        finally:
            with self._lock:
                place.busy.remove(number)
                place.ended &= set(place.busy)

    @contextmanager
    def stopping(self, run: str, task: UnderWay) -> Iterator[None]:
        """Have a task end early in this block, if that is asked for or its result is not needed, unless it is done."""
        place = self._run(run)
        with self._lock:
            place.under_way.add(task)
            if task.number in place.ended:
                task.stop()
        try:
            yield
        finally:
            with self._lock:
                place.under_way.remove(task)

    def stop(self, run: str, numbers: frozenset[int] | None) -> None:
        """End tasks of a run early, those given or all; they deliver what they have."""
        with self._lock:
            if run in self._runs:
                busy = self._runs[run].busy
                self._runs[run].ended.update(busy if numbers is None else numbers.intersection(busy))
            # None of them ends by itself meanwhile: what it has used may be in use again.
            for task in self._runs[run].under_way if run in self._runs else ():
                if numbers is None or task.number in numbers:
                    task.stop()

    def end(self, run: str) -> None:
        """Close what was opened for a run."""
        with self._lock:
            place = self._runs.pop(run, None)
        if place is not None:
            for one in place.kept.values():
                one.close()

    def end_all(self) -> None:
        """End all runs."""
        for run in list(self._runs):
            self.end(run)

    def _run(self, run: str) -> _RunState:
        with self._lock:
            return self._runs.setdefault(run, _RunState())


WORKER = WorkerState()
"""The state of this process. It is global, for a cluster calls functions and has no objects of ours."""
