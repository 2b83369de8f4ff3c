"""The interface of executors, which run tasks in threads or processes of this machine or on a cluster."""

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
    """An object that a worker keeps for later tasks."""

    def close(self) -> None:
        """Release its resources. Tasks that use it end."""


T = TypeVar("T", bound=Closable)


ENDED_EARLY = "it was ended early"
"""The failure of a task that was stopped, or canceled before it began."""


@dataclass(frozen=True)
class Done:
    """The outcome of a task."""

    number: int
    value: Any = None
    failure: str = ""
    """Why there is no value."""
    exit_status: int | None = None
    """The exit status of the process if it died while executing the task."""
    error: BaseException | None = None
    """The exception that the task raised: a user error or an internal error."""


@dataclass(frozen=True)
class Message:
    """A value that a worker sends before its task ends."""

    number: int
    value: Any


Answer = Done | Message | Notice
"""What an executor reports: outcomes and messages of tasks, and notices for the user."""


class WorkerRun:
    """The state of a run in a worker: the objects its tasks have opened, and functions that stop running tasks."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Closable] = {}
        self._opening = threading.Lock()
        self._stops: dict[int, Callable[[], None]] = {}
        self._ended: set[int] = set()
        """The numbers of tasks that were asked to stop, even if they have not called `stopping` yet."""
        self.is_over = False
        """Whether all tasks were asked to stop, including those that have not begun."""
        self._lock = threading.Lock()

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the object for a key, which `make` creates once per run. Exceptions of `make` propagate."""
        with self._opening:
            if key not in self._kept:
                self._kept[key] = make()
            return cast(T, self._kept[key])

    def is_ended(self, number: int) -> bool:
        """Return True if a task was asked to stop."""
        return self.is_over or number in self._ended

    @contextmanager
    def stopping(self, number: int, stop: Callable[[], None]) -> Iterator[None]:
        """Call `stop` if the task is asked to stop during this block or has already been asked."""
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
        """Stop tasks; they return partial results."""
        asked = frozenset(numbers)
        with self._lock:
            self._ended |= asked
            # The lock keeps these tasks from ending, so that `stop` cannot affect later tasks with the same objects.
            for number in asked & self._stops.keys():
                self._stops[number]()

    def stop_all(self) -> None:
        """Stop all tasks, including those that have not begun."""
        with self._lock:
            self.is_over = True
            for stop in self._stops.values():
                stop()

    def close(self) -> None:
        """Close all objects opened for the run."""
        for one in self._kept.values():
            one.close()


class TaskContext:
    """The worker and the run in which a task is executed."""

    def __init__(self, run: WorkerRun, number: int, tell: Callable[[object], None]) -> None:
        """Take the run, the number of the task, and a function that sends messages before the task ends."""
        self.run, self.tell, self._number = run, tell, number

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the object for a key, which `make` creates once per worker. Exceptions of `make` propagate."""
        return self.run.keep(key, make)

    def stopping(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        """Return a context manager that calls `stop` if the task is asked to stop."""
        return self.run.stopping(self._number, stop)


TaskFunction = Callable[Concatenate[TaskContext, Words], Any]
"""A function that executes a task. Its arguments are a context, arguments that all tasks share, and the task.

It must be picklable unless it is called in threads.
"""


class Executor(Protocol, Generic[Task]):
    """Executes tasks in parallel, up to its capacity."""

    def capacity(self) -> int:
        """Return the number of tasks that can run in parallel; 0 while there is no worker."""

    def submit(self, number: int, task: Task, /) -> None:
        """Schedule a task under a number that has not been used before."""

    def receive(self, seconds: float) -> Sequence[Answer]:
        """Return the answers since the last call, waiting at most `seconds` for the first one.

        Raises ClusterError if the scheduler is lost.
        """

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Stop the given tasks, or all if None; they return partial results."""

    def close(self) -> None:
        """Stop all tasks and discard their results."""
