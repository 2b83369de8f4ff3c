"""What is told of a mismatch beyond the count: an error of all totals, moves that are not listed, and the cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from ....generator.line import Line
from ....generator.setup import Setup
from ...asking.client import EngineClient
from ...engines.base import EngineError
from ...model.results.events import CaseResult
from ...model.results.verdict import Verdict
from ...model.shutdown import Interrupted
from ..comparing import both_divides, compare_divides
from ..consistency import first_unlisted
from ..descent.descending import descend
from ..setups import with_fewest_options
from ..systematic.looking import SystematicErrors
from .tally import CaseTally

EXPLAIN_NODES = 3_000_000
"""Up to this many leaf nodes a slow reference is asked to explain a mismatch."""


class MismatchExplainer:
    """Finds out why an engine is wrong, by its references, or else by an arbiter."""

    def __init__(
        self,
        engine: EngineClient,
        references: Sequence[EngineClient],
        arbiter: Callable[[], EngineClient] | None,
        tell: Callable[[str], None],
        *,
        seeks_cause: bool,
    ) -> None:
        """Take the engines; `arbiter` returns the one that explains a mismatch where there is no reference, started.

        `tell` is called with a line that says what the user waits for. Unless it `seeks_cause`, divides are compared
        and no more.
        """
        self._engine, self._references, self._arbiter, self._tell = engine, references, arbiter, tell
        self.seeks_cause = seeks_cause
        """Whether a difference is followed down to its cause."""
        self._systematic = SystematicErrors(engine)

    def is_systematic(self, tally: CaseTally, line: Line, total: int, before: int | None) -> bool:
        """Tell whether a wrong total is a systematic error of the engine, which is noted."""
        if self.seeks_cause and total not in dict(tally.references).values():
            with suppress(Interrupted):
                tally.finding = self._systematic.finding(line, tally.depth, total, before)
        tally.is_systematic = tally.finding is not None
        return tally.is_systematic

    def find_unlisted(self, tally: CaseTally, line: Line) -> CaseResult | None:
        """Return that the engine does not list a move of a line, which therefore it cannot play; None where it does."""
        try:
            place = first_unlisted(line, self._engine)
            if place is None:
                return None
            if (reference := self.reference_for(tally)) is not None:
                before = Line(Line(line.base, line.moves[:place]).position)
                self._compare(tally, before, reference)
                self._descend(tally, before, reference)
        except (Interrupted, EngineError):
            return None
        move = line.uci_moves()[place]
        return tally.result(Verdict.MISMATCH, f"{move} of the moves {' '.join(line.uci_moves())} is not in its list")

    def simplify_setup(self, tally: CaseTally, line: Line) -> Line:
        """Return the line of a wrong count, set up by the fewest options that show it. Raises EngineError, Interrupted.

        Unless the cause is sought, and a reference is at hand, it is the same.
        """
        if not (self.seeks_cause and isinstance(line, Setup)) or (reference := self.reference_for(tally)) is None:
            return line
        right = reference.divide(line.afresh(), tally.depth)
        return with_fewest_options(line, tally.depth, self._engine.expecting(tally.expected or 0), right)

    def explain(self, tally: CaseTally, line: Line) -> list[str]:
        """Compare root moves and, unless told not to, follow the difference down to its cause; return remarks."""
        remarks = []
        try:
            reference = self.reference_for(tally)
            if reference is not None:
                reference = reference.expecting(tally.expected or 0)
                self._compare(tally, line, reference)
                remarks += _remarks(tally)
                self._descend(tally, line, reference)
        except Interrupted:
            remarks.append("stopped before the cause was found")
        except EngineError as error:
            tally.finding = error.finding
            remarks.append(f"not explained: {error}" if error.finding is None else str(error))
        return remarks

    def reference_for(self, tally: CaseTally) -> EngineClient | None:
        """Return the first reference that contradicts the engine, or the arbiter where there are none."""
        answers = dict(tally.references)
        for reference in self._references:
            if answers.get(reference.name) not in (None, tally.got):
                return reference
        if self._references or self._arbiter is None:
            return None
        arbiter = self._arbiter()
        return None if arbiter.engine.is_slow and (tally.expected or 0) > EXPLAIN_NODES else arbiter

    def _compare(self, tally: CaseTally, line: Line, reference: EngineClient) -> None:
        """Note how the divides differ."""
        self._tell(f"{tally.case.name}: comparing moves with {reference.name}")
        engine = self._engine.expecting(tally.expected or 0)
        got, expected = both_divides(line, tally.depth, engine, reference)
        tally.difference = compare_divides(line.position, tally.depth, engine.name, got, reference.name, expected)

    def _descend(self, tally: CaseTally, line: Line, reference: EngineClient) -> None:
        """Note the cause of a difference, unless told not to look for it."""
        if self.seeks_cause and tally.difference is not None and tally.difference.differs:
            engine = self._engine.expecting(tally.expected or 0)
            tally.finding = descend(line, tally.depth, engine, reference)


def _remarks(tally: CaseTally) -> list[str]:
    """Return what the divides tell beyond the root moves that differ."""
    difference = tally.difference
    if difference is None:
        return []
    perfts = {difference.reference: difference.expected} | dict(tally.references) | {difference.engine: tally.got}
    remarks = [
        f"{name} contradicts itself: its divide adds up to {total:,}, its perft is {perfts[name]:,}"
        for name, total in ((difference.engine, difference.got), (difference.reference, difference.expected))
        if total != perfts[name]
    ]
    if not remarks and not difference.moves and difference.got == difference.expected:
        remarks.append(f"{difference.reference} agrees with {difference.engine}: the count in the suite looks wrong")
    return remarks
