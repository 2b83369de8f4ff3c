"""One count by pieces on a simulated cluster.

The client is `piece_scheduler.py`, and does one thing at a time. It takes the results that have
come, keeps them in the ledger in one go, and hands out orders until each worker has one that waits. At the end it hands
out again what takes long. What takes long before the end keeps its place here, and not in the product.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from perft_check.harness.counting.piece_scheduler import AHEAD, MOST_PIECES, ORDER_SECONDS, SLOW_SECONDS
from perft_check.harness.work.pool import LOOKED_SECONDS, SLOW, WEIGHT

from .clock import EventClock
from .crew import CrewOrder, Scheduler
from .model import FREE, Costs, Crew, Middle, SimulatedOutcome

LOOK_SECONDS = 1.0
"""How often the client looks who is there."""
POLLS = 8
"""So often it looks for slow orders in the time after which they are slow."""

Seconds = NDArray[np.float64]


def simulated(seconds: Seconds, crew: Crew, costs: Costs = FREE, seed: int = 1) -> SimulatedOutcome:
    """Return what becomes of a count of pieces of these seconds. The same seed gives the same outcome."""
    return _Client(seconds, crew, costs, seed).outcome()


class _Client:
    """Hands out pieces, and keeps the results."""

    def __init__(self, seconds: Seconds, crew: Crew, costs: Costs, seed: int) -> None:
        self._crew, self._costs, self._clock = crew, costs, EventClock()
        self._scheduler = Scheduler(self._clock, crew, costs, self._delivered, seed)
        self._pieces = len(seconds)
        self._ends = np.concatenate([[0.0], np.cumsum(seconds)])
        self._times_kept = np.zeros(self._pieces, dtype=np.uint8)
        self._inbox: list[tuple[CrewOrder, float]] = []
        self._batch: list[tuple[CrewOrder, float]] = []
        self._out: dict[int, CrewOrder] = {}
        self._shared: dict[int, CrewOrder] = {}
        """Those of them whose pieces another order has, too."""
        self._next = self._orders = self._kept = self._repeated = 0
        self._worked = 0.0
        self._mean: float | None = None
        self._is_busy = False
        self._since = self._busy = self._looked = self._looks_for_slow = self._looks_again = 0.0
        self._course = [Middle(0.0, 0.0, 0.0, 0.0)]
        """What there was since the beginning, whenever something was kept."""

    def outcome(self) -> SimulatedOutcome:
        """Count all pieces."""
        self._wake()
        while self._kept < self._pieces:
            self._clock.go_on()
        return self._told()

    def _wake(self) -> None:
        if not self._is_busy:
            self._is_busy, self._since = True, self._clock.now
            self._turn()

    def _delivered(self, order: CrewOrder, taken: float) -> None:
        self._inbox.append((order, taken))
        self._wake()

    def _turn(self) -> None:
        """Take what is there; from time to time look who is there, and which orders are slow."""
        self._batch, self._inbox = self._inbox, []
        self._clock.after(self._taking() + self._looking() + self._looking_for_slow(), self._keep)

    def _taking(self) -> float:
        """Return how long it takes to receive and to keep the batch."""
        if not self._batch:
            return 0.0
        costs, rows = self._costs, sum(len(order) for order, _ in self._batch)
        return len(self._batch) * costs.take + costs.commit + rows * costs.row

    def _looking(self) -> float:
        """Return how long it takes to look who is there, if it is time; the answer is not waited for."""
        if self._clock.now < self._looked + LOOK_SECONDS:
            return 0.0
        self._looked = self._clock.now
        self._scheduler.serve(self._costs.told * self._crew.workers)
        return self._costs.look * self._crew.workers

    def _looking_for_slow(self) -> float:
        """Return how long it takes to look for slow orders, if it is time."""
        if self._clock.now < self._looks_for_slow:
            return 0.0
        self._looks_for_slow = self._clock.now + LOOKED_SECONDS
        return self._costs.out * len(self._out)

    def _keep(self) -> None:
        for order, taken in self._batch:
            self._clock.after(self._crew.latency, self._scheduler.serve, self._costs.message)  # nobody waits any more
            if self._out.pop(order.number, None) is not None:
                self._shared.pop(order.number, None)
                self._learn(taken / len(order))
                self._keep_pieces(order)
        if self._batch:
            busy = self._busy + self._clock.now - self._since
            self._course.append(Middle(self._worked, self._clock.now, busy, self._scheduler.busy))
            self._forget()
        self._hand_out()

    def _learn(self, seconds: float) -> None:
        self._mean = seconds if self._mean is None else (1 - WEIGHT) * self._mean + WEIGHT * seconds

    def _keep_pieces(self, order: CrewOrder) -> None:
        times = self._times_kept[order.first : order.last]
        is_new = times == 0
        new = int(is_new.sum())
        times[is_new] += 1
        self._worked += order.seconds * new / len(order)
        self._kept += new
        self._repeated += len(order) - new

    def _forget(self) -> None:
        """Forget orders all of whose pieces somebody else has counted."""
        for number, order in list(self._shared.items()):
            if self._times_kept[order.first : order.last].all():
                del self._out[number], self._shared[number]

    def _hand_out(self) -> None:
        orders = []
        while len(self._out) < self._capacity() * AHEAD and self._next < self._pieces:
            last = self._next + self._size()
            orders.append(self._made(self._next, last))
            self._next = last
        if self._next == self._pieces and self._clock.now >= self._looks_again:
            orders += self._slow_again()
        for place, order in enumerate(orders, 1):
            self._clock.after(place * self._costs.submit + self._crew.latency, self._scheduler.take, order)
        self._clock.after(len(orders) * self._costs.submit, self._turn_over)

    def _capacity(self) -> int:
        return max(1, self._scheduler.alive)  # who is away comes back

    def _size(self) -> int:
        """Return how many pieces the next order has: one until it is known how long they take, fewer at the end."""
        left, wanted = self._pieces - self._next, ORDER_SECONDS
        most = 1 if self._mean is None else int(wanted / max(self._mean, wanted / MOST_PIECES))
        fair = left // (AHEAD * self._capacity())
        return max(1, min(most, fair, left))

    def _made(self, first: int, last: int) -> CrewOrder:
        self._orders += 1
        order = CrewOrder(self._orders, first, last, float(self._ends[last] - self._ends[first]), self._clock.now)
        self._out[order.number] = order
        return order

    def _slow_again(self) -> list[CrewOrder]:
        """Return orders that are handed out once more, as long as somebody may be idle."""
        again = []
        slow = [order for order in self._out.values() if self._is_slow(order)]
        idle = self._capacity() - (len(self._out) - len(slow))
        for order in [one for one in slow if not one.has_copy][: max(0, idle)]:
            copy = self._made(order.first, order.last)
            order.is_shared = order.has_copy = copy.is_shared = True
            self._shared[order.number], self._shared[copy.number] = order, copy
            again.append(copy)
        until = min(map(self._patience, self._out.values()), default=SLOW_SECONDS) / POLLS
        self._looks_again = self._clock.now + until
        self._clock.after(until, self._wake)
        return again

    def _is_slow(self, order: CrewOrder) -> bool:
        return self._clock.now - order.since > self._patience(order)

    def _patience(self, order: CrewOrder) -> float:
        return max(SLOW_SECONDS, SLOW * (self._mean or 0.0) * len(order))

    def _turn_over(self) -> None:
        self._busy += self._clock.now - self._since
        self._is_busy = False
        if self._inbox:
            self._wake()

    def _told(self) -> SimulatedOutcome:
        whole = self._course[-1].worked
        first, last = (next(one for one in self._course if one.worked >= part * whole) for part in (0.25, 0.75))
        return SimulatedOutcome(
            workers=self._crew.workers,
            pieces=self._pieces,
            piece_seconds=float(self._ends[-1]) / self._pieces,
            seconds=self._clock.now,
            orders=self._orders,
            kept=self._kept,
            most_kept=int(self._times_kept.max()),
            repeated=self._repeated,
            middle=Middle(
                last.worked - first.worked,
                last.seconds - first.seconds,
                last.client - first.client,
                last.scheduler - first.scheduler,
            ),
        )
