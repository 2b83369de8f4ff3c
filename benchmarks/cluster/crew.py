"""The scheduler and its workers, some of which are slow, hang or die.

The scheduler takes one message at a time, and gives an order to the worker that has the fewest. It does not move an
order that waits from one worker to another, as Dask's may.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from math import inf

import numpy as np

from .clock import EventClock
from .model import Costs, Crew


class CrewOrder:
    """Pieces from one number to another."""

    __slots__ = ("first", "has_copy", "is_shared", "last", "number", "seconds", "since")

    def __init__(self, number: int, first: int, last: int, seconds: float, since: float) -> None:
        self.number, self.first, self.last, self.seconds, self.since = number, first, last, seconds, since
        self.is_shared = self.has_copy = False

    def __len__(self) -> int:
        return self.last - self.first


Deliver = Callable[[CrewOrder, float], None]
"""Takes an order that is done, and the seconds of the worker."""


class _Worker:
    __slots__ = ("factor", "is_hung", "life", "load", "orders", "running")

    def __init__(self, factor: float, is_hung: bool) -> None:
        self.factor, self.is_hung = factor, is_hung
        self.orders: deque[CrewOrder] = deque()
        self.running: CrewOrder | None = None
        self.life = 0
        """Becomes another one when it dies: what was meant for an older life is void."""
        self.load = 0
        """Orders that the scheduler has given it, and not seen done; -1 while it is away."""


class Scheduler:
    """Has orders carried out."""

    def __init__(self, clock: EventClock, crew: Crew, costs: Costs, deliver: Deliver, seed: int) -> None:
        """Take who counts, and who is told what has been done."""
        self._clock, self._crew, self._costs, self._deliver = clock, crew, costs, deliver
        self._random = np.random.default_rng(seed)
        self._workers = [_Worker(*kind) for kind in self._kinds()]
        self._free = [(0, number) for number in range(crew.workers)]
        """Workers by their load, among entries that are no longer true."""
        self._unplaced: deque[CrewOrder] = deque()
        self._until = self.busy = 0.0
        self.alive = crew.workers
        for number in range(crew.workers):
            self._live(number)

    def _kinds(self) -> list[tuple[float, bool]]:
        """Return how slow each worker is, and whether it hangs; one is all right in any case."""
        crew = self._crew
        slow, hung = (min(crew.workers - 1, round(share * crew.workers)) for share in (crew.slow, crew.hung))
        places = self._random.permutation(crew.workers).tolist()
        return [(crew.factor if place < slow else 1.0, place >= crew.workers - hung) for place in places]

    def serve(self, seconds: float) -> float:
        """Return how long it is until so much is done, after all that came before."""
        self._until = max(self._clock.now, self._until) + seconds
        self.busy += seconds
        return self._until - self._clock.now

    def take(self, order: CrewOrder) -> None:
        """Take an order that has arrived."""
        choosing = self._costs.choose * self._crew.workers
        self._clock.after(self.serve(self._costs.message + choosing), self._place, order)

    def _place(self, order: CrewOrder) -> None:
        while self._free:
            load, number = heapq.heappop(self._free)
            if load == self._workers[number].load:
                self._load(number, 1)
                self._clock.after(self._crew.latency, self._receive, number, self._workers[number].life, order)
                return
        self._unplaced.append(order)

    def _load(self, number: int, more: int) -> None:
        worker = self._workers[number]
        worker.load += more
        heapq.heappush(self._free, (worker.load, number))

    def _receive(self, number: int, life: int, order: CrewOrder) -> None:
        worker = self._workers[number]
        if worker.life != life:
            self._clock.after(self._crew.latency, self.take, order)
            return
        worker.orders.append(order)
        if worker.running is None:
            self._begin(number)

    def _begin(self, number: int) -> None:
        worker = self._workers[number]
        order = worker.running = worker.orders.popleft()
        if not worker.is_hung:
            taken = worker.factor * order.seconds
            self._clock.after(self._costs.work + taken, self._finish, number, worker.life, order, taken)

    def _finish(self, number: int, life: int, order: CrewOrder, taken: float) -> None:
        worker = self._workers[number]
        if worker.life != life:
            return
        worker.running = None
        self._clock.after(self._crew.latency, self._done, number, life, order, taken)
        if worker.orders:
            self._begin(number)

    def _done(self, number: int, life: int, order: CrewOrder, taken: float) -> None:
        if self._workers[number].life == life:
            self._load(number, -1)
        self._clock.after(self.serve(self._costs.message) + self._crew.latency, self._deliver, order, taken)

    def _live(self, number: int) -> None:
        if self._crew.lifetime < inf:
            self._clock.after(self._random.exponential(self._crew.lifetime), self._die, number)

    def _die(self, number: int) -> None:
        """Lose a worker: others are given what it had."""
        worker = self._workers[number]
        for order in [*([worker.running] if worker.running else []), *worker.orders]:
            self._clock.after(self._crew.latency, self.take, order)
        worker.running, worker.load, worker.life = None, -1, worker.life + 1
        worker.orders.clear()
        self.alive -= 1
        self._clock.after(self._crew.restart, self._come_back, number)

    def _come_back(self, number: int) -> None:
        self.alive += 1
        self._load(number, 1)
        self._live(number)
        while self._unplaced:
            self.take(self._unplaced.popleft())
