"""Handing out the pieces of a ledger until each has its result.

Small pieces go out together, so that a worker that is far away is asked seldom. Once none is left, those that take
long are handed out again; the first result counts.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass

from ...generator.position import Position
from ..model.results.events import Notice
from ..model.results.perft import CountProgress
from ..model.shutdown import POLL_SECONDS, Interrupt
from ..work.executor import Done, Executor
from .ledger import Ledger
from .model import CountedPiece, CountError, Delivery, Order, Piece, ResultOrigin

ORDER_SECONDS = 0.3
"""How long an order takes, if pieces are so small."""
MOST_PIECES = 10_000
AHEAD = 2
"""Orders that wait for each one that is carried out."""
PROGRESS_SECONDS = 0.1
SLOW = 4
"""An order that takes so many times as long as others is handed out again at the end."""
SLOW_SECONDS = 2.0
"""... if it has been out for so long."""
LOOKED_SECONDS = 0.5
"""How often slow orders are counted."""
MOST_FAILURES = 3
"""After so many failures of a piece the count ends."""
WEIGHT = 0.2
"""Of the latest order in the mean."""


@dataclass
class _PendingOrder:
    """An order that is handed out."""

    order: Order
    since: float
    has_copy: bool = False
    """Whether its pieces were handed out once more after it."""

    @property
    def numbers(self) -> list[int]:
        """The numbers of its pieces."""
        return [piece.number for piece in self.order.pieces]


class PieceScheduler:
    """Hands out the pieces of one ledger."""

    def __init__(self, ledger: Ledger, executor: Executor[Order]) -> None:
        """Take the ledger, and what carries out the orders."""
        self._ledger, self._executor = ledger, executor
        self._is_black = moves_black(ledger)
        self._waiting = deque(ledger.pieces_left())
        self._again: deque[int] = deque()
        """Pieces that have failed, each to be handed out alone."""
        self._out: dict[int, _PendingOrder] = {}
        self._shared: set[int] = set()
        """Orders that have the pieces of others, too."""
        self._slow_seen, self._looked = 0, 0.0
        """How many orders were slow, and when that was looked at."""
        self._failures: Counter[int] = Counter()
        self._news: list[str] = []
        self._number = 0
        self._mean: float | None = None
        """Seconds that a piece takes."""
        self._done, self._busy = ledger.done()
        self._nodes = ledger.nodes()
        self._counted = 0
        """Pieces and nodes since the beginning of this run."""
        self._counted_nodes = 0
        self._began = time.monotonic()

    def events(self, interrupt: Interrupt) -> Iterator[CountProgress | Notice]:
        """Yield what happens until each piece has a result, or the user has asked to stop.

        Raises CountError, DatabaseError.
        """
        shown = 0.0
        yield self._progress()
        while (self._waiting or self._again or self._out) and not interrupt.requested:
            self._hand_out()
            self._keep([delivery_of(done) for done in self._executor.receive(POLL_SECONDS)])
            yield from map(Notice, [*self._executor.news(), *self._news])
            self._news.clear()
            if time.monotonic() - shown > PROGRESS_SECONDS:
                yield self._progress()
                shown = time.monotonic()
        yield self._progress()

    def _hand_out(self) -> None:
        capacity = self._executor.capacity()
        if not capacity:
            return
        most = capacity * AHEAD
        # A worker that has a slow order may hang, so another one goes out in its place; see `TaskPool.give`.
        while len(self._out) - min(self._slow(), most, len(self._out)) < most and (self._again or self._waiting):
            self._submit(self._next(capacity))
        if not self._again and not self._waiting and self._out:
            self._hand_out_again(capacity)

    def _next(self, capacity: int) -> list[int]:
        """Return the pieces of the next order: one until it is known how long they take, fewer towards the end."""
        if self._again:
            return [self._again.popleft()]
        most = 1 if self._mean is None else int(ORDER_SECONDS / max(self._mean, ORDER_SECONDS / MOST_PIECES))
        fair = len(self._waiting) // (AHEAD * capacity)
        return [self._waiting.popleft() for _ in range(max(1, min(most, fair, len(self._waiting))))]

    def _submit(self, numbers: list[int]) -> None:
        self._number += 1
        count = self._ledger.count
        pieces = self._ledger.pieces(numbers)
        order = Order(self._number, pieces, count.depth_below, self._is_black, count.chess960, count.engine)
        self._out[order.number] = _PendingOrder(order, time.monotonic())
        self._executor.submit(order.number, order)

    def _hand_out_again(self, capacity: int) -> None:
        """Hand out once more what has been out for long, as long as a worker may be idle.

        Who has it may hang, so a copy that takes as long is followed by another one.
        """
        slow = [out for out in self._out.values() if self._is_slow(out)]
        idle = capacity - (len(self._out) - len(slow))
        for out in [one for one in slow if not one.has_copy][: max(0, idle)]:
            out.has_copy = True
            self._submit(out.numbers)
            self._shared |= {out.order.number, self._number}

    def _slow(self) -> int:
        """Return how many orders are slow, as it was seen a moment ago: there may be thousands."""
        if self._mean is not None and time.monotonic() - self._looked > LOOKED_SECONDS:
            self._slow_seen, self._looked = sum(map(self._is_slow, self._out.values())), time.monotonic()
        return self._slow_seen

    def _is_slow(self, out: _PendingOrder) -> bool:
        usual = SLOW * (self._mean or 0.0) * len(out.order.pieces)
        return time.monotonic() - out.since > max(SLOW_SECONDS, usual)

    def _keep(self, deliveries: list[Delivery]) -> None:
        """Keep what has been delivered, and hand out again what has failed."""
        results: list[tuple[ResultOrigin, list[CountedPiece]]] = []
        for delivery in deliveries:
            out = self._out.pop(delivery.order, None)
            if out is None:
                continue
            if delivery.origin is None:
                self._fail(out.numbers, delivery.failure)
            else:
                results.append((delivery.origin, list(delivery.counted)))
                self._learn(out, delivery)
        if not results:
            return
        counted: dict[int, CountedPiece] = {}
        for one in (one for _, several in results for one in several):
            counted.setdefault(one.number, one)
        new = set(self._ledger.keep(results))
        for number in new:
            self._nodes += counted[number].nodes
            self._counted_nodes += counted[number].nodes
        self._done += len(new)
        self._counted += len(new)
        for number in counted.keys() - new:
            self._look_at(counted[number])
        self._forget(new)

    def _look_at(self, counted: CountedPiece) -> None:
        """Look at a result that was not kept: the piece had one, or its worker was found to be wrong."""
        kept = self._ledger.nodes_of(counted.number)
        if kept is None and not any(counted.number in out.numbers for out in self._out.values()):
            self._waiting.append(counted.number)
        if kept is not None and kept != counted.nodes:
            self._news.append(
                f"piece {counted.number:,} has two counts, {kept:,} and {counted.nodes:,}: "
                "count some again with --verify, to find out who is wrong"
            )

    def _forget(self, new: set[int]) -> None:
        """Forget orders all of whose pieces others have counted."""
        self._shared &= self._out.keys()
        for number in list(self._shared):
            if all(self._is_counted(piece, new) for piece in self._out[number].order.pieces):
                self._shared.discard(number)
                del self._out[number]

    def _is_counted(self, piece: Piece, new: set[int]) -> bool:
        return piece.number in new or self._ledger.nodes_of(piece.number) is not None

    def _learn(self, out: _PendingOrder, delivery: Delivery) -> None:
        """Learn from an order how long pieces take."""
        seconds = sum(one.seconds for one in delivery.counted) / max(1, len(delivery.counted))
        self._mean = seconds if self._mean is None else (1 - WEIGHT) * self._mean + WEIGHT * seconds

    def _fail(self, numbers: list[int], why: str) -> None:
        """Hand out pieces again, each alone; raise CountError where one has failed too often."""
        self._failures.update(numbers)
        worst, times = self._failures.most_common(1)[0]
        if times >= MOST_FAILURES:
            raise CountError(f"piece {worst:,} has failed {times} times: {why}; all results so far are in the ledger")
        self._again.extend(numbers)
        pieces = f"{len(numbers):,} pieces are" if len(numbers) > 1 else f"piece {numbers[0]:,} is"
        self._news.append(f"{why}: {pieces} counted again")

    def _progress(self) -> CountProgress:
        seconds = time.monotonic() - self._began
        left = self._ledger.cut.pieces - self._done
        left_seconds = left * seconds / self._counted if self._counted else None
        return CountProgress(
            self._done,
            self._ledger.cut.pieces,
            self._nodes,
            self._counted_nodes,
            seconds,
            left_seconds,
            self._executor.capacity(),
        )


def delivery_of(done: Done) -> Delivery:
    """Return what has become of an order, also where its worker is gone. Raises what it has raised."""
    if done.error is not None:
        raise done.error
    delivery: Delivery = done.value or Delivery(done.number, failure=done.failure)
    return delivery


def moves_black(ledger: Ledger) -> bool:
    """Tell whether Black is to move in the pieces."""
    count = ledger.count
    root = Position.from_fen(count.fen, None if count.chess960 else False)
    return bool(root.turn) is (count.split % 2 == 0)
