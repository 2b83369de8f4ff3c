"""Judge a failure: whether it is an error of all totals, whether it comes again in a new process, and its cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from ....errors import UsageError
from ....generator.line import Line
from ....generator.setup import Setup
from ....suites.case import label
from ...engines.asking.histories import save_history
from ...engines.asking.misreading import MisreadingGuard
from ...engines.asking.retry import FROM_TIME_TO_TIME, Reproducer, Reproducibility
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError, EngineTimeout
from ...engines.spec import short_names
from ...model.results.events import CaseResult
from ...model.results.finding import Cause, Finding
from ...model.results.verdict import Verdict
from ...model.shutdown import Interrupted
from ..comparing import both_divides, compare_divides, first_wrong_count
from ..consistency import first_unlisted
from ..descent.descending import descend
from ..long_lines import too_long
from ..setups import with_fewest_options
from ..systematic.looking import SystematicErrors
from .failures import CaseTally, Judgment, UnjudgedFailure
from .known_causes import CauseRecognizer, KnownFaults

EXPLAIN_NODES = 3_000_000
"""Up to this many leaf nodes a slow reference is asked to explain a mismatch."""


class FailureJudge:
    """Finds out why an engine is wrong, by its references, or else by an arbiter."""

    def __init__(
        self,
        engine: EngineSession,
        reproducer: Reproducer,
        references: Sequence[EngineSession],
        arbiter: Callable[[], EngineSession] | None,
        show: Callable[[str], None],
    ) -> None:
        """Take the engines; `arbiter` returns the one that explains a mismatch where there is no reference, started.

        `show` is called with what the user waits for.
        """
        self._engine, self._references, self._arbiter, self._show = engine, references, arbiter, show
        self._reproducer, self._recognizer = reproducer, CauseRecognizer(engine)
        self._systematic, self._guard = SystematicErrors(engine), MisreadingGuard(engine)

    def judge(self, failure: UnjudgedFailure, known: KnownFaults) -> Judgment:
        """Return what comes of a failure by what is `known`.

        If its `explain` is 0, divides are compared and no more. Raises NotUnderstood if the correct count is printed
        and was not read.
        """
        if failure.error is None or not failure.error.of_reference:
            with suppress(Interrupted):
                self._guard.check(failure.line, failure.tally.depth)
        self._causes = known.causes
        self._reproducer.retries, self._systematic.search = known.retries, known.search
        tally = replace(failure.tally)
        if self._is_systematic(failure, tally):
            self._reproducer.keep_process()
            result = failure.result_of(tally)
        else:
            result = self._judge_anew(failure, failure.result_of(tally)) or self._explain(failure, tally)
            self._reproducer.forget()
        return Judgment(result, KnownFaults(self._causes, self._reproducer.retries, self._systematic.search))

    @property
    def _seeks_cause(self) -> bool:
        """Whether a difference is followed down to its cause."""
        return self._causes.enough > 0

    def _is_systematic(self, failure: UnjudgedFailure, tally: CaseTally) -> bool:
        """Tell whether a wrong total is a systematic error of the engine, which is noted."""
        total, finding = failure.total, None
        if self._seeks_cause and total is not None and total not in dict(tally.references).values():
            with suppress(Interrupted):
                finding = self._systematic.explain_total(failure.line, tally.depth, total, failure.answer_before)
        tally.finding = finding or tally.finding
        return finding is not None

    def _judge_anew(self, failure: UnjudgedFailure, failed: CaseResult) -> CaseResult | None:
        """Return what becomes of a failure that a new process does not show at once, or None where it does.

        It stays what it is where it comes again after all that was asked before; else it is not
        reproduced. Both have that as their replay. A stopped run asks no more.
        """
        error = failure.error
        if failed.verdict is Verdict.SPLIT or (error is not None and error.of_reference):
            return None
        self._reproducer.restore(failure.history)
        history = self._reproducer.history
        try:
            comes = self._reproducer.reproduce(error)
        except Interrupted:
            return None
        return None if comes is Reproducibility.ALONE else tell_history(self._reproducer, failed, history, comes)

    def _explain(self, failure: UnjudgedFailure, tally: CaseTally) -> CaseResult:
        """Return a failure that comes again at once, with its cause."""
        line = failure.line
        if failure.is_after_moves and (unread := self._find_unread(failure, tally)) is not None:
            return unread
        if failure.is_after_moves and (unlisted := self._find_unlisted(tally, line)) is not None:
            return unlisted
        if failure.error is not None:
            shallower = self._find_wrong_count(failure, tally)
            if shallower is None:
                return failure.result_of(tally)
            failure = shallower
        tally.expected, tally.got = failure.expected, failure.got
        if failure.is_after_moves:
            with suppress(Interrupted, EngineError):
                line = self._simplify_setup(tally, line)
        return failure.result_of(tally, "; ".join([failure.message, *self._remarks(tally, line)]), line)

    def _find_wrong_count(self, failure: UnjudgedFailure, tally: CaseTally) -> UnjudgedFailure | None:
        """Return an incorrect count at a lower depth than the one that fails, because it may be the cause."""
        is_failure = failure.verdict in (Verdict.CRASH, Verdict.TIMEOUT)
        if failure.error is None or not is_failure or tally.finding is not None:
            return None
        depths = range(max(1, self._engine.min_depth, tally.agreed + 1), tally.depth)
        try:
            wrong = first_wrong_count(failure.line, depths, self._engine, failure.error)
        except Interrupted:
            return None
        if wrong is None:
            return None
        fails = f"at depth {tally.depth} the engine fails: {failure.message}"
        tally.depth, got, expected = wrong
        message = f"{got - expected:+,} nodes; {fails}"
        return replace(
            failure,
            verdict=Verdict.MISMATCH,
            message=message,
            expected=expected,
            got=got,
            error=None,
            answer_before=None,
        )

    def _find_unread(self, failure: UnjudgedFailure, tally: CaseTally) -> CaseResult | None:
        """Return that the engine cannot read a line because of its length; None if it can, or is silent too long."""
        if isinstance(failure.error, EngineTimeout):
            return None
        try:
            why = too_long(failure.line, tally.depth, self._engine)
        except (Interrupted, EngineError):
            return None
        if why is None:
            return None
        tally.expected, tally.got = failure.expected, failure.got
        return replace(failure, verdict=Verdict.MISMATCH, error=None).result_of(tally, why, failure.line)

    def _find_unlisted(self, tally: CaseTally, line: Line) -> CaseResult | None:
        """Return that the engine does not list a move of a line, which therefore it cannot play; None where it does."""
        try:
            place = first_unlisted(line, self._engine)
            if place is None:
                return None
            if (reference := self._reference_for(tally)) is not None:
                before = Line(Line(line.base, line.moves[:place]).position)
                self._compare(tally, before, reference)
                self._descend(tally, before, reference)
                if tally.finding is None and self._seeks_cause and place:
                    played = replace(line, moves=line.moves[:place])
                    tally.finding = descend(played, max(1, self._engine.min_depth), self._engine, reference)
        except (Interrupted, EngineError):
            return None
        move = line.uci_moves()[place]
        return tally.result(Verdict.MISMATCH, f"{move} of the moves {' '.join(line.uci_moves())} is not in its list")

    def _simplify_setup(self, tally: CaseTally, line: Line) -> Line:
        """Return the line of a wrong count, set up by the fewest options that show it. Raises EngineError, Interrupted.

        Unless the cause is sought, and a reference is at hand, it is the same.
        """
        if not (self._seeks_cause and isinstance(line, Setup)) or (reference := self._reference_for(tally)) is None:
            return line
        right = reference.divide(line.afresh(), tally.depth)
        return with_fewest_options(line, tally.depth, self._engine.expecting(tally.expected or 0), right)

    def _remarks(self, tally: CaseTally, line: Line) -> list[str]:
        """Compare root moves and, unless told not to, follow the difference down to its cause; return remarks.

        A failure of a cause that is explained often enough is only counted with it.
        """
        remarks = []
        try:
            if self._is_known(tally, line):
                return [f"the same symptom as {tally.like}, which is explained (--explain all explains this one, too)"]
            reference = self._reference_for(tally)
            if reference is not None:
                reference = reference.expecting(tally.expected or 0)
                self._compare(tally, line, reference)
                remarks += _remarks_on_divides(tally)
                self._descend(tally, line, reference)
                self._causes = self._causes.and_finding(label(tally.suite, tally.case.name), tally.finding)
        except Interrupted:
            remarks.append("stopped before the cause was found")
        except EngineError as error:
            tally.finding = error.finding
            remarks.append(f"not explained: {error}" if error.finding is None else str(error))
        return remarks

    def _is_known(self, tally: CaseTally, line: Line) -> bool:
        """Tell whether a failure is of a cause that is explained often enough, which is then noted."""
        known = None
        if tally.expected is not None:
            settled = self._causes.settled
            known = self._recognizer.recognize(line, tally.depth, tally.expected, tally.agreed, settled)
        if known is not None:
            tally.finding, tally.like = known
        return known is not None

    def _reference_for(self, tally: CaseTally) -> EngineSession | None:
        """Return the first reference that contradicts the engine, or the arbiter where there are none."""
        answers = dict(tally.references)
        for reference in self._references:
            if answers.get(reference.spec) not in (None, tally.got):
                return reference
        if self._references or self._arbiter is None:
            return None
        arbiter = self._arbiter()
        return None if arbiter.engine.is_slow and (tally.expected or 0) > EXPLAIN_NODES else arbiter

    def _compare(self, tally: CaseTally, line: Line, reference: EngineSession) -> None:
        """Note how the divides differ."""
        self._show(f"{tally.case.name}: comparing moves with {reference.name}")
        engine = self._engine.expecting(tally.expected or 0)
        got, expected = both_divides(line, tally.depth, engine, reference)
        tally.difference = compare_divides(line.position, tally.depth, engine.spec, got, reference.spec, expected)

    def _descend(self, tally: CaseTally, line: Line, reference: EngineSession) -> None:
        """Note the cause of a difference, unless told not to look for it."""
        if self._seeks_cause and tally.difference is not None and tally.difference.differs:
            engine = self._engine.expecting(tally.expected or 0)
            tally.finding = descend(line, tally.depth, engine, reference)


def _remarks_on_divides(tally: CaseTally) -> list[str]:
    """Return what the divides tell beyond the root moves that differ."""
    difference = tally.difference
    if difference is None:
        return []
    names = short_names((difference.engine, difference.reference))
    perfts = {difference.reference: difference.expected} | dict(tally.references) | {difference.engine: tally.got}
    remarks = [
        f"{names[spec]} contradicts itself: its divide adds up to {total:,}, its perft is {perfts[spec]:,}"
        for spec, total in ((difference.engine, difference.got), (difference.reference, difference.expected))
        if total != perfts[spec]
    ]
    if not remarks and not difference.moves and difference.got == difference.expected:
        engine, reference = names[difference.engine], names[difference.reference]
        remarks.append(f"{reference} agrees with {engine}: the count in the suite looks wrong")
    return remarks


def tell_history(
    reproducer: Reproducer, failed: CaseResult, history: Sequence[str], comes: Reproducibility
) -> CaseResult:
    """Return a failure that comes again after all that was asked before, from time to time, or never."""
    if comes is Reproducibility.FROM_TIME_TO_TIME:
        note = f"{FROM_TIME_TO_TIME}; asked again, it was {reproducer.trials.text}"
        finding = Finding(cause=Cause.VANISHED, fen=failed.fen, chess960=failed.chess960, note=note, depth=failed.depth)
        return replace(failed, finding=finding)
    several = f"asked for all {len(history):,} positions so far"
    asked = several if len(history) > 1 else "asked for it after the trial at its start"
    is_history = comes is Reproducibility.AFTER_HISTORY
    kept = ": it keeps state or a hash table" if failed.verdict is Verdict.MISMATCH else ""
    text = f"a new process fails only once it has been {asked}{kept}"
    if not is_history:
        text = f"a new process, {asked}, does not"
    if is_history and reproducer.trials.after > 1:
        text += f" ({reproducer.trials.text})"
    with suppress(UsageError):  # where it cannot be written
        failed = replace(failed, replay=str(save_history(history)))
    failed = replace(failed, message=f"{failed.message}; {text}")
    return failed if is_history else failed.not_reproduced()
