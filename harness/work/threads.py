"""Tasks as futures of `concurrent.futures`, and an executor whose workers are threads of this process."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from ..model.shutdown import Interrupted
from .executor import ENDED_EARLY, Done, Message, TaskContext, TaskFunction, WorkerRun


class Futures:
    """Tasks under way, and those that have ended, in the order in which they ended."""

    def __init__(self) -> None:
        self.under_way: dict[int, Future[Any]] = {}
        """By number, until they are received."""
        self._ended: queue.SimpleQueue[int] = queue.SimpleQueue()

    def add(self, number: int, future: Future[Any]) -> None:
        """Take the future of a task."""
        self.under_way[number] = future
        future.add_done_callback(lambda _future: self._ended.put(number))

    def receive(self, seconds: float) -> list[tuple[int, Future[Any]]]:
        """Return the tasks that have ended, waiting at most `seconds` for the first one."""
        found = []
        with suppress(queue.Empty):
            found.append(self._ended.get(timeout=seconds))
            while True:
                found.append(self._ended.get_nowait())
        return [(number, self.under_way.pop(number)) for number in found]

    def cancel(self, numbers: frozenset[int] | None = None) -> None:
        """Cancel these tasks, or all, unless they have already started."""
        for number in self.under_way if numbers is None else numbers & self.under_way.keys():
            self.under_way[number].cancel()


class LocalThreads:
    """Does tasks in threads: for work that releases the GIL."""

    def __init__(self, threads: int, work: TaskFunction[...], *words: object) -> None:
        """Take the number of threads, and what they do: `work`, with these words."""
        self._threads, self._work, self._words = threads, work, words
        self._run = WorkerRun()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._futures = Futures()
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def capacity(self) -> int:
        """Return the number of threads."""
        return self._threads

    def submit(self, number: int, task: object) -> None:
        """Have a task done."""
        context = TaskContext(self._run, number, lambda value: self._messages.put(Message(number, value)))
        self._futures.add(number, self._pool.submit(self._work, context, *self._words, task))

    def receive(self, seconds: float) -> Sequence[Done]:
        """Return the tasks that are done."""
        return [_done(*one) for one in self._futures.receive(seconds)]

    def messages(self) -> Sequence[Message]:
        """Return the messages of tasks."""
        return [self._messages.get() for _ in range(self._messages.qsize())]

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """End tasks early, or keep them from beginning."""
        self._futures.cancel(numbers)
        self._run.stop(self._futures.under_way if numbers is None else numbers)

    def news(self) -> list[str]:
        """Return nothing."""
        return []

    def close(self) -> None:
        """End the threads, and close what was opened for them."""
        self._run.stop_all()
        self._pool.shutdown(cancel_futures=True)
        self._run.close()


def _done(number: int, ended: Future[Any]) -> Done:
    try:
        return Done(number, ended.result())
    except (Interrupted, CancelledError):
        return Done(number, failure=ENDED_EARLY)
    except BaseException as error:
        return Done(number, error=error)
