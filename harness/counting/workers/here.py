"""Threads of this process."""

from __future__ import annotations

import queue
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

from ..hand import Hand, HandStopped, carried_out
from ..model import Delivery, Order


class Here:
    """Carries out orders in threads."""

    is_here = True

    def __init__(self, hand: Hand, threads: int, name: str) -> None:
        """Take who counts, how many threads, and how this process is called in the ledger."""
        self._hand, self._threads, self._name = hand, threads, name
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="count")
        self._delivered: queue.SimpleQueue[Future[Delivery]] = queue.SimpleQueue()

    def capacity(self) -> int:
        """Return the number of threads."""
        return self._threads

    def submit(self, order: Order) -> None:
        """Hand out an order."""
        self._pool.submit(carried_out, self._hand, order, self._name).add_done_callback(self._delivered.put)

    def deliveries(self, seconds: float) -> list[Delivery]:
        """Return what has been delivered. Raises what is a fault of ours."""
        found = []
        with suppress(queue.Empty):
            found.append(self._delivered.get(timeout=seconds))
            while True:
                found.append(self._delivered.get_nowait())
        return [one.result() for one in found if not isinstance(one.exception(), HandStopped)]

    def news(self) -> list[str]:
        """Return nothing."""
        return []

    def dismiss(self, worker: str) -> None:
        """Nobody here is sent away."""

    def close(self) -> None:
        """Stop the counts under way."""
        self._hand.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._hand.close()
