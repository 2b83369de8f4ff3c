"""An executor whose workers are threads of this process, and the futures of its tasks."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from ..shutdown import Interrupted
from .executor import ENDED_EARLY, Answer, Done, Message, TaskContext, TaskFunction, WorkerRun


class Futures:
    """The futures of tasks, and a queue of their answers in order of arrival."""

    def __init__(self, outcome_of: Callable[[int, Future[Any]], Done]) -> None:
        """Take a function that converts a task's number and finished future to an outcome."""
        self._outcome_of = outcome_of
        self.under_way: dict[int, Future[Any]] = {}
        """The futures by number, until their outcomes are received."""
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

    def add(self, number: int, future: Future[Any]) -> None:
        """Add the future of a task."""
        self.under_way[number] = future
        future.add_done_callback(lambda ended: self.answers.put(self._outcome_of(number, ended)))

    def receive(self, seconds: float) -> Sequence[Answer]:
        """Return the answers since the last call, waiting at most `seconds` for the first one."""
        found = []
        with suppress(queue.Empty):
            found.append(self.answers.get(timeout=seconds))
            while True:
                found.append(self.answers.get_nowait())
        for one in found:
            if isinstance(one, Done):
                del self.under_way[one.number]
        return found

    def cancel(self, numbers: frozenset[int] | None = None) -> None:
        """Cancel the given tasks, or all if None, unless they have started."""
        for number in list(self.under_way) if numbers is None else numbers & self.under_way.keys():
            self.under_way[number].cancel()


class LocalThreads:
    """Executes tasks in threads, for work that releases the GIL."""

    def __init__(self, threads: int, work: TaskFunction[...], *words: object) -> None:
        """Take the number of threads, and the function that they call with `words` and each task."""
        self._threads, self._work, self._words = threads, work, words
        self._run = WorkerRun()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._futures = Futures(_outcome_of)

    def capacity(self) -> int:
        """Return the number of threads."""
        return self._threads

    def submit(self, number: int, task: object) -> None:
        """Schedule a task."""
        context = TaskContext(self._run, number, lambda value: self._futures.answers.put(Message(number, value)))
        self._futures.add(number, self._pool.submit(self._work, context, *self._words, task))

    def receive(self, seconds: float) -> Sequence[Answer]:
        """Return the answers since the last call."""
        return self._futures.receive(seconds)

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Stop tasks, and cancel those that have not begun."""
        self._futures.cancel(numbers)
        self._run.stop(self._futures.under_way if numbers is None else numbers)

    def close(self) -> None:
        """End the threads and release their resources."""
        self._run.stop_all()
        self._pool.shutdown(cancel_futures=True)
        self._run.close()


def _outcome_of(number: int, ended: Future[Any]) -> Done:
    try:
        return Done(number, ended.result())
    except (Interrupted, CancelledError):
        return Done(number, failure=ENDED_EARLY)
    except BaseException as error:
        return Done(number, error=error)
