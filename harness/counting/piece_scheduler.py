"""Hand out the pieces of a ledger to workers until all have a result. Each piece is a future."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Protocol

from ...errors import UsageError
from ..engines.files import build_of
from ..engines.spec import EngineSpec
from ..model.results.events import Notice
from ..model.results.positions import CountFinished, CountProgress
from ..shutdown import POLL_SECONDS, Interrupt
from .ledger import Ledger
from .model import CountError, Delivery, Order, ResultOrigin
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


PROGRESS_SECONDS = 0.1
MOST_FAILURES = 3
"""Number of failures of one piece after which the count ends."""


def order_for(ledger: Ledger, number: int) -> Order:
    """Return the order for a piece of a ledger."""
    (piece,) = ledger.pieces([number])
    return Order(piece, ledger.count.depth_below, ledger.is_black, ledger.count.chess960, ledger.count.engine)


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

    def events(self, interrupt: Interrupt) -> Iterator[CountProgress | Notice | CountFinished]:
        """Yield progress and notices until each piece has a result or the user interrupts, and finally the result.

        Raises CountError, LedgerError, ClusterError.
        """
        shown = 0.0
        yield self._progress()
        for deliveries in hand_out(self._workers, self._waiting, partial(order_for, self._ledger), interrupt):
            failures = self._keep(deliveries)
            yield from map(Notice, [*self._workers.news(), *failures])
            if time.monotonic() - shown > PROGRESS_SECONDS:
                yield self._progress()
                shown = time.monotonic()
        yield self._progress()
        yield self._finished(interrupt)

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

    def _finished(self, interrupt: Interrupt) -> CountFinished:
        count, cut = self._ledger.count, self._ledger.cut
        done, seconds = self._ledger.done()
        return CountFinished(
            count.fen,
            count.chess960,
            count.depth,
            count.split,
            count.engine,
            cut.positions,
            cut.pieces,
            done,
            self._ledger.nodes(),
            seconds,
            interrupt.requested,
        )

    def _progress(self) -> CountProgress:
        return CountProgress(
            self._done,
            self._ledger.cut.pieces,
            self._nodes,
            self._counted_nodes,
            time.monotonic() - self._began,
            self._workers.capacity(),
        )


def build_here(engine: str) -> str | None:
    """Return the digest of an engine's files, or None if this machine does not have them."""
    try:
        return build_of(engine)
    except UsageError:
        return None
