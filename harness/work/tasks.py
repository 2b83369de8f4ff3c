"""Tasks of worker processes: their outcomes, and the context in which they run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

Words = ParamSpec("Words")


class Closable(Protocol):
    """An object that a worker keeps for later tasks."""

    def close(self) -> None:
        """Release the object's resources. Tasks that use the object end."""


T = TypeVar("T", bound=Closable)


ENDED_EARLY = "it was ended early"
"""The failure of a task that was stopped, or canceled before it began."""


@dataclass(frozen=True)
class Done:
    """The outcome of a task."""

    number: int
    value: Any = None
    failure: str = ""
    """The reason why there is no value, or ""."""
    exit_status: int | None = None
    """The exit status of the process if it died while executing the task."""
    error: BaseException | None = None
    """The exception that the task raised: a user error or an internal error."""


@dataclass(frozen=True)
class Message:
    """A value that a worker sends before its task ends."""

    number: int
    value: Any


Answer = Done | Message
"""The objects that a worker process sends."""


class TaskContext:
    """The context of a worker process's tasks: the objects that they have opened, and how to stop the current task."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._kept: dict[Hashable, Closable] = {}
        self._number = 0
        """The number of the current task."""
        self._stop: Callable[[], None] | None = None
        """A function that stops the current task."""
        self._ended: set[int] = set()
        """The numbers of tasks that were asked to stop, even if they have not called `stopping` yet."""
        self.is_over = False
        """Whether all tasks were asked to stop, including those that have not begun."""
        self._lock = threading.Lock()

    def tell(self, value: object) -> None:
        """Send a value before the task ends."""
        self._send(Message(self._number, value))

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the object for a key, which `make` creates once per process. Exceptions of `make` propagate."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast(T, self._kept[key])

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Call `stop` if the task is asked to stop during this block or has already been asked."""
        with self._lock:
            self._stop = stop
            if self._is_ended:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stop = None

    @property
    def _is_ended(self) -> bool:
        return self.is_over or self._number in self._ended

    def begin(self, number: int) -> bool:
        """Begin a task. Return False if it was asked to stop before."""
        with self._lock:
            self._number = number
            return not self._is_ended

    def stop(self, number: int) -> None:
        """Stop a task, which returns a partial result."""
        with self._lock:  # it keeps the task from ending, so that `stop` cannot affect the next task
            self._ended.add(number)
            if self._is_ended and self._stop is not None:
                self._stop()

    def stop_all(self) -> None:
        """Stop all tasks, including those that have not begun."""
        with self._lock:
            self.is_over = True
            if self._stop is not None:
                self._stop()

    def close(self) -> None:
        """Close all objects that tasks have opened."""
        for one in self._kept.values():
            one.close()


TaskFunction = Callable[Concatenate[TaskContext, Words], Any]
"""A picklable function that executes a task. Its arguments are a context, arguments that all tasks share, and the task.
"""
