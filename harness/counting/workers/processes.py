"""Other processes of this machine: for engines that hold Python's lock, or that may take their process with them."""

from __future__ import annotations

import os
import queue
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress

from ...cluster.station import STATION
from ...engines.kinds.own import Means
from ...engines.our_processes import ProcessPool
from ..model import CountError, Delivery, Order
from .remote import carry_out

MOST_DEATHS = 5
"""So many processes may die one after the other, none of which has counted anything."""


class Processes:
    """Carries out orders in processes, which are started anew where one dies."""

    is_here = True

    def __init__(self, jobs: int, means: Means, name: str) -> None:
        """Take how many, what each may use, and how this machine is called in the ledger."""
        self._jobs, self._means, self._name = jobs, means, name
        self._delivered: queue.SimpleQueue[Future[Delivery]] = queue.SimpleQueue()
        self._orders: dict[Future[Delivery], Order] = {}
        self._deaths = 0
        self._news: list[str] = []
        self._pool = self._started()

    def _started(self) -> ProcessPool:
        return ProcessPool(self._jobs, _begin, self._name, self._means)

    def capacity(self) -> int:
        """Return the number of processes."""
        return self._jobs

    def submit(self, order: Order) -> None:
        """Hand out an order."""
        try:
            future = self._pool.submit(carry_out, order)
        except BrokenProcessPool:  # which is noticed at the next delivery, by others that are out
            self._pool = self._started()
            future = self._pool.submit(carry_out, order)
        self._orders[future] = order
        future.add_done_callback(self._delivered.put)

    def deliveries(self, seconds: float) -> list[Delivery]:
        """Return what has been delivered. Raises CountError where process after process dies, and faults of ours."""
        found = []
        with suppress(queue.Empty):
            found.append(self._delivered.get(timeout=seconds))
            while True:
                found.append(self._delivered.get_nowait())
        died = [one for one in found if isinstance(one.exception(), BrokenProcessPool)]
        delivered = [one.result() for one in found if one not in died]
        for one in found:
            order = self._orders.pop(one)
            if one in died:
                self.submit(order)
        self._deaths = self._deaths + bool(died) if not delivered else 0
        if died:
            self._news.append("a process has died: what it counted is counted again")
        if self._deaths >= MOST_DEATHS:
            raise CountError(f"{self._deaths} processes have died, one after the other: look at the engine by itself")
        return delivered

    def news(self) -> list[str]:
        """Return what the user should know."""
        news, self._news = self._news, []
        return news

    def dismiss(self, worker: str) -> None:
        """Nobody here is sent away."""

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._pool.close()


def _begin(name: str, means: Means) -> None:
    """Say in a new process how it is called in the ledger, and what it may use."""
    STATION.name, STATION.means = f"{name}-{os.getpid()}", means
