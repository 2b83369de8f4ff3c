"""Explain failures: whether they are systematic errors, whether they are reproducible, and what causes them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ....errors import UsageError
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import PositionSetup
from ....suites.case import label
from ...engines.asking.confirming import Confirmation, Reproducibility
from ...engines.asking.histories import format_game, save_history
from ...engines.asking.misreading import MisreadingGuard
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError, EngineTimeout
from ...engines.spec import short_names
from ...model.results.events import CaseResult
from ...model.results.finding import varying_answers
from ...model.results.verdict import Verdict
from ...shutdown import Interrupted
from ..comparing import both_divides, compare_divides, first_wrong_count, least_depth
from ..consistency import first_unlisted
from ..descent.descending import descend
from ..setups import explain_long_game, with_fewest_options
from ..systematic.search import SystematicErrorSearch
from .counter import CaseCounter
from .known_causes import KnownCauses
from .record import CaseRecord, Failure
from .reproducer import AskedQuestion

EXPLAIN_NODES = 3_000_000
"""Maximum number of leaf nodes up to which a slow reference is used to explain a mismatch."""


class Explainer:
    """Explains the failures of a run one by one, using the engines of one of the run's counters.

    The treatment of a failure depends on earlier ones: only three failures of each cause are explained, and once
    several failures have been reproduced, others are no longer retried in a new process.
    """

    def __init__(self, counter: CaseCounter) -> None:
        """Use the engines of this counter, which must be idle while a failure is being explained."""
        self._counter, self._engine, self._references = counter, counter.engine, counter.references
        self._reproducer, self._retries = counter.reproducer, counter.reproducer.retries
        self._causes = KnownCauses(counter.engine, counter.plan.explain)
        self._systematic, self._guard = SystematicErrorSearch(counter.engine), MisreadingGuard(counter.engine)
        self._arbiter: EngineSession | None = None
        """The engine that explains mismatches if there is no reference, or None until it is started."""

    def is_urgent(self, failure: Failure) -> bool:
        """Return True if a failure should be explained before more cases are counted.

        This applies to failures that are retried in a new process, because the result affects the treatment of others
        and whether a process that has failed is used again.
        """
        is_believed = self._retries.keeps_process or self._reproducer.believes(failure.error)
        return failure.accuses_engine and not is_believed

    def explain(self, failure: Failure) -> CaseResult:
        """Return the result of a failed case. If the cause is not to be explained, only compare divides.

        Raises NotUnderstood if the engine printed the correct count but its output was not understood.
        """
        record = replace(failure.record)
        try:
            if not failure.is_of_search and (failure.error is None or not failure.error.of_reference):
                self._guard.check(failure.game, failure.record.depth)
            if self._is_systematic(failure, record):
                self._counter.keep_process()
                return failure.result_of(record)
            result = self._retry(failure, failure.result_of(record)) or self._find_cause(failure, record)
        except Interrupted:
            result = failure.as_counted(record)
        self._counter.forget()
        return result

    def close(self) -> None:
        """Close the engine that explains mismatches."""
        if self._arbiter is not None:
            self._arbiter.close()

    @property
    def _seeks_cause(self) -> bool:
        return self._counter.plan.explain > 0

    def _is_systematic(self, failure: Failure, record: CaseRecord) -> bool:
        """Return True, and record the error, if an incorrect total is a systematic error of the engine.

        Raises Interrupted.
        """
        total = failure.total
        if not self._seeks_cause or total is None or total in dict(record.references).values():
            return False
        finding = self._systematic.explain_total(failure.game, record.depth, total, failure.answer_before)
        self._retries.is_systematic = self._systematic.known is not None
        record.finding = finding or record.finding
        return finding is not None

    def _retry(self, failure: Failure, failed: CaseResult) -> CaseResult | None:
        """Retry a failure in a new process; return its result if the question alone does not reproduce it.

        If the failure is reproduced after all earlier questions, it keeps its verdict; otherwise its verdict is "not
        reproduced". In both cases, the questions are stored in the result so that they can be replayed. Return None if
        the question alone reproduces the failure. Raises Interrupted.
        """
        if not failure.accuses_engine:
            return None
        found = self._reproducer.reproduce(failure.history, failure.error)
        if found.reproducibility is Reproducibility.ALONE:
            return None
        return _describe_history(failed, failure.history, found)

    def _find_cause(self, failure: Failure, record: CaseRecord) -> CaseResult:
        """Return the result of a failure, with its cause if one is found. Raises Interrupted."""
        game = failure.game
        if failure.is_of_search:
            return failure.result_of(record)
        if failure.is_after_moves and (unread := self._find_unread(failure, record)) is not None:
            return unread
        if failure.is_after_moves and (unlisted := self._find_unlisted(record, game)) is not None:
            return unlisted
        if failure.error is not None:
            shallower = self._find_wrong_count(failure, record)
            if shallower is None:
                return failure.result_of(record)
            failure = shallower
        record.expected, record.got = failure.expected, failure.got
        if failure.is_after_moves:
            with suppress(EngineError):
                game = self._simplify_setup(record, game)
        return failure.result_of(record, "; ".join([failure.message, *self._remarks(record, game)]), game)

    def _find_wrong_count(self, failure: Failure, record: CaseRecord) -> Failure | None:
        """Return a failure at a lower depth whose incorrect count may be the cause, or None. Raises Interrupted."""
        is_failure = failure.verdict in (Verdict.CRASH, Verdict.TIMEOUT)
        if failure.error is None or not is_failure or record.finding is not None:
            return None
        depths = range(max(1, self._engine.min_depth, record.agreed + 1), record.depth)
        wrong = first_wrong_count(failure.game, depths, self._engine, failure.error)
        if wrong is None:
            return None
        fails = f"at depth {record.depth} the engine fails: {failure.message}"
        record.depth, got, expected = wrong
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

    def _find_unread(self, failure: Failure, record: CaseRecord) -> CaseResult | None:
        """Return the result if the `position` line of a game is too long for the engine, or None otherwise.

        Raises Interrupted.
        """
        if isinstance(failure.error, EngineTimeout):
            return None
        try:
            why = explain_long_game(failure.game, record.depth, self._engine)
        except EngineError:
            return None
        if why is None:
            return None
        record.expected, record.got = failure.expected, failure.got
        return replace(failure, verdict=Verdict.MISMATCH, error=None).result_of(record, why, failure.game)

    def _find_unlisted(self, record: CaseRecord, game: Game) -> CaseResult | None:
        """Return the result if the engine cannot play a game because it does not list one of the moves, or None.

        Raises Interrupted.
        """
        try:
            index = first_unlisted(game, self._engine)
            if index is None:
                return None
            if (reference := self._reference_for(record)) is not None:
                before = Game(Game(game.base, game.moves[:index]).position)
                self._compare(record, before, reference)
                self._descend(record, before, reference)
                if record.finding is None and self._seeks_cause and index:
                    played = replace(game, moves=game.moves[:index])
                    record.finding = descend(played, least_depth(self._engine), self._engine, reference)
        except EngineError:
            return None
        move = game.uci_moves()[index]
        return record.result(Verdict.MISMATCH, f"{move} of the moves {' '.join(game.uci_moves())} is not in its list")

    def _simplify_setup(self, record: CaseRecord, game: Game) -> Game:
        """Return the game of an incorrect count with the fewest setup options that reproduce it.

        The game is unchanged if causes are not to be explained or there is no reference. Raises EngineError,
        Interrupted.
        """
        if (
            not (self._seeks_cause and isinstance(game, PositionSetup))
            or (reference := self._reference_for(record)) is None
        ):
            return game
        expected = reference.divide(game.without_moves(), record.depth)
        return with_fewest_options(game, record.depth, self._engine.expecting(record.expected or 0), expected)

    def _remarks(self, record: CaseRecord, game: Game) -> list[str]:
        """Compare root moves and, if causes are to be explained, trace the difference to its cause; return remarks.

        If enough failures with the same cause have been explained, this one is only counted. Raises Interrupted.
        """
        remarks = []
        try:
            if self._is_known(record, game):
                return [f"the same symptom as {record.like}, which is explained (--explain all explains this one, too)"]
            reference = self._reference_for(record)
            if reference is not None:
                reference = reference.expecting(record.expected or 0)
                self._compare(record, game, reference)
                remarks += _remarks_on_divides(record)
                self._descend(record, game, reference)
                self._causes.note(label(record.suite, record.case.name), record.finding)
        except EngineError as error:
            record.finding = error.finding
            remarks.append(f"not explained: {error}" if error.finding is None else str(error))
        return remarks

    def _is_known(self, record: CaseRecord, game: Game) -> bool:
        """Return True, and record the cause, if enough failures with the same cause have been explained."""
        known = None
        if record.expected is not None:
            known = self._causes.recognize(game, record.depth, record.expected, record.agreed)
        if known is not None:
            record.finding, record.like = known
        return known is not None

    def _reference_for(self, record: CaseRecord) -> EngineSession | None:
        """Return the first reference that contradicts the engine, or the arbiter if there are no references."""
        answers = dict(record.references)
        for reference in self._references:
            if answers.get(reference.spec) not in (None, record.got):
                return reference
        arbiter = None if self._references else self._start_arbiter()
        if arbiter is not None and arbiter.engine.is_slow and (record.expected or 0) > EXPLAIN_NODES:
            return None
        return arbiter

    def _start_arbiter(self) -> EngineSession | None:
        """Return the engine that explains mismatches, or None if the run has none. Start it when it is first needed."""
        opener = self._counter.plan.arbiter
        if self._arbiter is None and opener is not None:
            self._arbiter = opener(self._counter.runner, self._engine.limit)
            self._counter.start_engine(self._arbiter)
        return self._arbiter

    def _compare(self, record: CaseRecord, game: Game, reference: EngineSession) -> None:
        engine = self._engine.expecting(record.expected or 0)
        got, expected = both_divides(game, record.depth, engine, reference)
        record.difference = compare_divides(game.position, record.depth, engine.spec, got, reference.spec, expected)

    def _descend(self, record: CaseRecord, game: Game, reference: EngineSession) -> None:
        if self._seeks_cause and record.difference is not None and record.difference.differs:
            engine = self._engine.expecting(record.expected or 0)
            record.finding = descend(game, record.depth, engine, reference)


def _remarks_on_divides(record: CaseRecord) -> list[str]:
    """Return remarks on divides, apart from the root moves that differ."""
    difference = record.difference
    if difference is None:
        return []
    names = short_names((difference.engine, difference.reference))
    perfts = {difference.reference: difference.expected} | dict(record.references) | {difference.engine: record.got}
    remarks = [
        f"{names[spec]} contradicts itself: its divide adds up to {total:,}, its perft is {perfts[spec]:,}"
        for spec, total in ((difference.engine, difference.got), (difference.reference, difference.expected))
        if total != perfts[spec]
    ]
    if not remarks and not difference.moves and difference.got == difference.expected:
        engine, reference = names[difference.engine], names[difference.reference]
        remarks.append(f"{reference} agrees with {engine}: the count in the suite looks wrong")
    return remarks


def _describe_history(
    failed: CaseResult, history: Sequence[AskedQuestion], found: Confirmation[AskedQuestion]
) -> CaseResult:
    """Describe a failure that is reproduced only after earlier questions, only sometimes, or never."""
    if found.reproducibility is Reproducibility.FROM_TIME_TO_TIME:
        position = Position.from_fen(failed.fen, failed.chess960)
        finding = varying_answers(position, f"asked again, it was {found.trials.text}", failed.depth)
        return replace(failed, finding=finding)
    number, shortest = len(history), len(found.history)
    asked = f"asked for all {number:,} positions so far"
    if number == 1:
        asked = "asked for it alone"
    elif shortest < number:
        asked = f"asked for the last {shortest:,} of the {number:,} positions so far"
    is_reproduced = found.reproducibility is Reproducibility.AFTER_HISTORY
    text = f"a new process, {asked}, does not"
    if is_reproduced:
        kept = ": it keeps state or a hash table" if failed.verdict is Verdict.MISMATCH else ""
        text = f"a new process fails only once it has been {asked}{kept}"
        text += f" ({found.trials.text})" if found.trials.after > 1 else ""
    with suppress(UsageError):  # the file cannot be written
        failed = replace(failed, replay=str(save_history([format_game(question.game) for question in found.history])))
    failed = replace(failed, message=f"{failed.message}; {text}")
    return failed if is_reproduced else failed.with_verdict(Verdict.NOT_REPRODUCED)
