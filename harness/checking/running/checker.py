"""Check the cases of a suite: count, compare with the suite and the references, and explain what differs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from ....errors import UsageError
from ....generator.counting.leaves import perft
from ....generator.line import Line
from ....generator.setup import Setup, describe_setup
from ....suites.case import Case
from ...asking.client import CallRunner, EngineClient
from ...asking.histories import save_history
from ...asking.retry import FROM_TIME_TO_TIME, AskedQuestion, Reproducer, Reproducibility
from ...engines.base import EngineContradiction, EngineError, EngineTimeout
from ...model.capabilities import CapabilityUse
from ...model.results.events import CaseResult, Cause, Finding
from ...model.results.verdict import Verdict
from ...model.shutdown import Interrupted
from ..comparing import judge
from ..setups import Limits, limit_notice, setup_limits
from .ahead import NOTHING, Ahead, AsksCases, OneByOne, may_ask_ahead, open_ahead
from .explaining import MismatchExplainer
from .parts import CasePart
from .plan import EngineSetup
from .tally import CaseTally


class Checker:
    """Checks cases with one engine and its references, as many at once as the engine is asked about together."""

    def __init__(self, setup: EngineSetup, tell: Callable[[str], None], runner: CallRunner | None = None) -> None:
        """Open the engine under test and its references. Raises UsageError.

        `tell` is called with a line that says what the user waits for, or should know. `runner` carries out the
        questions, by default in the thread that asks.
        """
        self._setup, self._tell = setup, tell
        self.runner = runner or CallRunner()
        """Carries out the questions, one at a time."""
        self.engine = EngineClient(
            setup.engine(), self.runner, setup.limit, insists_on_chess960=setup.insists_on_chess960
        )
        """The engine under test."""
        self._references = [
            EngineClient(opener(), self.runner, setup.limit, is_reference=True) for opener in setup.references
        ]
        self._arbiter: EngineClient | None = None
        """What explains mismatches, once there is one."""
        arbiter = None if setup.arbiter is None else self._start_arbiter
        self._explainer = MismatchExplainer(self.engine, self._references, arbiter, tell, seeks_cause=setup.explain)
        self._reproducer = Reproducer(self.engine, tell)
        self._ahead: AsksCases = OneByOne()
        self._answer_before: int | None = None
        """The engine's answer to the question before, where its process was not started since."""
        self._limits: dict[bool, Limits] = {}
        """The setups that the engine does not take in standard chess and Chess960, once somebody has asked."""
        self._is_counting = False
        """Whether the engine under test is counting what the suite asks for."""

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""
        return self.engine.name, tuple(reference.name for reference in self._references)

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way."""
        return self.runner.task.nodes if self._is_counting else 0

    @property
    def asked(self) -> str:
        """What the engines are asked now."""
        return self.runner.asked

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""
        return self.engine.use

    @property
    def most(self) -> int:
        """How many cases are checked at once."""
        return self._ahead.most

    def start(self) -> None:
        """Start the engines. Raises EngineError, Interrupted."""
        for client in (self.engine, *self._references):
            self._start(client)
        chess960 = self._setup.has_chess960 and self.engine.no_chess960 is None
        if may_ask_ahead(self._setup):
            self._ahead = open_ahead(self.engine, self._reproducer.note, self._tell, chess960=chess960)

    def check_time(self) -> None:
        """End the count under way if it takes too long."""
        self.runner.task.enforce_deadline()

    def stop(self) -> None:
        """Raise Interrupted at the question under way, or else at the next one."""
        self.runner.stop()

    def close(self) -> None:
        """Close the engines, which nobody asks any more."""
        self._ahead.close()
        for client in filter(None, (self.engine, *self._references, self._arbiter)):
            client.engine.close()

    def begin(self, parts: Sequence[CasePart]) -> None:
        """Ask about parts of cases ahead, if the engine can be asked so. Raises Interrupted."""
        self._ahead.begin([part.case for part in parts if not part.case.setup])

    def ahead(self, parts: Sequence[CasePart]) -> Iterator[Ahead]:
        """Yield what is known ahead of each part, in the order in which `begin` was called. Raises Interrupted."""
        answers = self._ahead.answers([part.case for part in parts if not part.case.setup])
        return (NOTHING if part.case.setup else next(answers) for part in parts)

    def check(self, part: CasePart, ahead: Ahead = NOTHING) -> CaseResult:
        """Check a part of a case, shallow depths first, up to the first count that is not right.

        What is known `ahead` is not asked for.
        """
        tally = CaseTally.of(part, ahead)
        result = self._check_counts(part.case, tally)
        has_failed = result.verdict.is_failure or result.verdict is Verdict.NOT_REPRODUCED
        if has_failed and not tally.is_systematic:
            self._reproducer.forget()
            self._answer_before = None
        return result

    def _start(self, client: EngineClient) -> None:
        if (line := client.engine.notice()) is not None:
            self._tell(line)
        client.start()
        for remark in filter(None, (client.insisting_notice, client.remark())):
            self._tell(remark)
        if self._setup.has_chess960 and (why := client.no_chess960) is not None:
            skipped = "such cases are skipped; --chess960 asks about them nevertheless"
            then = "it is no reference for such cases" if client.is_reference else skipped
            self._tell(f"{client.name} cannot be asked about Chess960: {why}; {then}")

    def _start_arbiter(self) -> EngineClient:
        """Return the engine that explains mismatches, opened and started at the first of them."""
        assert self._setup.arbiter is not None, "asked for only where there is one"
        if self._arbiter is None:
            self._arbiter = EngineClient(self._setup.arbiter(self.engine.engine), self.runner, self.engine.limit)
            self._start(self._arbiter)
        return self._arbiter

    def _check_counts(self, case: Case, tally: CaseTally) -> CaseResult:
        if (skipped := self._skip(case, tally)) is not None:
            return skipped
        for depth, expected in case.counts:
            if depth in tally.ahead.seconds:
                self.engine.note_answer(tally.line, depth)
                tally.agree(depth, expected)
            elif depth < self.engine.min_depth:
                tally.note(depth, expected, Verdict.SKIPPED)
            elif (failed := self._check_count(tally, depth, expected)) is not None:
                return failed
        if tally.depth == 0 and case.counts:
            return tally.result(Verdict.SKIPPED, f"{self.engine.name} counts from depth {self.engine.min_depth} on")
        return self._check_moves(tally) or tally.result(Verdict.AGREE)

    def _skip(self, case: Case, tally: CaseTally) -> CaseResult | None:
        """Return why the engine is not asked about a case, or None where it is."""
        if case.position.chess960 and (why := self.engine.no_chess960) is not None:
            return tally.result(Verdict.SKIPPED, f"{self.engine.name} cannot be asked about Chess960: {why}")
        try:
            if case.setup and not self._takes_setup(case):
                return tally.result(Verdict.SKIPPED, f"{self.engine.name} cannot be set up so")
        except Interrupted:
            return tally.result(Verdict.UNFINISHED, "stopped before the first count")
        return None

    def _check_count(self, tally: CaseTally, depth: int, expected: int) -> CaseResult | None:
        """Return how the engine fails at one depth, or None where its count is right."""
        before = self._answer_before
        try:
            got = self._answer_before = self._count(tally, depth, expected)
            answers = self._ask_references(tally, depth, expected)
        except Interrupted:
            return tally.result(Verdict.UNFINISHED, f"stopped after depth {tally.depth}")
        except EngineError as error:
            tally.depth, tally.expected, tally.got, tally.finding = depth, expected, None, error.finding
            tally.note(depth, expected, error.verdict)
            total = error.total if isinstance(error, EngineContradiction) else None
            is_explained = total is not None and self._explainer.is_systematic(tally, tally.line, total, before)
            failed = tally.result(error.verdict, str(error))
            return failed if is_explained else self._judge_anew(failed, error) or failed
        tally.depth, tally.expected, tally.got, tally.references = depth, expected, got, answers
        verdict, message = judge(self.engine.name, got, expected, answers)
        if verdict is Verdict.AGREE and (doubted := self._judge_doubt(tally, depth, expected)) is not None:
            return doubted
        tally.note(depth, expected, verdict, got)
        if verdict is Verdict.AGREE:
            return None
        if verdict is Verdict.MISMATCH and self._explainer.is_systematic(tally, tally.line, got, before):
            return tally.result(verdict, message)
        anew = self._judge_anew(tally.result(verdict, message))
        return anew or tally.result(verdict, "; ".join([message, *self._explainer.explain(tally, tally.line)]))

    def _takes_setup(self, case: Case) -> bool:
        """Tell whether the engine can be brought to a position as the case says. Raises Interrupted."""
        chess960 = case.position.chess960
        if chess960 not in self._limits:
            self._limits[chess960] = setup_limits(self.engine, [chess960])
            if (notice := limit_notice(self.engine.name, self._limits[chess960])) is not None:
                self._tell(notice)
            self._reproducer.forget()  # what was asked to find out belongs to no history
        return self.engine.can_take(case.played_line, self._limits[chess960].keys())

    def _check_moves(self, tally: CaseTally) -> CaseResult | None:
        """Return how the engine fails once it has played the moves of a case, or None where it does not."""
        if not tally.case.moves or not self.engine.plays_moves:
            return None
        line = tally.case.played_line
        after = f"after the moves {' '.join(line.uci_moves())}"
        if tally.case.setup:
            after = f"set up by {describe_setup(tally.case.setup, line.uci_moves())}"
        depth = max(2 if tally.case.setup else 1, self.engine.min_depth)
        expected = perft(line.position, depth)
        failure, got, before = None, None, self._answer_before
        try:
            got = self._answer_before = self._ask(line, depth, expected)
        except Interrupted:
            return tally.result(Verdict.UNFINISHED, f"stopped {after}")
        except EngineError as error:
            failure = error
        if got == expected:
            return None
        tally.depth, tally.expected, tally.got = depth, None, None
        verdict = Verdict.MISMATCH if failure is None else failure.verdict
        message = f"{after}: {failure or f'{got:,} nodes at depth {depth} instead of {expected:,}'}"
        total = failure.total if isinstance(failure, EngineContradiction) else got
        if total is not None and self._explainer.is_systematic(tally, line, total, before):
            return _at(line, tally.result(verdict, message))
        tally.finding = None if failure is None else failure.finding
        failed = _at(line, tally.result(verdict, message))
        told = self._judge_anew(failed, failure) or self._explainer.find_unlisted(tally, line)
        if told is not None or failure is not None:
            return told or failed
        tally.expected, tally.got = expected, got
        with suppress(Interrupted, EngineError):
            line = self._explainer.simplify_setup(tally, line)
        return _at(line, tally.result(Verdict.MISMATCH, "; ".join([message, *self._explainer.explain(tally, line)])))

    def _judge_anew(self, failed: CaseResult, error: EngineError | None = None) -> CaseResult | None:
        """Return what becomes of a failure that a new process does not show at once, or None where it does.

        It stays what it is where it comes again after all that was asked before; else it is not
        reproduced. Both have that as their replay. A stopped run asks no more.
        """
        if failed.verdict is Verdict.SPLIT or (error is not None and error.of_reference):
            return None
        history = self._reproducer.history
        try:
            comes = self._reproducer.reproduce(error)
        except Interrupted:
            return None
        return None if comes is Reproducibility.ALONE else self._tell_history(failed, history, comes)

    def _judge_doubt(self, tally: CaseTally, depth: int, expected: int) -> CaseResult | None:
        """Return how the engine fails that is right when it is asked alone, and was not when it was asked ahead.

        None where only that is why: it reads on while it counts, or writes its root moves in a way of its own. A line
        then says so.
        """
        doubt = tally.ahead.doubts.get(depth)
        if doubt is None or self._reproducer.is_believed or not doubt.is_first():
            return None
        try:
            comes = self._reproducer.reproduce_ahead(doubt.trouble, doubt.fails_ahead)
        except Interrupted:
            return tally.result(Verdict.UNFINISHED, f"stopped at depth {depth}")
        # An engine that reads on while it counts may lose a question, and is then silent.
        is_harmless = doubt.trouble is None or isinstance(doubt.trouble, EngineTimeout)
        if comes is Reproducibility.AHEAD or (comes is Reproducibility.NEVER and is_harmless):
            return None
        verdict = Verdict.MISMATCH if doubt.trouble is None else doubt.trouble.verdict
        failure = "it did not" if doubt.trouble is None else str(doubt.trouble)
        tally.got = None
        tally.note(depth, expected, verdict)
        right = f"{self.engine.name} counts {expected:,} nodes at depth {depth}"
        failed = tally.result(verdict, f"{right}, but when it was asked ahead of its answers, {failure}")
        return failed if comes is Reproducibility.ALONE else self._tell_history(failed, self._reproducer.history, comes)

    def _tell_history(self, failed: CaseResult, history: Sequence[str], comes: Reproducibility) -> CaseResult:
        """Return a failure that comes again after all that was asked before, from time to time, or never."""
        if comes is Reproducibility.FROM_TIME_TO_TIME:
            return self._tell_chance(failed)
        asked = f"asked for all {len(history):,} position{'s' * (len(history) != 1)} so far"
        is_history = comes is Reproducibility.AFTER_HISTORY
        text = (
            f"a new process fails only once it has been {asked}" if is_history else f"a new process, {asked}, does not"
        )
        if is_history and self._reproducer.trials.after > 1:
            text += f" ({self._reproducer.trials.text})"
        with suppress(UsageError):  # where it cannot be written
            failed = replace(failed, replay=str(save_history(history)))
        failed = replace(failed, message=f"{failed.message}; {text}")
        return failed if is_history else failed.not_reproduced()

    def _tell_chance(self, failed: CaseResult) -> CaseResult:
        """Return a failure of an engine that gives other answers to the same question."""
        note = f"{FROM_TIME_TO_TIME}; asked again, it was {self._reproducer.trials.text}"
        finding = Finding(cause=Cause.VANISHED, fen=failed.fen, chess960=failed.chess960, note=note, depth=failed.depth)
        return replace(failed, finding=finding)

    def _count(self, tally: CaseTally, depth: int, expected: int) -> int:
        """Return the engine's count, and note how long it took."""
        began, self._is_counting = time.perf_counter(), True
        try:
            count = self._ask(tally.line, depth, expected)
        finally:
            self._is_counting = False
            tally.asked_seconds = time.perf_counter() - began
        tally.seconds += tally.asked_seconds
        tally.nodes += count
        return count

    def _ask(self, line: Line, depth: int, expected: int) -> int:
        """Return the engine's count, and remember that it was asked for. Raises EngineError, Interrupted."""
        self._reproducer.note(AskedQuestion(line, depth, expected))
        return self.engine.expecting(expected).perft(line, depth)

    def _ask_references(self, tally: CaseTally, depth: int, expected: int) -> tuple[tuple[str, int], ...]:
        """Return the references' counts by their names."""
        return tuple(
            (one.name, one.expecting(expected).perft(_plain(tally.line), depth))
            for one in self._references
            if _may_be_asked(one, tally.case, depth)
        )


def _plain(line: Line) -> Line:
    """Return a line as references are asked for it: by its FEN alone."""
    return line.afresh() if isinstance(line, Setup) else line


def _at(line: Line, result: CaseResult) -> CaseResult:
    """Return the result of a case that shows after its moves."""
    return replace(result, setup=str(line))


def _may_be_asked(reference: EngineClient, case: Case, depth: int) -> bool:
    return depth >= reference.min_depth and not (case.position.chess960 and reference.no_chess960)
