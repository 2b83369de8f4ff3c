"""Run suites: ask the engine for every count, compare, and tell what happens as a stream of events."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from .. import __version__
from ..suites.case import Case, Suite
from .asking import Interrupted, Worker
from .comparing import compare_divides
from .engines.base import Engine, EngineError
from .events import (
    CaseFinished,
    CaseResult,
    CaseStarted,
    Difference,
    Event,
    Notice,
    Progress,
    RunFinished,
    RunStarted,
    SuiteTotal,
)
from .interrupt import Interrupt
from .task import Task
from .verdict import Verdict

T = TypeVar("T")

EXPLAIN_NODES = 3_000_000
"""Up to this many leaf nodes a mismatch is looked into with a slow reference unasked."""


@dataclass(frozen=True)
class Plan:
    """What to run."""

    engine: Engine
    suites: tuple[Suite, ...]
    references: tuple[Engine, ...] = ()
    arbiter: Engine | None = None
    """Asked for its divide where a count mismatches and no reference was given."""
    seconds: float | None = None
    """No new question is asked after this time."""
    fail_fast: bool = False
    """Stop at the first case that does not agree."""


@dataclass
class _Tally:
    """What is known so far about the case at hand."""

    case: Case
    suite: str
    depth: int = 0
    expected: int | None = None
    got: int | None = None
    references: tuple[tuple[str, int], ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    difference: Difference | None = None

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
        )


@dataclass
class _Runner:
    plan: Plan
    interrupt: Interrupt
    deadline: float | None
    worker: Worker = field(default_factory=Worker)
    nodes: int = 0
    """Leaf nodes counted by the engine in finished questions."""
    seconds: float = 0.0

    def start_engines(self) -> Generator[Event, None, bool]:
        """Get every engine ready; return whether the run must end at once. Raises EngineError."""
        for engine in (self.plan.engine, *self.plan.references):
            if (line := engine.notice()) is not None:
                yield Notice(line)
            try:
                yield from self._while_asking(self.worker.ask(engine.start, self.interrupt, self.deadline), engine.name)
            except Interrupted:
                return True
        return False

    def run_case(self, suite: str, case: Case) -> Generator[Event, None, tuple[CaseResult, bool]]:
        """Check one case, shallow depths first; return its result, and whether the run must end."""
        tally = _Tally(case, suite)
        for depth, expected in case.counts:
            try:
                got = yield from self._ask_engine(tally, depth)
                answers = yield from self._ask_references(case, depth)
            except Interrupted:
                return tally.result(Verdict.UNFINISHED, f"stopped after depth {tally.depth}"), True
            except EngineError as error:
                tally.depth, tally.expected, tally.got = depth, expected, None
                return tally.result(error.verdict, str(error)), False
            tally.depth, tally.expected, tally.got, tally.references = depth, expected, got, answers
            if got != expected or any(count != expected for _, count in answers):
                return (yield from self._judge(tally))
        return tally.result(Verdict.AGREE), False

    def _ask_engine(self, tally: _Tally, depth: int) -> Generator[Event, None, int]:
        engine, position = self.plan.engine, tally.case.position
        started = time.perf_counter()
        asking = self.worker.ask(partial(engine.perft, position, depth), self.interrupt, self.deadline)
        count = yield from self._while_asking(asking, engine.name, counting=True)
        spent = time.perf_counter() - started
        tally.seconds += spent
        tally.nodes += count
        self.seconds += spent
        self.nodes += count
        return count

    def _ask_references(self, case: Case, depth: int) -> Generator[Event, None, tuple[tuple[str, int], ...]]:
        answers = []
        for reference in self.plan.references:
            call = partial(reference.perft, case.position, depth)
            asking = self.worker.ask(call, self.interrupt, self.deadline)
            count = yield from self._while_asking(asking, reference.name)
            answers.append((reference.name, count))
        return tuple(answers)

    def _while_asking(
        self, asking: Generator[Task, None, T], name: str, counting: bool = False
    ) -> Generator[Event, None, T]:
        """Pass on progress until the answer is there; `counting`: by the engine under test."""
        began = time.perf_counter()
        while True:
            try:
                task = next(asking)
            except StopIteration as stop:
                answer: T = stop.value
                return answer
            nodes = self.nodes + (task.nodes if counting else 0)
            seconds = self.seconds + (time.perf_counter() - began if counting else 0.0)
            yield Progress(nodes, seconds, name)

    def _judge(self, tally: _Tally) -> Generator[Event, None, tuple[CaseResult, bool]]:
        """Say what is wrong with a count that the suite, the engine and the references do not share."""
        assert tally.got is not None
        wrong = [name for name, count in tally.references if count != tally.expected]
        if tally.got == tally.expected:
            verdict = Verdict.SPLIT
            message = f"{self.plan.engine.name} agrees with the suite, {' and '.join(wrong)} does not"
        elif wrong and all(count == tally.got for _, count in tally.references):
            verdict = Verdict.MISMATCH
            message = f"{self.plan.engine.name} and {' and '.join(wrong)} agree: the count in the suite looks wrong"
        else:
            verdict = Verdict.MISMATCH
            message = f"{tally.got - (tally.expected or 0):+,} nodes"
        try:
            tally.difference = yield from self._divide_difference(tally)
        except Interrupted:
            return tally.result(verdict, message), True
        except EngineError as error:
            return tally.result(verdict, f"{message}; no divide: {error}"), False
        return tally.result(verdict, "; ".join([message, *_remarks(tally)])), False

    def _divide_difference(self, tally: _Tally) -> Generator[Event, None, Difference | None]:
        """Compare root moves with the first reference that differs, or with the arbiter."""
        reference = next(
            (
                engine
                for engine, (_, count) in zip(self.plan.references, tally.references, strict=True)
                if count != tally.got
            ),
            None,
        )
        if reference is None and not self.plan.references:
            reference = self.plan.arbiter if (tally.expected or 0) <= EXPLAIN_NODES else None
        if reference is None:
            return None
        position, depth, engine = tally.case.position, tally.depth, self.plan.engine
        yield Notice(f"{tally.case.name}: comparing root moves with {reference.name}")
        divides = []
        for asked in (engine, reference):
            asking = self.worker.ask(partial(asked.divide, position, depth), self.interrupt, self.deadline)
            divides.append((yield from self._while_asking(asking, asked.name)))
        return compare_divides(position, depth, engine.name, divides[0], reference.name, divides[1])


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
    if not remarks and not difference.moves:
        remarks.append(f"{difference.reference} agrees with {difference.engine}: the count in the suite looks wrong")
    return remarks


def planned(suite: Suite) -> SuiteTotal:
    """Return how much of a suite is going to be checked."""
    counts = [nodes for case in suite for _, nodes in case.counts]
    return SuiteTotal(suite.name, len(suite), len(counts), sum(counts))


def run(plan: Plan, interrupt: Interrupt) -> Iterator[Event]:
    """Run a plan: first `RunStarted`, last `RunFinished` with all results.

    An interrupt, or the end of the plan's time, ends the run early with the results so far. Raises
    EngineError where an engine cannot even be started.
    """
    began = time.monotonic()
    deadline = None if plan.seconds is None else began + plan.seconds
    started = RunStarted(
        __version__,
        plan.engine.name,
        tuple(reference.name for reference in plan.references),
        tuple(planned(suite) for suite in plan.suites),
    )
    yield started
    runner = _Runner(plan, interrupt, deadline)
    results: list[CaseResult] = []
    ended = yield from runner.start_engines()
    for suite in plan.suites:
        for case in suite:
            if ended or interrupt.requested or (deadline is not None and time.monotonic() > deadline):
                ended = True
                break
            yield CaseStarted(case.name, suite.name)
            result, ended = yield from runner.run_case(suite.name, case)
            results.append(result)
            yield CaseFinished(result, runner.nodes, runner.seconds)
            ended = ended or (plan.fail_fast and result.verdict is not Verdict.AGREE)
    yield RunFinished(
        started,
        tuple(results),
        time.monotonic() - began,
        interrupted=interrupt.requested,
        out_of_time=deadline is not None and time.monotonic() > deadline and len(results) < started.positions,
    )
