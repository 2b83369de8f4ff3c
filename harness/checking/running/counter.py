"""Count the cases of suites, and compare the counts with those of the suite and the references."""

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
from ...model.results.events import CaseResult
from ...model.results.verdict import Verdict
from ...shutdown import Interrupted
from ..comparing import is_count_of_start, judge, least_depth
from ..fen_fields import FieldRefusals
from ..searching import check_searches
from ..setups import SetupLimits, limit_notice, setup_limits
from .plan import RunPlan
from .record import CaseRecord, Failure
from .reproducer import AskedQuestion, Reproducer, Retries

MOST_SILENT = 3
"""Number of timeouts at a depth, without any answer, after which that depth is skipped."""
Outcome = CaseResult | Failure
"""The result of a case's counts, or a failure to be explained."""


class CaseCounter:
    """Counts cases with an engine and its references. Use it in one thread at a time."""

    def __init__(
        self,
        plan: RunPlan,
        notify: Callable[[str], None],
        runner: CallRunner | None = None,
        *,
        retries: Retries | None = None,
    ) -> None:
        """Open the engine under test and its references. Raises UsageError.

        Parameters
        ----------
        plan
            The plan of the run.
        notify
            Called with notices for the user, one line each.
        runner
            Runs the calls of the engines, by default in the calling thread.
        retries
            Results of earlier retries of failures, shared by all counters of a run.
        """
        self.plan, self._notify = plan, notify
        self.runner = runner or CallRunner()
        """Runs the calls of the engines, one at a time."""
        self.engine = plan.engine(self.runner, plan.limit)
        """The engine under test."""
        self.references = [opener(self.runner, plan.limit) for opener in plan.references]
        self.reproducer = Reproducer(self.engine, retries)
        """Records the questions to the process of the engine under test."""
        self._answer_before: int | None = None
        """The engine's answer to the previous question, or None if its process has been restarted since then."""
        self._limits: dict[bool, SetupLimits] = {}
        """The setup options that the engine does not accept in standard chess and Chess960, if known.
        """
        self._refusals = FieldRefusals(self.engine, notify)
        self._silent: Counter[int] = Counter()
        """Number of timeouts at each depth."""
        self._is_counting = False
        """Whether the engine under test is running a count of the suite."""

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The SPECs of the engine and its references."""
        return self.engine.spec, tuple(reference.spec for reference in self.references)

    @cached_property
    def _short_names(self) -> dict[str, str]:
        """Short names of the engine and its references for use in sentences, by SPEC."""
        engine, references = self.names
        return short_names((engine, *references))

    @property
    def nodes(self) -> int:
        """Leaf nodes of the current count so far."""
        return self.runner.latest.nodes if self._is_counting else 0

    def start(self) -> None:
        """Start the engines. Raises EngineError, Interrupted."""
        for session in (self.engine, *self.references):
            self.start_engine(session)
        self.forget()  # the trial at the start belongs to no history

    def start_engine(self, session: EngineSession) -> None:
        """Start one engine, and report notices about it. Raises EngineError, Interrupted."""
        if (line := session.engine.notice()) is not None:
            self._notify(line)
        session.start()
        least = None if session.counts_all_depths else session.depth_limit
        for remark in filter(None, (session.insisting_notice, session.remark(), least)):
            self._notify(remark)
        if self.plan.has_chess960 and (why := session.no_chess960) is not None:
            skipped = "Chess960 positions are skipped; to check them anyway, add --chess960"
            then = "it is not used as a reference for such positions" if session.is_reference else skipped
            self._notify(f"{session.name} does not support Chess960: {why}; {then}")

    def close(self) -> None:
        """Close the engines."""
        for session in (self.engine, *self.references):
            session.close()

    def count(self, record: CaseRecord) -> Outcome:
        """Run the next counts of a case in ascending order of depth, up to the first failure."""
        try:
            ended = self._skip(record) or self._check_counts(record) or self._check_searches(record)
            return ended or record.result(Verdict.AGREE)
        except Interrupted:
            return record.result(Verdict.UNFINISHED, f"stopped after depth {record.depth}")

    def forget(self) -> None:
        """Begin a new history, in a new process unless failures are known not to depend on earlier questions."""
        self.reproducer.forget()
        self._answer_before = None

    def keep_process(self) -> None:
        """Continue with the current process although it has failed."""
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
        """Return a failure. The process is not used again unless its failures are known to be reproducible."""
        history = self.reproducer.take_history()
        self._answer_before = None
        return Failure(record, game, verdict, message, *counts, before, history, error, is_after_moves)

    def _skip(self, record: CaseRecord) -> CaseResult | None:
        """Return a result with the reason if a case is to be skipped, or None otherwise. Raises Interrupted."""
        case = record.case
        if case.position.chess960 and (why := self.engine.no_chess960) is not None:
            return record.result(Verdict.SKIPPED, f"{self.engine.name} does not support Chess960: {why}")
        if (why := self._refusals.known(case.position)) is not None:
            return record.result(Verdict.SKIPPED, why)
        if case.setup and not self._takes_setup(case):
            return record.result(Verdict.SKIPPED, f"{self.engine.name} cannot be set up in this way")
        return None

    def _check_counts(self, record: CaseRecord) -> Outcome | None:
        """Check the next counts; return a failure, or None if they are correct. Raises Interrupted."""
        for depth, expected in record.next_counts:
            if not self.engine.may_count(depth):
                record.note(depth, expected, Verdict.SKIPPED)
            elif (ended := self._check_count(record, depth, expected)) is not None:
                return ended
        if record.depth == 0 and record.case.counts:
            return record.result(Verdict.SKIPPED, self.engine.depth_limit)
        return self._check_moves(record)

    def _check_count(self, record: CaseRecord, depth: int, expected: int) -> Outcome | None:
        """Check the count at one depth; return a failure, or None if the count is correct. Raises Interrupted."""
        before, got = self._answer_before, None
        try:
            got = self._answer_before = self._count(record, depth, expected)
            if got == 0 != expected and self._is_beyond_limit(depth):
                record.note(depth, expected, Verdict.SKIPPED)
                return None
            if (refusal := self._find_silent_refusal(record.game, depth, got, expected)) is not None:
                return record.result(Verdict.SKIPPED, refusal)
            answers = self._ask_references(record, depth, expected)
        except EngineError as error:
            if (refusal := self._find_refusal(record.game, error)) is not None:
                return record.result(Verdict.SKIPPED, refusal)
            if self._is_beyond_limit(depth, error):
                record.note(depth, expected, Verdict.SKIPPED)
                return None
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
        """Return True, and report why, if the engine cannot count to this depth in any position.

        `error` is the error of the engine, or None if its count was 0. Raises Interrupted.
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
                self._notify(f"{self.engine.depth_limit} ({MOST_SILENT} attempts), and is not asked for it again")
        return False

    def _takes_setup(self, case: Case) -> bool:
        """Return True if the engine supports the setup options of a case. Raises Interrupted."""
        chess960 = case.position.chess960
        if chess960 not in self._limits:
            self._limits[chess960] = setup_limits(self.engine, [chess960])
            if (notice := limit_notice(self.engine.name, self._limits[chess960])) is not None:
                self._notify(notice)
            self.forget()  # these questions belong to no history
        return self.engine.can_take(case.game_after_moves, self._limits[chess960].keys())

    def _find_refusal(self, game: Game, error: EngineError) -> str | None:
        """Return the refused FEN field that explains an error after a game, or None.

        Raises Interrupted.
        """
        refusal = self._refusals.find(game, error)
        if refusal is not None:
            self.forget()
        return refusal

    def _find_silent_refusal(self, game: Game, depth: int, got: int, expected: int) -> str | None:
        """Return the limit that makes the engine count the starting position instead, or None.

        Raises Interrupted.
        """
        if not is_count_of_start(got, expected, depth):
            return None
        return self._find_refusal(game, CountsAnotherPosition(f"{self.engine.name} counts the starting position"))

    def _check_moves(self, record: CaseRecord) -> Outcome | None:
        """Check the counts after playing the moves of a case; return a failure, or None if they are correct.

        Raises Interrupted.
        """
        if not record.case.moves or record.later_digits is not None or not self.engine.plays_moves:
            return None
        game = record.case.game_after_moves
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
        except EngineError as failure:
            error = failure
        if error is not None and (refusal := self._find_refusal(game, error)) is not None:
            return record.result(Verdict.SKIPPED, refusal)
        if got == expected or (not got and self._is_beyond_limit(depth, error)):
            return None
        record.depth, record.expected, record.got = depth, None, None
        record.finding = None if error is None else error.finding
        verdict = Verdict.MISMATCH if error is None else error.verdict
        message = f"{after}: {error or f'{got:,} nodes at depth {depth} instead of {expected:,}'}"
        return self._fail(record, game, verdict, message, (expected, got), before, error, is_after_moves=True)

    def _check_searches(self, record: CaseRecord) -> Outcome | None:
        """Run short searches in a few positions of the run; return a failure, or None if they are correct.

        Raises Interrupted.
        """
        game, depth, error = record.game, least_depth(self.engine), None
        if record.later_digits is not None or record.number not in self.plan.searched:
            return None
        if not self.engine.engine.offers_search or not game.position.legal_moves:
            return None  # many engines print some move in a game that has ended, for which no program asks
        expected, before = perft(game.position, depth), self._answer_before
        try:
            self.reproducer.note(AskedQuestion(game, depth, expected, searches=True))
            record.finding = next(check_searches(self.engine, game), None)
        except EngineError as failure:
            error, record.finding = failure, failure.finding
        self._answer_before = None
        if error is None and record.finding is None:
            return None
        verdict = Verdict.MISMATCH if error is None else error.verdict
        message = "its counts are correct, but its search is not" if error is None else f"in a search: {error}"
        record.depth, record.expected, record.got = 0, None, None
        return self._fail(record, game, verdict, message, (expected, None), before, error)

    def _count(self, record: CaseRecord, depth: int, expected: int) -> int:
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
        """Record the question, and return the engine's count. Raises EngineError, Interrupted."""
        self.reproducer.note(AskedQuestion(game, depth, expected))
        return self.engine.expecting(expected).perft(game, depth)

    def _ask_references(self, record: CaseRecord, depth: int, expected: int) -> tuple[tuple[str, int], ...]:
        answers = (
            (one.spec, self._ask_reference(one, record.game, depth, expected))
            for one in self.references
            if one.may_count(depth) and not (record.case.position.chess960 and one.no_chess960)
        )
        return tuple((spec, count) for spec, count in answers if count is not None)

    def _ask_reference(self, reference: EngineSession, game: Game, depth: int, expected: int) -> int | None:
        """Return the count of a reference, or None if it cannot count to this depth.

        Raises EngineError, Interrupted.
        """
        try:
            return reference.expecting(expected).perft(_by_fen(game), depth)
        except EngineError as error:
            if not is_silence(error) or (limit := reference.find_depth_limit(depth)) is None:
                raise
            self._notify(f"the reference {limit}")
            return None


def _by_fen(game: Game) -> Game:
    """Replace a setup by its final position, because references are only given a FEN."""
    return game.without_moves() if isinstance(game, PositionSetup) else game
