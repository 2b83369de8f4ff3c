"""Ask an engine in a worker thread, so that the asking thread can show progress and be interrupted."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

from ..model.interrupt import Interrupt
from .task import Task

T = TypeVar("T")

POLL_SECONDS = 0.1


class Interrupted(Exception):
    """The user ended the program while an engine was counting."""


class _Job(Generic[T]):
    """One call and its outcome."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._outcome: T | None = None
        self._error: BaseException | None = None
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self._outcome = self._call()
        except BaseException as error:
            self._error = error
        self.done.set()

    def result(self) -> T:
        if self._error is not None:
            raise self._error
        return self._outcome  # type: ignore[return-value]  # set by run, and T may be Optional itself


class Worker:
    """A daemon thread that runs one call after another.

    A daemon, because a call that does not react to being stopped (the compiler, say) must not keep
    the program from ending.
    """

    def __init__(self) -> None:
        self.task = Task()
        """The task that is, or was last, under way."""
        self._jobs: queue.SimpleQueue[_Job[Any]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, daemon=True, name="engine calls")
        self._thread.start()

    def _work(self) -> None:
        while True:
            self._jobs.get().run()

    def ask(
        self, call: Callable[[Task], T], interrupt: Interrupt, seconds: float | None = None
    ) -> Generator[Task, None, T]:
        """Run `call`, yielding its task several times a second; return its result or raise its error.

        The task has to be done within `seconds`, if given. Raises Interrupted as soon as the user
        asks for it, without waiting for the call to notice.
        """
        self.task = task = Task(seconds)
        job = _Job(lambda: call(task))
        self._jobs.put(job)
        while not job.done.wait(POLL_SECONDS):
            if interrupt.requested:
                task.stop()
                job.done.wait(POLL_SECONDS)
                raise Interrupted
            yield task
        if interrupt.requested:
            raise Interrupted
        return job.result()

    def ask_quietly(self, call: Callable[[Task], T], interrupt: Interrupt, seconds: float | None = None) -> T:
        """Run `call` and return its result, for commands that show no progress. Raises Interrupted."""
        asking = self.ask(call, interrupt, seconds)
        while True:
            try:
                next(asking)
            except StopIteration as stop:
                result: T = stop.value
                return result
