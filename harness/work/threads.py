"""Threads of this process."""

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


class LocalThreads:
    """Does tasks in threads: for work that leaves Python's lock to others."""

    is_here = True

    def __init__(self, threads: int, work: TaskFunction[...], *words: object) -> None:
        """Take how many, and what they do: `work`, with these words."""
        self._threads, self._work, self._words = threads, work, words
        self._run = secrets.token_hex(8)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._received: queue.SimpleQueue[tuple[int, Future[Any]] | Message] = queue.SimpleQueue()
        self._messages: list[Message] = []
        self._futures: dict[int, Future[Any]] = {}
        """Of the tasks that are not known to be done."""

    def capacity(self) -> int:
        """Return the number of threads."""
        return self._threads

    def submit(self, number: int, task: object) -> None:
        """Have a task done."""
        context = TaskContext(self._run, number, lambda value: self._received.put(Message(number, "", value)))
        future = self._pool.submit(self._work, context, *self._words, task)
        self._futures[number] = future
        future.add_done_callback(lambda ended: self._received.put((number, ended)))

    def receive(self, seconds: float) -> Sequence[Done]:
        """Return what is done."""
        found: list[tuple[int, Future[Any]] | Message] = []
        with suppress(queue.Empty):
            found.append(self._received.get(timeout=seconds))
            while True:
                found.append(self._received.get_nowait())
        self._messages = [one for one in found if isinstance(one, Message)]
        ended = [one for one in found if not isinstance(one, Message)]
        for number, _ in ended:
            del self._futures[number]
        return [_done(*one) for one in ended]

    def messages(self) -> Sequence[Message]:
        """Return what tasks had told."""
        return self._messages

    def progress(self) -> int:
        """Return how far the tasks under way are."""
        return WORKER.progress(self._run)

    def take_back(self, number: int) -> None:
        """End a task early, whose result is not needed."""
        self.stop(frozenset({number}))

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Have tasks end early, or not begin."""
        for number in self._futures if numbers is None else numbers & self._futures.keys():
            self._futures[number].cancel()
        WORKER.stop(self._run, numbers)

    def dismiss(self, worker: str) -> None:
        """Do nothing: all threads are of one process."""

    def news(self) -> list[str]:
        """Return nothing."""
        return []

    def close(self) -> None:
        """End the threads, and close what was opened for them."""
        while pending := [future for future in self._futures.values() if not future.done()]:
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
