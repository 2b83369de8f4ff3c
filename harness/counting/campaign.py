"""A count from a ledger to its number: hand out, verify, hand out again what was wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..model.results.events import Notice
from ..model.results.perft import CountFinished, CountProgress
from ..model.shutdown import Interrupt
from ..work.executor import Executor
from .ledger.ledger import Ledger
from .model import CountError, Order
from .piece_scheduler import PieceScheduler, moves_black
from .verifying import Verifying, share

MOST_ROUNDS = 10
"""After so many rounds, each of which has found a wrong worker, the count ends."""


@dataclass(frozen=True)
class Verification:
    """What is counted again."""

    part: float
    """Of the pieces, from 0 to 1."""
    references: tuple[str, ...]
    """None of them where nothing is."""
    threads: int
    timeout: float


def events(
    ledger: Ledger, executor: Executor[Order], verification: Verification, interrupt: Interrupt
) -> Iterator[CountProgress | Notice | CountFinished]:
    """Yield what happens, and in the end the result, as far as there is one.

    What was disputed before is looked at in any case. Raises CountError, DatabaseError.
    """
    verifying = Verifying(
        ledger, moves_black(ledger), verification.threads, verification.timeout, is_here=executor.is_here
    )
    for _ in range(MOST_ROUNDS):
        yield from verifying.settle()
        if verifying.mismatch is not None:
            break
        yield from PieceScheduler(ledger, executor).events(interrupt)
        if interrupt.requested:
            break
        before = len(ledger.wrong_workers())
        for reference in verification.references:
            yield from verifying.events(reference, share(ledger, verification.part), interrupt)
        for worker in ledger.wrong_workers()[before:]:
            executor.dismiss(worker)
        if verifying.mismatch is not None or interrupt.requested or not ledger.pieces_left():
            break
    else:
        raise CountError(f"{ledger.count.engine} does not count the same each time")
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
        tuple(ledger.wrong_workers()),
        verifying.mismatch,
    )
