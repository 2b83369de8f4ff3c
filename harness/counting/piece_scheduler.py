"""Hand out the pieces of a ledger until all have a result.

Small pieces are handed out together to reduce the number of messages to remote workers.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator

from ...errors import UsageError
from ..engines.files import build_of
from ..engines.spec import EngineSpec
from ..model.results.events import Notice
from ..model.results.perft import CountProgress
from ..shutdown import POLL_SECONDS, Interrupt
from ..work.executor import Done, Executor
from ..work.pool import TaskPool
from .ledger import Ledger
from .model import CountedPiece, CountError, Delivery, Order, ResultOrigin

ORDER_SECONDS = 0.3
"""How long an order of several small pieces should take."""
MOST_PIECES = 10_000
LATEST_WEIGHT = 0.2
"""The weight of the latest order in the mean time of a piece."""
AHEAD = 2
"""Orders queued per worker, so that workers do not have to wait for the next one."""
PROGRESS_SECONDS = 0.1
MOST_FAILURES = 3
"""Number of failures of one piece after which the count ends."""


class OrderSizing:
    """Chooses the number of pieces in an order: one until the time per piece is known, and fewer toward the end."""

    def __init__(self) -> None:
        self._mean: float | None = None
        """Mean seconds per piece, weighted toward recent orders."""

    def learn(self, seconds: float, pieces: int) -> None:
        """Update the mean time per piece after an order."""
        latest = seconds / max(1, pieces)
        self._mean = latest if self._mean is None else (1 - LATEST_WEIGHT) * self._mean + LATEST_WEIGHT * latest

    def size(self, left: int, capacity: int) -> int:
        """Return the number of pieces in the next order if `left` pieces remain."""
        most = 1 if self._mean is None else int(ORDER_SECONDS / max(self._mean, ORDER_SECONDS / MOST_PIECES))
        fair = left // (AHEAD * max(1, capacity))
        return max(1, min(most, fair))


class PieceScheduler:
    """Hands out the pieces of one ledger."""

    def __init__(self, ledger: Ledger, executor: Executor[Order]) -> None:
        """Take the ledger, and the executor, which the caller closes."""
        self._ledger = ledger
        self._pool = TaskPool(executor)
        self._sizing = OrderSizing()
        self._waiting = deque(ledger.pieces_left())
        self._again: deque[int] = deque()
        """Pieces to retry after a failure, each in an order of its own."""
        self._failures: Counter[int] = Counter()
        self._build = min(ledger.digests(), default=build_here(ledger.count.engine))
        self._news: list[str] = []
        self._done, _seconds = ledger.done()
        self._nodes = ledger.nodes()
        self._counted = 0
        """Pieces counted in this run."""
        self._counted_nodes = 0
        self._began = time.monotonic()

    def events(self, interrupt: Interrupt) -> Iterator[CountProgress | Notice]:
        """Yield progress and notices until each piece has a result, or the user interrupts.

        Raises CountError, LedgerError.
        """
        shown = 0.0
        yield self._progress()
        while (self._waiting or self._again or self._pool.is_busy) and not interrupt.requested:
            self._pool.give(self._next, AHEAD)
            self._keep([(order, delivery_of(done)) for order, done in self._pool.results(POLL_SECONDS)])
            yield from map(Notice, [*self._pool.news(), *self._news])
            self._news.clear()
            if time.monotonic() - shown > PROGRESS_SECONDS:
                yield self._progress()
                shown = time.monotonic()
        yield self._progress()

    def _next(self) -> Order | None:
        """Return the next order, or None if no pieces are left."""
        if self._again:
            numbers = [self._again.popleft()]
        elif self._waiting:
            size = self._sizing.size(len(self._waiting), self._pool.capacity())
            numbers = [self._waiting.popleft() for _ in range(size)]
        else:
            return None
        ledger, count = self._ledger, self._ledger.count
        return Order(ledger.pieces(numbers), count.depth_below, ledger.is_black, count.chess960, count.engine)

    def _keep(self, deliveries: list[tuple[Order, Delivery]]) -> None:
        """Store the results and reschedule failed pieces."""
        counted: dict[int, CountedPiece] = {}
        results: list[tuple[ResultOrigin, list[CountedPiece]]] = []
        for order, delivery in deliveries:
            if delivery.origin is None:
                self._fail([piece.number for piece in order.pieces], delivery.failure)
            elif not self._is_same_build(delivery.origin):
                why = f"{delivery.origin.worker} has another build of {order.engine}"
                self._fail([piece.number for piece in order.pieces], why)
            else:
                results.append((delivery.origin, list(delivery.counted)))
                counted |= {one.piece: one for one in delivery.counted}
                self._sizing.learn(sum(one.seconds for one in delivery.counted), len(delivery.counted))
        if not results:
            return
        new = self._ledger.keep(results)
        nodes = sum(counted[number].nodes for number in new)
        self._nodes += nodes
        self._counted_nodes += nodes
        self._done += len(new)
        self._counted += len(new)

    def _is_same_build(self, origin: ResultOrigin) -> bool:
        """Return True if a result comes from the same build of the engine as earlier results.

        Without earlier results, it is compared with the build on this machine, if there is one. The builds of
        perft-check's kernels may differ, because the tests verify their counts.
        """
        if EngineSpec(self._ledger.count.engine).is_kernel:
            return True
        if self._build is None:
            self._build = origin.digest
        return origin.digest == self._build

    def _fail(self, numbers: list[int], why: str) -> None:
        """Reschedule pieces, each alone. Raises CountError if one has failed too often."""
        self._failures.update(numbers)
        worst, times = self._failures.most_common(1)[0]
        if times >= MOST_FAILURES:
            raise CountError(f"piece {worst:,} has failed {times} times: {why}; all results so far are in the ledger")
        if not self._counted and self._failures.total() >= MOST_FAILURES:
            raise CountError(f"the first {MOST_FAILURES} pieces have failed: {why}")
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
            self._pool.capacity(),
        )


def build_here(engine: str) -> str | None:
    """Return the digest of an engine's files, or None if this machine does not have them."""
    try:
        return build_of(engine)
    except UsageError:
        return None


def delivery_of(done: Done) -> Delivery:
    """Return the outcome of an order, even if its worker died. Re-raises exceptions of the worker."""
    if done.error is not None:
        raise done.error
    delivery: Delivery = done.value or Delivery(failure=done.failure)
    return delivery
