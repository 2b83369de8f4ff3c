"""Tasks, and the interface of what does them: threads and processes of this machine, or a cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast

from ..model.results.events import Notice

Words = ParamSpec("Words")
Task = TypeVar("Task", contravariant=True)


class Closable(Protocol):
    """Something that a worker keeps for later tasks."""

    def close(self) -> None:
        """Free what it holds. Tasks that use it end."""


T = TypeVar("T", bound=Closable)


ENDED_EARLY = "it was ended early"
"""The failure of a task that was stopped on request or not begun."""


@dataclass(frozen=True)
class Done:
    """The outcome of a task."""

    number: int
    value: Any = None
    failure: str = ""
    """Why there is no value."""
    exit_status: int | None = None
    """The exit status of the process that died while it did the task."""
    error: BaseException | None = None
    """The exception that the task raised: a mistake of the user or an internal error."""


@dataclass(frozen=True)
class Message:
    """A value that a worker sends before its task ends."""

    number: int
    value: Any


Answer = Done | Message | Notice
"""What an executor reports: outcomes and messages of tasks, and lines for the user."""


class WorkerRun:
    """The state of a run in a worker: what its tasks have opened, and how those under way are ended early."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Closable] = {}
        self._opening = threading.Lock()
        self._stops: dict[int, Callable[[], None]] = {}
        self._ended: set[int] = set()
        """The numbers of tasks that were asked to end, whether or not they have got to `stopping`."""
        self.is_over = False
        """Whether all tasks were asked to end, those that have not begun included."""
        self._lock = threading.Lock()

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what is opened once for the run. Raises what `make` raises."""
        with self._opening:
            if key not in self._kept:
                self._kept[key] = make()
            return cast(T, self._kept[key])

    def is_ended(self, number: int) -> bool:
        """Return True if a task was asked to end early."""
        return self.is_over or number in self._ended

    @contextmanager
    def stopping(self, number: int, stop: Callable[[], None]) -> Iterator[None]:
        """Call `stop` if a task is asked to end early before the end of this block, even before its beginning."""
        with self._lock:
            self._stops[number] = stop
            if self.is_ended(number):
                stop()
        try:
            yield
        finally:
            with self._lock:
                del self._stops[number]

    def stop(self, numbers: Iterable[int]) -> None:
        """End tasks early; they return what they have."""
        asked = frozenset(numbers)
        with self._lock:
            self._ended |= asked
            # The lock keeps these tasks from ending meanwhile: what they have used could be in use again.
            for number in asked & self._stops.keys():
                self._stops[number]()

    def stop_all(self) -> None:
        """End all tasks early, those that have not begun included."""
        with self._lock:
            self.is_over = True
            for stop in self._stops.values():
                stop()

    def close(self) -> None:
        """Close what was opened for the run."""
        for one in self._kept.values():
            one.close()


class TaskContext:
    """The worker and the run in which a task is done."""

    def __init__(self, run: WorkerRun, number: int, tell: Callable[[object], None]) -> None:
        """Take the run, the number of the task, and the function that sends messages before the task ends."""
        self.run, self.tell, self._number = run, tell, number

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what is opened once in this worker for the run. Raises what `make` raises."""
        return self.run.keep(key, make)

    def stopping(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        """Return a block in which `stop` is called if the task is asked to end early."""
        return self.run.stopping(self._number, stop)


TaskFunction = Callable[Concatenate[TaskContext, Words], Any]
"""A function that does a task. Its arguments are a context, words that all tasks have in common, and the task.

It must be picklable unless threads call it.
"""


class Executor(Protocol, Generic[Task]):
    """Does tasks, as many at once as its capacity."""

    def capacity(self) -> int:
        """Return how many tasks are done at once; 0 while there is no worker."""

    def submit(self, number: int, task: Task, /) -> None:
        """Have a task done, under a number that was not used before."""

    def receive(self, seconds: float) -> Sequence[Answer]:
        """Return the answers since the last call, waiting at most `seconds` for the first one.

        Raises ClusterError if the scheduler is lost.
        """

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """End tasks early, these or all; they return what they have."""

    def close(self) -> None:
        """End all tasks; their results are lost."""
