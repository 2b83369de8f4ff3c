"""A count from a ledger to its number: hand out, verify, hand out again what was wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..model.results.counting import CountFinished, CountProgress
from ..model.results.events import Notice
from ..model.shutdown import Interrupt
from .handing_out import HandingOut, moves_black
from .ledger.ledger import Ledger
from .verifying import Verifying, share
from .workers.base import Workers


@dataclass(frozen=True)
class Verification:
    """What is counted again."""

    part: float
    """Of the pieces, from 0 to 1."""
    references: tuple[str, ...]
    threads: int
    timeout: float


def events(
    ledger: Ledger, workers: Workers, engine: str, verification: Verification | None, interrupt: Interrupt
) -> Iterator[CountProgress | Notice | CountFinished]:
    """Yield what happens, and in the end the result, as far as there is one.

    Raises CountError, DatabaseError.
    """
    mismatch, verified = None, 0
    while True:
        yield from HandingOut(ledger, workers, engine).events(interrupt)
        if verification is None or interrupt.requested:
            break
        before = len(ledger.wrong_workers())
        verifying = Verifying(ledger, engine, moves_black(ledger), verification.threads, verification.timeout)
        for reference in verification.references:
            yield from verifying.events(reference, share(ledger, verification.part), interrupt)
        for worker in ledger.wrong_workers()[before:]:
            workers.dismiss(worker)
        mismatch = verifying.mismatch
        if mismatch is not None or interrupt.requested or not ledger.uncounted():
            verified = len(set.union(*map(ledger.verified, verification.references)))
            break
    count, cut = ledger.count, ledger.cut
    done, seconds = ledger.done()
    yield CountFinished(
        count.fen,
        count.chess960,
        count.depth,
        count.split,
        engine,
        cut.positions,
        cut.pieces,
        done,
        ledger.nodes(),
        seconds,
        verified,
        tuple(ledger.wrong_workers()),
        mismatch,
    )
