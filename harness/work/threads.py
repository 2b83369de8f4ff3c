"""Futures of `concurrent.futures`, and what does tasks in threads of this process."""

from __future__ import annotations

import queue
import secrets
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

from ..model.shutdown import Interrupted
from .executor import ENDED_EARLY, Done, Message, TaskContext, TaskFunction
from .worker_state import WORKER

STOP_SECONDS = 0.02
"""How often tasks are asked to end early, once their results are not needed: one may just begin."""


class Futures:
    """Tasks under way, and those that have ended, in the order in which they have."""

    def __init__(self) -> None:
        self.under_way: dict[int, Future[Any]] = {}
        """By their numbers; those that have ended until they are received."""
        self._ended: queue.SimpleQueue[int] = queue.SimpleQueue()

    def add(self, number: int, future: Future[Any]) -> None:
        """Take the future of a task."""
        self.under_way[number] = future
        future.add_done_callback(lambda _future: self._ended.put(number))

    def receive(self, seconds: float) -> list[tuple[int, Future[Any]]]:
        """Return what has ended, waiting so long for the first."""
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
    """Does tasks in threads: for work that leaves Python's lock to others."""

    def __init__(self, threads: int, work: TaskFunction[...], *words: object) -> None:
        """Take how many, and what they do: `work`, with these words."""
        self._threads, self._work, self._words = threads, work, words
        self._run = secrets.token_hex(8)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._futures = Futures()
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def capacity(self) -> int:
        """Return the number of threads."""
        return self._threads

    def submit(self, number: int, task: object) -> None:
        """Have a task done."""
        context = TaskContext(self._run, number, lambda value: self._messages.put(Message(number, "", value)))
        self._futures.add(number, self._pool.submit(self._work, context, *self._words, task))

    def receive(self, seconds: float) -> Sequence[Done]:
        """Return what is done."""
        return [_done(*one) for one in self._futures.receive(seconds)]

    def messages(self) -> Sequence[Message]:
        """Return what tasks had told."""
        return [self._messages.get() for _ in range(self._messages.qsize())]

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Have tasks end early, or not begin."""
        self._futures.cancel(numbers)
        WORKER.stop(self._run, numbers)

    def news(self) -> list[str]:
        """Return nothing."""
        return []

    def close(self) -> None:
        """End the threads, and close what was opened for them."""
        while pending := [future for future in self._futures.under_way.values() if not future.done()]:
            self.stop()  # those that have begun since as well
            wait(pending, STOP_SECONDS)
        self._pool.shutdown()
        WORKER.end(self._run)


def _done(number: int, ended: Future[Any]) -> Done:
    try:
        return Done(number, "", ended.result())
    except (Interrupted, CancelledError):
        return Done(number, "", failure=ENDED_EARLY)
    except BaseException as error:
        return Done(number, "", error=error)
