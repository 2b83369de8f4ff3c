"""Check one case of a suite: count, compare with the suite and the references, and explain what differs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from ....errors import UsageError
from ....generator.counting.leaves import perft
from ....generator.line import Line
from ....generator.setup import Setup, describe_setup
from ....suites.case import Case
from ...asking.client import EngineClient
from ...asking.histories import save_history
from ...asking.retry import FROM_TIME_TO_TIME, AskedQuestion, Reproducer, Reproducibility
from ...engines.base import EngineContradiction, EngineError, EngineTimeout
from ...model.results.events import CaseResult, Cause, CountResult, Difference, Finding
from ...model.results.verdict import Verdict
from ...model.shutdown import Interrupted
from ..comparing import both_divides, compare_divides
from ..descent.descending import descend
from ..judging import judge
from ..setups import Limits, limit_notice, setup_limits, with_fewest_options
from ..systematic.looking import SystematicErrors
from ..unlisted import first_unlisted
from .ahead import NOTHING, Ahead

EXPLAIN_NODES = 3_000_000
"""Up to this many leaf nodes a slow reference is asked to explain a mismatch."""


@dataclass
class _Tally:
    """The figures of a case so far."""

    case: Case
    suite: str
    ahead: Ahead
    """What the engine has been asked already."""
    depth: int = 0
    expected: int | None = None
    got: int | None = None
    references: tuple[tuple[str, int], ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    asked_seconds: float = 0.0
    """Time that the engine took for its last answer, or for none."""
    counts: tuple[CountResult, ...] = ()
    difference: Difference | None = None
    finding: Finding | None = None
    is_systematic: bool = False
    """Whether the finding is an error of all totals of the engine, which needs no history."""

    @classmethod
    def after(cls, before: CaseResult, case: Case, ahead: Ahead) -> _Tally:
        """Return the figures as the shallower counts of a case have left them."""
        figures = before.depth, before.expected, before.got, before.references, before.nodes, before.seconds
        return cls(case, before.suite, ahead, *figures, counts=before.counts)

    def note(self, depth: int, expected: int, verdict: Verdict, got: int | None = None) -> None:
        """Note how a count ended."""
        seconds = 0.0 if verdict is Verdict.SKIPPED else self.asked_seconds
        self.counts += (CountResult(depth, expected, verdict, got, seconds),)

    def agree(self, depth: int, nodes: int) -> None:
        """Note a count that the engine has made ahead, as is expected."""
        seconds = self.ahead.seconds[depth]
        self.depth, self.expected, self.got = depth, nodes, nodes
        self.nodes += nodes
        self.seconds += seconds
        self.counts += (CountResult(depth, nodes, Verdict.AGREE, nodes, seconds),)

    @cached_property
    def line(self) -> Line:
        """The position of the case, without moves: one for all its counts, which are remembered."""
        return self.case.line

    def result(self, verdict: Verdict, message: str = "") -> CaseResult:
        return CaseResult(
            name=self.case.name,
            suite=self.suite,
            source=self.case.source,
            fen=self.case.position.fen(),
            chess960=self.case.position.chess960,
            verdict=verdict,
            depth=self.depth,
            expected=self.expected,
            got=self.got,
            references=self.references,
            nodes=self.nodes,
            seconds=self.seconds,
            message=message,
            difference=self.difference,
            finding=self.finding,
            setup=str(self.line) if self.case.setup else "",
            counts=self.counts,
        )


class Checker:
    """Checks cases with one engine and its references."""

    def __init__(
        self,
        engine: EngineClient,
        references: Sequence[EngineClient],
        arbiter: Callable[[], EngineClient] | None,
        explain: bool,
        tell: Callable[[str], None],
    ) -> None:
        """Take the engines. `arbiter` starts the one that explains a mismatch where there is no reference.

        `tell` is called with a line that says what the user waits for.
        """
        self._engine, self._references, self._arbiter = engine, references, arbiter
        self._again = Reproducer(engine, tell)
        self._systematic = SystematicErrors(engine)
        self._answer_before: int | None = None
        """The engine's answer to the question before, where its process was not started since."""
        self._explain, self._tell = explain, tell
        self._limits: dict[bool, Limits] = {}
        """The setups that the engine does not take in standard chess and Chess960, once somebody has asked."""
        self.is_counting = False
        """Whether the engine under test is counting what the suite asks for."""
        self.note = self._again.note
        """Remembers a question that the engine was asked ahead."""

    def check(self, case: Case, suite: str, before: CaseResult | None = None, ahead: Ahead = NOTHING) -> CaseResult:
        """Check a case, shallow depths first, up to the first count that is not right.

        `before` is the result of its shallower counts, where those were checked earlier. What is known `ahead` is
        not asked for.
        """
        tally = _Tally(case, suite, ahead) if before is None else _Tally.after(before, case, ahead)
        result = self._checked(case, tally)
        has_failed = result.verdict.is_failure or result.verdict is Verdict.NOT_REPRODUCED
        if has_failed and not tally.is_systematic:
            self._again.forget()
            self._answer_before = None
        return result

    def _checked(self, case: Case, tally: _Tally) -> CaseResult:
        if case.position.chess960 and (why := self._engine.no_chess960) is not None:
            return tally.result(Verdict.SKIPPED, f"{self._engine.name} cannot be asked about Chess960: {why}")
        try:
            if case.setup and not self._takes_setup(case):
                return tally.result(Verdict.SKIPPED, f"{self._engine.name} cannot be set up so")
        except Interrupted:
            return tally.result(Verdict.UNFINISHED, "stopped before the first count")
        for depth, expected in case.counts:
            if depth in tally.ahead.seconds:
                self._engine.note_answer(tally.line, depth)
                tally.agree(depth, expected)
                continue
            if depth < self._engine.min_depth:
                tally.note(depth, expected, Verdict.SKIPPED)
                continue
            before = self._answer_before
            try:
                got = self._answer_before = self._count(tally, depth, expected)
                answers = self._answers(tally, depth, expected)
            except Interrupted:
                return tally.result(Verdict.UNFINISHED, f"stopped after depth {tally.depth}")
            except EngineError as error:
                tally.depth, tally.expected, tally.got, tally.finding = depth, expected, None, error.finding
                tally.note(depth, expected, error.verdict)
                total = error.total if isinstance(error, EngineContradiction) else None
                is_explained = total is not None and self._is_systematic(tally, tally.line, total, before)
                failed = tally.result(error.verdict, str(error))
                return failed if is_explained else self._asked_anew(failed, error) or failed
            tally.depth, tally.expected, tally.got, tally.references = depth, expected, got, answers
            verdict, message = judge(self._engine.name, got, expected, answers)
            if verdict is Verdict.AGREE and (doubted := self._doubted(tally, depth, expected)) is not None:
                return doubted
            tally.note(depth, expected, verdict, got)
            if verdict is Verdict.MISMATCH and self._is_systematic(tally, tally.line, got, before):
                return tally.result(verdict, message)
            if verdict is not Verdict.AGREE:
                anew = self._asked_anew(tally.result(verdict, message))
                return anew or tally.result(verdict, "; ".join([message, *self._explained(tally, tally.line)]))
        if tally.depth == 0 and case.counts:
            return tally.result(Verdict.SKIPPED, f"{self._engine.name} counts from depth {self._engine.min_depth} on")
        return self._played(tally) or tally.result(Verdict.AGREE)

    def _takes_setup(self, case: Case) -> bool:
        """Tell whether the engine can be brought to a position as the case says. Raises Interrupted."""
        chess960 = case.position.chess960
        if chess960 not in self._limits:
            self._limits[chess960] = setup_limits(self._engine, [chess960])
            if (notice := limit_notice(self._engine.name, self._limits[chess960])) is not None:
                self._tell(notice)
            self._again.forget()  # what was asked to find out belongs to no history
        return self._engine.can_take(case.played_line, self._limits[chess960].keys())

    def _is_systematic(self, tally: _Tally, line: Line, total: int, before: int | None) -> bool:
        """Tell whether a wrong total is a systematic error of the engine, which is noted."""
        if self._explain and total not in dict(tally.references).values():
            with suppress(Interrupted):
                tally.finding = self._systematic.finding(line, tally.depth, total, before)
        tally.is_systematic = tally.finding is not None
        return tally.is_systematic

    def _played(self, tally: _Tally) -> CaseResult | None:
        """Return how the engine fails once it has played the moves of a case, or None where it does not."""
        if not tally.case.moves or not self._engine.plays_moves:
            return None
        line = tally.case.played_line
        after = f"after the moves {' '.join(line.uci_moves())}"
        if tally.case.setup:
            after = f"set up by {describe_setup(tally.case.setup, line.uci_moves())}"
        depth = max(2 if tally.case.setup else 1, self._engine.min_depth)
        expected = perft(line.position, depth)
        failure, got, before = None, None, self._answer_before
        try:
            got = self._answer_before = self._again.ask(AskedQuestion(line, depth, expected))
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
        if total is not None and self._is_systematic(tally, line, total, before):
            return _at(line, tally.result(verdict, message))
        tally.finding = None if failure is None else failure.finding
        failed = _at(line, tally.result(verdict, message))
        told = self._asked_anew(failed, failure) or self._unlisted(tally, line)
        if told is not None or failure is not None:
            return told or failed
        tally.expected, tally.got = expected, got
        with suppress(Interrupted, EngineError):
            if self._explain and isinstance(line, Setup) and (reference := self._reference_for(tally)) is not None:
                right = reference.divide(line.afresh(), depth)
                line = with_fewest_options(line, depth, self._engine.expecting(expected), right)
        return _at(line, tally.result(Verdict.MISMATCH, "; ".join([message, *self._explained(tally, line)])))

    def _unlisted(self, tally: _Tally, line: Line) -> CaseResult | None:
        """Return that the engine does not list a move of a line, which therefore it cannot play; None where it does."""
        try:
            place = first_unlisted(line, self._engine)
            if place is None:
                return None
            if (reference := self._reference_for(tally)) is not None:
                before = Line(Line(line.base, line.moves[:place]).position)
                self._compare(tally, before, reference)
                self._descend(tally, before, reference)
        except (Interrupted, EngineError):
            return None
        move = line.uci_moves()[place]
        return tally.result(Verdict.MISMATCH, f"{move} of the moves {' '.join(line.uci_moves())} is not in its list")

    def _asked_anew(self, failed: CaseResult, error: EngineError | None = None) -> CaseResult | None:
        """Return what becomes of a failure that a new process does not show at once, or None where it does.

        It stays what it is where it comes again after all that was asked before; else it is not
        reproduced. Both have that as their replay. A stopped run asks no more.
        """
        if failed.verdict is Verdict.SPLIT or (error is not None and error.of_reference):
            return None
        history = self._again.history
        try:
            comes = self._again.comes(error)
        except Interrupted:
            return None
        return None if comes is Reproducibility.ALONE else self._after_all(failed, history, comes)

    def _doubted(self, tally: _Tally, depth: int, expected: int) -> CaseResult | None:
        """Return how the engine fails that is right when it is asked alone, and was not when it was asked ahead.

        None where only that is why: it reads on while it counts, or writes its root moves in a way of its own. A line
        then says so.
        """
        doubt = tally.ahead.doubts.get(depth)
        if doubt is None or self._again.is_believed or not doubt.is_first():
            return None
        try:
            comes = self._again.comes_in_turn(doubt.trouble)
            # An engine that reads on while it counts may lose a question, and is then silent.
            is_harmless = doubt.trouble is None or isinstance(doubt.trouble, EngineTimeout)
            if comes is Reproducibility.NEVER and (doubt.comes_again() or is_harmless):
                return None
        except Interrupted:
            return tally.result(Verdict.UNFINISHED, f"stopped at depth {depth}")
        verdict = Verdict.MISMATCH if doubt.trouble is None else doubt.trouble.verdict
        failure = "it did not" if doubt.trouble is None else str(doubt.trouble)
        tally.got = None
        tally.note(depth, expected, verdict)
        right = f"{self._engine.name} counts {expected:,} nodes at depth {depth}"
        failed = tally.result(verdict, f"{right}, but when it was asked ahead of its answers, {failure}")
        return failed if comes is Reproducibility.ALONE else self._after_all(failed, self._again.history, comes)

    def _after_all(self, failed: CaseResult, history: Sequence[str], comes: Reproducibility) -> CaseResult:
        """Return a failure that comes again after all that was asked before, from time to time, or never."""
        if comes is Reproducibility.FROM_TIME_TO_TIME:
            return self._by_chance(failed)
        asked = f"asked for all {len(history):,} position{'s' * (len(history) != 1)} so far"
        is_history = comes is Reproducibility.AFTER_HISTORY
        text = (
            f"a new process fails only once it has been {asked}" if is_history else f"a new process, {asked}, does not"
        )
        if is_history and self._again.trials.after > 1:
            text += f" ({self._again.trials.text})"
        with suppress(UsageError):  # where it cannot be written
            failed = replace(failed, replay=str(save_history(history)))
        failed = replace(failed, message=f"{failed.message}; {text}")
        return failed if is_history else failed.not_reproduced()

    def _by_chance(self, failed: CaseResult) -> CaseResult:
        """Return a failure of an engine that gives other answers to the same question."""
        note = f"{FROM_TIME_TO_TIME}; asked again, it was {self._again.trials.text}"
        finding = Finding(cause=Cause.VANISHED, fen=failed.fen, chess960=failed.chess960, note=note, depth=failed.depth)
        return replace(failed, finding=finding)

    def _count(self, tally: _Tally, depth: int, expected: int) -> int:
        """Return the engine's count, and note how long it took."""
        began, self.is_counting = time.perf_counter(), True
        try:
            count = self._again.ask(AskedQuestion(tally.line, depth, expected))
        finally:
            self.is_counting = False
            tally.asked_seconds = time.perf_counter() - began
        tally.seconds += tally.asked_seconds
        tally.nodes += count
        return count

    def _answers(self, tally: _Tally, depth: int, expected: int) -> tuple[tuple[str, int], ...]:
        """Return the references' counts by their names."""
        return tuple(
            (one.name, one.expecting(expected).perft(_plain(tally.line), depth))
            for one in self._references
            if _may_be_asked(one, tally.case, depth)
        )

    def _explained(self, tally: _Tally, line: Line) -> list[str]:
        """Compare root moves and, unless told not to, follow the difference down to its cause; return remarks."""
        remarks = []
        try:
            reference = self._reference_for(tally)
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

    def _reference_for(self, tally: _Tally) -> EngineClient | None:
        """Return the first reference that contradicts the engine, or the arbiter where there are none."""
        answers = dict(tally.references)
        for reference in self._references:
            if answers.get(reference.name) not in (None, tally.got):
                return reference
        if self._references or self._arbiter is None:
            return None
        arbiter = self._arbiter()
        return None if arbiter.engine.is_slow and (tally.expected or 0) > EXPLAIN_NODES else arbiter

    def _compare(self, tally: _Tally, line: Line, reference: EngineClient) -> None:
        """Note how the divides differ."""
        self._tell(f"{tally.case.name}: comparing moves with {reference.name}")
        engine = self._engine.expecting(tally.expected or 0)
        got, expected = both_divides(line, tally.depth, engine, reference)
        tally.difference = compare_divides(line.position, tally.depth, engine.name, got, reference.name, expected)

    def _descend(self, tally: _Tally, line: Line, reference: EngineClient) -> None:
        """Note the cause of a difference, unless told not to look for it."""
        if self._explain and tally.difference is not None and tally.difference.differs:
            engine = self._engine.expecting(tally.expected or 0)
            tally.finding = descend(line, tally.depth, engine, reference)


def _plain(line: Line) -> Line:
    """Return a line as references are asked for it: by its FEN alone."""
    return line.afresh() if isinstance(line, Setup) else line


def _at(line: Line, result: CaseResult) -> CaseResult:
    """Return the result of a case that shows after its moves."""
    return replace(result, setup=str(line))


def _may_be_asked(reference: EngineClient, case: Case, depth: int) -> bool:
    return depth >= reference.min_depth and not (case.position.chess960 and reference.no_chess960)


def _remarks(tally: _Tally) -> list[str]:
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
