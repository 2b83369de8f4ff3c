"""A complete count: hand out the pieces of a ledger, verify some of them, and add up the results.

For verification, another generator recounts a random sample of the pieces in threads of this process. If the results
for a piece differ, both engines count it on this machine, which shows whether a worker or an engine is at fault.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from ...generator.counting.records import records_in
from ..engines.types.own import ALONE
from ..model.results.events import Notice
from ..model.results.positions import CountFinished, CountMismatch, CountProgress
from ..shutdown import Interrupt
from .ledger import Ledger
from .model import CountError, Order, Verified, positions_in
from .piece_counter import PieceCounter, open_counter
from .piece_scheduler import LocalWorkers, PieceScheduler, Workers, hand_out, order_for


@dataclass(frozen=True)
class Verification:
    """The fraction of the pieces to recount, and the engines that recount them."""

    part: float
    """The fraction of the pieces, from 0 to 1."""
    references: tuple[str, ...]
    """The engines; empty if nothing is recounted."""
    threads: int
    timeout: float


def events(
    ledger: Ledger, workers: Workers, verification: Verification, interrupt: Interrupt
) -> Iterator[CountProgress | Notice | CountFinished]:
    """Yield progress and notices, and finally the result, which may be incomplete.

    Differences found by an earlier run are investigated first. Raises CountError, LedgerError, ClusterError.
    """
    verifying = Verifying(ledger, verification.threads, verification.timeout)
    verifying.settle()
    if verifying.mismatch is None:
        yield from PieceScheduler(ledger, workers).events(interrupt)
        for reference in verification.references:
            yield from verifying.events(reference, share(ledger, verification.part), interrupt)
    verified = len(set[int]().union(*map(ledger.agreeing_pieces, verification.references)))
    count, cut = ledger.count, ledger.cut
    done, seconds = ledger.done()
    yield CountFinished(
        count.fen,
        count.chess960,
        count.depth,
        count.split,
        count.engine,
        cut.positions,
        cut.pieces,
        done,
        ledger.nodes(),
        seconds,
        verified,
        verifying.mismatch,
        interrupt.requested,
    )


def share(ledger: Ledger, part: float) -> list[int]:
    """Return the numbers of the pieces to recount. They are the same in each run."""
    chosen = random.Random(str(ledger.count)).sample(
        range(1, ledger.cut.pieces + 1), math.ceil(part * ledger.cut.pieces)
    )
    return sorted(chosen)


class Verifying:
    """Recounts pieces in threads of this process."""

    def __init__(self, ledger: Ledger, threads: int, timeout: float) -> None:
        """Prepare to recount pieces of a ledger. `threads` and `timeout` apply to the references."""
        self._ledger, self._engine = ledger, ledger.count.engine
        self._threads, self._timeout = threads, timeout
        self.mismatch: CountMismatch | None = None
        """A difference between the engine and the reference on this machine."""

    def events(self, reference: str, numbers: list[int], interrupt: Interrupt) -> Iterator[Notice]:
        """Have a reference recount the pieces that it has not verified yet.

        Raises LedgerError, and CountError if a worker's results were incorrect; these are discarded.
        """
        known = self._ledger.agreeing_pieces(reference)
        waiting = [one for one in numbers if one not in known and self._ledger.nodes_of(one) is not None]
        if not waiting or self.mismatch is not None or interrupt.requested:
            return
        yield Notice(f"{reference} counts {len(waiting):,} of {self._ledger.cut.pieces:,} pieces again")
        counter = open_counter(reference, ALONE, self._timeout)
        with closing(LocalWorkers(counter, "verifying", self._threads)) as workers:
            self._verify(workers, reference, deque(waiting), interrupt)

    def settle(self) -> None:
        """Investigate the differences found by an earlier run. Raises CountError, LedgerError."""
        for number, reference in self._ledger.disputes():
            if self.mismatch is None:
                self._judge(number, reference)

    def _verify(self, workers: Workers, reference: str, waiting: deque[int], interrupt: Interrupt) -> None:
        for deliveries in hand_out(workers, waiting, self._order, interrupt):
            verified: list[Verified] = []
            for _number, delivery in deliveries:
                if delivery.counted is None:
                    raise CountError(delivery.failure)
                _origin, counted = delivery.counted
                verified.append(Verified(counted.piece, reference, counted.nodes))
            for number in sorted(self._ledger.keep_verified(verified)):
                self._judge(number, reference)
                if self.mismatch is not None:  # only the first mismatch is reported, even when the count is resumed
                    return

    def _order(self, number: int) -> Order:
        return order_for(self._ledger, number, self._engine)

    def _judge(self, number: int, reference: str) -> None:
        """Determine who counted a piece incorrectly. Raises CountError if it was the worker."""
        kept = self._ledger.nodes_of(number)
        if kept is None:
            return
        order = self._order(number)
        with self._ready_counter(self._engine) as ours, self._ready_counter(reference) as theirs:
            both = tuple(counter.nodes(order, records_in(order.piece.records)) for counter in (ours, theirs))
            if both[0] != both[1]:
                self.mismatch = self._pinpoint(order, ours, theirs, reference)
                return
        origin = self._ledger.origin_of(number)
        discarded = self._ledger.discard(origin)
        raise CountError(
            f"{origin.worker} counted {kept:,} nodes for piece {number:,}, but {self._engine} and {reference} count "
            f"{both[0]:,} here: its {discarded:,} results are discarded; remove that worker, and run the same command"
        )

    @contextmanager
    def _ready_counter(self, engine: str) -> Iterator[PieceCounter]:
        with closing(open_counter(engine, ALONE, self._timeout)) as counter:
            counter.ready()
            yield counter

    def _pinpoint(self, order: Order, ours: PieceCounter, theirs: PieceCounter, reference: str) -> CountMismatch:
        """Return the mismatch at the first position in a piece of the count on which two engines disagree."""
        records = records_in(order.piece.records)
        positions = positions_in(records, self._ledger.is_black, self._ledger.count.chess960)
        for place, position in enumerate(positions):
            one = records[place : place + 1]
            got, expected = (counter.nodes(order, one) // int(records[place, 3]) for counter in (ours, theirs))
            if got != expected:
                depth = self._ledger.count.depth_below
                return CountMismatch(position.fen(), depth, self._engine, got, reference, expected)
        raise CountError(f"piece {order.piece.number:,}: {self._engine} does not count the same each time")
