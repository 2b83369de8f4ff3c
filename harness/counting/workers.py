"""Workers that count pieces in parallel, each piece as a future, and the loop that hands out pieces to them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

from ..shutdown import POLL_SECONDS, Interrupt
from .model import Delivery, Order
from .piece_counter import PieceCounter, carry_out

AHEAD = 2
"""Number of orders to queue per thread, so that no thread has to wait for the next one."""


class Workers(Protocol):
    """Threads of this process or of a cluster."""

    def capacity(self) -> int:
        """Return the number of orders that can be executed in parallel; 0 while there is no worker."""

    def submit(self, order: Order) -> Future[Delivery]:
        """Schedule an order. Raises ClusterError if the scheduler is lost."""

    def delivery(self, future: Future[Delivery]) -> Delivery:
        """Return the outcome of an order that has ended, or raise the error that ended it."""

    def news(self) -> list[str]:
        """Return new notices for the user. Raises ClusterError if the scheduler is lost."""

    def close(self) -> None:
        """Cancel all orders and release all resources."""


class LocalWorkers:
    """Threads of this process, which share a counter."""

    def __init__(self, counter: PieceCounter, name: str, threads: int) -> None:
        """Prepare the threads. `name` identifies them in stored results, and `close` also closes the counter."""
        self._counter, self._name, self._threads = counter, name, threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="count")

    def capacity(self) -> int:
        """Return the number of threads."""
        return self._threads

    def submit(self, order: Order) -> Future[Delivery]:
        """Schedule an order."""
        return self._pool.submit(carry_out, self._counter, order, self._name)

    def delivery(self, future: Future[Delivery]) -> Delivery:
        """Return the outcome of an order, or raise the exception that ended it."""
        return future.result()

    def news(self) -> list[str]:
        """Return an empty list."""
        return []

    def close(self) -> None:
        """Stop counting, end the threads and close the counter."""
        self._counter.stop()
        self._pool.shutdown(cancel_futures=True)
        self._counter.close()


def hand_out(
    workers: Workers, waiting: deque[int], order_of: Callable[[int], Order], interrupt: Interrupt
) -> Iterator[list[tuple[int, Delivery]]]:
    """Hand out waiting pieces, and yield the outcomes several times a second, each with the number of its piece.

    The caller may add pieces to `waiting`, such as those that have failed. An interrupt drops unfinished pieces.
    """
    under_way: dict[Future[Delivery], int] = {}
    while (waiting or under_way) and not interrupt.requested:
        while waiting and len(under_way) < AHEAD * workers.capacity():
            number = waiting.popleft()
            under_way[workers.submit(order_of(number))] = number
        if not under_way:  # there is no worker
            time.sleep(POLL_SECONDS)
        ended, _ = wait(under_way, POLL_SECONDS, FIRST_COMPLETED)
        yield [(under_way.pop(future), workers.delivery(future)) for future in ended]
