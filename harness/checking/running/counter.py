"""Count the cases of a suite, and compare with the suite and the references."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import cached_property

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position_setup import PositionSetup, describe_setup
from ....suites.case import Case
from ...engines.asking.runner import CallRunner
from ...engines.asking.session import EngineSession
from ...engines.asking.trials import is_silence
from ...engines.base import CountsAnotherPosition, EngineError, EngineTimeout
from ...engines.spec import short_names
from ...model.capabilities import CapabilityUse
from ...model.results.events import CaseResult
from ...model.results.verdict import Verdict
from ...model.shutdown import Interrupted
from ..comparing import is_count_of_start, judge
from ..fen_fields import FieldRefusals
from ..setups import Limits, limit_notice, setup_limits
from .plan import RunPlan
from .record import CaseRecord, Failure
from .reproducer import AskedQuestion, Reproducer, Retries

MOST_SILENT = 3
"""Timeouts at a depth without a single answer after which the engine is not asked for that depth."""
Outcome = CaseResult | Failure
"""What comes of the counts of a case."""


class CaseCounter:
    """Counts cases with one engine and its references, in one thread at a time."""

    def __init__(
        self,
        plan: RunPlan,
        notify: Callable[[str], None],
        runner: CallRunner | None = None,
        *,
        show: Callable[[str], None] = lambda _waiting: None,
        retries: Retries | None = None,
    ) -> None:
        """Open the engine under test and its references. Raises UsageError.

        `notify` is called with a line that the user should know, and `show` with what the user only waits for. `runner`
        carries out the questions, by default in the thread that asks. `retries` is what is known of the reproducibility
        of failures; all counters of a run share it.
        """
        self.plan, self._notify, self.show = plan, notify, show
        self.runner = runner or CallRunner()
        """Carries out the questions, one at a time."""
        self.engine = EngineSession(
            plan.engine(), self.runner, plan.limit, insists_on_chess960=plan.insists_on_chess960
        )
        """The engine under test."""
        self.references = [
            EngineSession(opener(), self.runner, plan.limit, is_reference=True) for opener in plan.references
        ]
        self.reproducer = Reproducer(self.engine, show, retries)
        """Remembers what the process of the engine under test was asked."""
        self._answer_before: int | None = None
        """The engine's answer to the previous question, if its process was not started since."""
        self._limits: dict[bool, Limits] = {}
        """The setups that the engine does not take in standard chess and Chess960, once the engine was asked."""
        self._refusals = FieldRefusals(self.engine, notify)
        self._silent: Counter[int] = Counter()
        """Timeouts at each depth."""
        self._is_counting = False
        """Whether the engine under test is counting what the suite asks for."""

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The SPECs of engine and references."""
        return self.engine.spec, tuple(reference.spec for reference in self.references)

    @cached_property
    def _short_names(self) -> dict[str, str]:
        """The names of engine and references in sentences, by their SPECs."""
        engine, references = self.names
        return short_names((engine, *references))

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way."""
        return self.runner.latest.nodes if self._is_counting else 0

    @property
    def asked(self) -> str:
        """The engine that is being asked now."""
        return self.runner.asked

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""
        return self.engine.use

    def start(self) -> None:
        """Start the engines. Raises EngineError, Interrupted."""
        for session in (self.engine, *self.references):
            self.start_engine(session)

    def start_engine(self, session: EngineSession) -> None:
        """Start one engine, and print what the user should know about it. Raises EngineError, Interrupted."""
        if (line := session.engine.notice()) is not None:
            self._notify(line)
        session.start()
        least = None if session.counts_all_depths else session.depth_limit
        for remark in filter(None, (session.insisting_notice, session.remark(), least)):
            self._notify(remark)
        if self.plan.outline.has_chess960 and (why := session.no_chess960) is not None:
            skipped = "such positions are skipped; to ask anyway, add --chess960"
            then = "it is no reference for such cases" if session.is_reference else skipped
            self._notify(f"{session.name} does not support Chess960: {why}; {then}")

    def check_time(self) -> None:
        """End the count under way if it takes too long."""
        self.runner.latest.enforce_deadline()

    def stop(self) -> None:
        """Raise Interrupted at the question under way, or else at the next one."""
        self.runner.stop()

    def close(self) -> None:
        """Close the engines: no more questions come."""
        for session in (self.engine, *self.references):
            session.close()

    def count(self, record: CaseRecord) -> Outcome:
        """Make the next counts of a case, shallow depths first, up to the first one that fails."""
        case = record.case
        if (skipped := self._skip(case, record)) is not None:
            return skipped
        for depth, expected in record.next_counts:
            if not self.engine.may_count(depth):
                record.note(depth, expected, Verdict.SKIPPED)
            elif (ended := self._check_count(record, depth, expected)) is not None:
                return ended
        if record.depth == 0 and case.counts:
            return record.result(Verdict.SKIPPED, self.engine.depth_limit)
        return self._check_moves(record) or record.result(Verdict.AGREE)

    def forget(self) -> None:
        """Begin a new history, with a new process unless failures are known not to depend on what was asked before."""
        self.reproducer.forget()
        self._answer_before = None

    def keep_process(self) -> None:
        """Go on with the process that is there, though it has failed."""
        self.reproducer.keep_process()
        self._answer_before = None

    def _fail(
        self,
        record: CaseRecord,
        game: Game,
        verdict: Verdict,
        message: str,
        counts: tuple[int, int | None],
        before: int | None,
        error: EngineError | None = None,
        *,
        is_after_moves: bool = False,
    ) -> Failure:
        """Return a failure. The process that has failed is asked no more, unless its failures are known to be real."""
        history = self.reproducer.take_history()
        self._answer_before = None
        return Failure(record, game, verdict, message, *counts, before, history, error, is_after_moves)

    def _skip(self, case: Case, record: CaseRecord) -> CaseResult | None:
        """Return why the engine is not asked about a case, or None if it is."""
        if case.position.chess960 and (why := self.engine.no_chess960) is not None:
            return record.result(Verdict.SKIPPED, f"{self.engine.name} does not support Chess960: {why}")
        if (why := self._refusals.known(case.position)) is not None:
            return record.result(Verdict.SKIPPED, why)
        try:
            if case.setup and not self._takes_setup(case):
                return record.result(Verdict.SKIPPED, f"{self.engine.name} cannot be set up so")
        except Interrupted:
            return record.result(Verdict.UNFINISHED, "stopped before the first count")
        return None

    def _check_count(self, record: CaseRecord, depth: int, expected: int) -> Outcome | None:
        """Return how the engine fails at one depth, or None if its count is correct."""
        before, got = self._answer_before, None
        try:
            got = self._answer_before = self._count(record, depth, expected)
            if got == 0 != expected and self._is_beyond_limit(depth):
                record.note(depth, expected, Verdict.SKIPPED)
                return None
            if (refusal := self._find_silent_refusal(record.game, depth, got, expected)) is not None:
                return record.result(Verdict.SKIPPED, refusal)
            answers = self._ask_references(record, depth, expected)
        except Interrupted:
            return record.result(Verdict.UNFINISHED, f"stopped after depth {record.depth}")
        except EngineError as error:
            try:
                if (refusal := self._find_refusal(record.game, error)) is not None:
                    return record.result(Verdict.SKIPPED, refusal)
                if self._is_beyond_limit(depth, error):
                    record.note(depth, expected, Verdict.SKIPPED)
                    return None
            except Interrupted:
                return record.result(Verdict.UNFINISHED, f"stopped after depth {record.depth}")
            record.depth, record.expected, record.got, record.finding = depth, expected, None, error.finding
            record.note(depth, expected, error.verdict)
            return self._fail(record, record.game, error.verdict, str(error), (expected, None), before, error)
        record.depth, record.expected, record.got, record.references = depth, expected, got, answers
        claims = [(self._short_names[spec], count) for spec, count in answers]
        verdict, message = judge(self._short_names[self.engine.spec], got, expected, claims)
        record.note(depth, expected, verdict, got)
        if verdict is Verdict.AGREE:
            return None
        return self._fail(record, record.game, verdict, message, (expected, got), before)

    def _is_beyond_limit(self, depth: int, error: EngineError | None = None) -> bool:
        """Return True, and print why, if the engine counts nothing at this depth, whatever the position.

        `error` is what it has failed with, if not with a count of 0. Raises Interrupted.
        """
        if error is not None and (error.of_reference or not is_silence(error)):
            return False
        if (limit := self.engine.find_depth_limit(depth)) is not None:
            self._notify(f"{limit}; it is not asked for other depths")
            self.forget()
            return True
        if isinstance(error, EngineTimeout) and depth not in self.engine.depths.answered:
            self._silent[depth] += 1
            if self._silent[depth] == MOST_SILENT:
                self.engine.depths.silent.add(depth)
                self._notify(f"{self.engine.depth_limit}, {MOST_SILENT} times: it is not asked for that depth any more")
        return False

    def _takes_setup(self, case: Case) -> bool:
        """Return True if the engine can be brought to a position as the case says. Raises Interrupted."""
        chess960 = case.position.chess960
        if chess960 not in self._limits:
            self._limits[chess960] = setup_limits(self.engine, [chess960])
            if (notice := limit_notice(self.engine.name, self._limits[chess960])) is not None:
                self._notify(notice)
            self.forget()  # what was asked to find out belongs to no history
        return self.engine.can_take(case.played_line, self._limits[chess960].keys())

    def _find_refusal(self, game: Game, error: EngineError) -> str | None:
        """Return which field of a FEN is a limit of the engine that failed after a line, None if it fails otherwise.

        Raises Interrupted.
        """
        refusal = self._refusals.find(game, error)
        if refusal is not None:
            self.forget()
        return refusal

    def _find_silent_refusal(self, game: Game, depth: int, got: int, expected: int) -> str | None:
        """Return which limit of the engine makes it count the starting position; None if there is none.

        Raises Interrupted.
        """
        if not is_count_of_start(got, expected, depth):
            return None
        return self._find_refusal(game, CountsAnotherPosition(f"{self.engine.name} counts the starting position"))

    def _check_moves(self, record: CaseRecord) -> Outcome | None:
        """Return how the engine fails once it has played the moves of a case, or None if it does not."""
        if not record.case.moves or record.later_digits is not None or not self.engine.plays_moves:
            return None
        game = record.case.played_line
        after = f"after the moves {' '.join(game.uci_moves())}"
        if record.case.setup:
            after = f"set up by {describe_setup(record.case.setup, game.uci_moves())}"
        deepest = min(record.case.max_depth, 2) if record.case.setup else 1
        depth = max(deepest, self.engine.min_depth)
        if not self.engine.may_count(depth):
            return None
        expected = perft(game.position, depth)
        error, got, before = None, None, self._answer_before
        try:
            got = self._answer_before = self._ask(game, depth, expected)
        except Interrupted:
            return record.result(Verdict.UNFINISHED, f"stopped {after}")
        except EngineError as failure:
            error = failure
        try:
            if error is not None and (refusal := self._find_refusal(game, error)) is not None:
                return record.result(Verdict.SKIPPED, refusal)
            if got == expected or (not got and self._is_beyond_limit(depth, error)):
                return None
        except Interrupted:
            return record.result(Verdict.UNFINISHED, f"stopped {after}")
        record.depth, record.expected, record.got = depth, None, None
        record.finding = None if error is None else error.finding
        verdict = Verdict.MISMATCH if error is None else error.verdict
        message = f"{after}: {error or f'{got:,} nodes at depth {depth} instead of {expected:,}'}"
        return self._fail(record, game, verdict, message, (expected, got), before, error, is_after_moves=True)

    def _count(self, record: CaseRecord, depth: int, expected: int) -> int:
        """Return the engine's count, and note how long it took."""
        began, self._is_counting = time.perf_counter(), True
        try:
            count = self._ask(record.game, depth, expected)
        finally:
            self._is_counting = False
            record.asked_seconds = time.perf_counter() - began
        record.seconds += record.asked_seconds
        record.nodes += count
        return count

    def _ask(self, game: Game, depth: int, expected: int) -> int:
        """Return the engine's count, and remember that it was asked for. Raises EngineError, Interrupted."""
        self.reproducer.note(AskedQuestion(game, depth, expected))
        return self.engine.expecting(expected).perft(game, depth)

    def _ask_references(self, record: CaseRecord, depth: int, expected: int) -> tuple[tuple[str, int], ...]:
        """Return the references' counts by their SPECs."""
        answers = (
            (one.spec, self._ask_reference(one, record.game, depth, expected))
            for one in self.references
            if one.may_count(depth) and not (record.case.position.chess960 and one.no_chess960)
        )
        return tuple((spec, count) for spec, count in answers if count is not None)

    def _ask_reference(self, reference: EngineSession, game: Game, depth: int, expected: int) -> int | None:
        """Return the count of a reference, None if it counts nothing at this depth. Raises EngineError, Interrupted."""
        try:
            return reference.expecting(expected).perft(_plain(game), depth)
        except EngineError as error:
            if not is_silence(error) or (limit := reference.find_depth_limit(depth)) is None:
                raise
            self._notify(f"the reference {limit}")
            return None


def _plain(game: Game) -> Game:
    """Return a line as references are asked for it: by its FEN alone."""
    return game.afresh() if isinstance(game, PositionSetup) else game
