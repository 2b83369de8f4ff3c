"""Count the pieces of a ledger until all have a result."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator

from ...errors import UsageError
from ..engines.files import build_of
from ..engines.spec import EngineSpec
from ..model.results.events import Notice
from ..model.results.perft import CountProgress
from ..shutdown import Interrupt
from .ledger import Ledger
from .model import CountError, Delivery, Order, ResultOrigin
from .workers import Workers, hand_out

PROGRESS_SECONDS = 0.1
MOST_FAILURES = 3
"""Number of failures of one piece after which the count ends."""


def order_for(ledger: Ledger, number: int, engine: str) -> Order:
    """Return the order for a piece of a ledger."""
    (piece,) = ledger.pieces([number])
    return Order(piece, ledger.count.depth_below, ledger.is_black, ledger.count.chess960, engine)


class PieceScheduler:
    """Hands out the pieces of a ledger until all of them are counted."""

    def __init__(self, ledger: Ledger, workers: Workers) -> None:
        """Create a scheduler for a ledger and its workers. The caller closes the workers."""
        self._ledger, self._workers = ledger, workers
        self._waiting = deque(ledger.pieces_left())
        self._failures: Counter[int] = Counter()
        self._build = min(ledger.digests(), default=build_here(ledger.count.engine))
        self._done, _seconds = ledger.done()
        self._nodes = ledger.nodes()
        self._counted = 0
        """Pieces counted in this run."""
        self._counted_nodes = 0
        self._began = time.monotonic()

    def events(self, interrupt: Interrupt) -> Iterator[CountProgress | Notice]:
        """Yield progress and notices until each piece has a result, or the user interrupts.

        Raises CountError, LedgerError, ClusterError.
        """
        shown = 0.0
        yield self._progress()
        engine = self._ledger.count.engine
        for deliveries in hand_out(
            self._workers, self._waiting, lambda number: order_for(self._ledger, number, engine), interrupt
        ):
            failures = self._keep(deliveries)
            yield from map(Notice, [*self._workers.news(), *failures])
            if time.monotonic() - shown > PROGRESS_SECONDS:
                yield self._progress()
                shown = time.monotonic()
        yield self._progress()

    def _keep(self, deliveries: list[tuple[int, Delivery]]) -> list[str]:
        """Store the results, requeue failed pieces, and return a notice for each failure."""
        counted = [one.counted for _, one in deliveries if one.counted is not None]
        results = [(origin, piece) for origin, piece in counted if self._is_same_build(origin)]
        new = set(self._ledger.keep([(origin, [piece]) for origin, piece in results]))
        nodes = sum(piece.nodes for _, piece in results)
        self._nodes += nodes
        self._counted_nodes += nodes
        self._done += len(new)
        self._counted += len(new)
        return [self._retry(number, one) for number, one in deliveries if number not in new]

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

    def _retry(self, number: int, delivery: Delivery) -> str:
        """Requeue a failed piece, and return a notice. Raises CountError if it has failed too often."""
        why = delivery.failure
        if delivery.counted is not None:
            why = f"{delivery.counted[0].worker} has another build of {self._ledger.count.engine}"
        self._failures[number] += 1
        if self._failures[number] >= MOST_FAILURES:
            times = self._failures[number]
            raise CountError(f"piece {number:,} has failed {times} times: {why}; all results so far are in the ledger")
        if not self._counted and self._failures.total() >= MOST_FAILURES:
            raise CountError(f"the first {MOST_FAILURES} pieces have failed: {why}")
        self._waiting.appendleft(number)
        return f"{why}: piece {number:,} is counted again"

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
            self._workers.capacity(),
        )


def build_here(engine: str) -> str | None:
    """Return the digest of an engine's files, or None if this machine does not have them."""
    try:
        return build_of(engine)
    except UsageError:
        return None
