"""Run suites: ask the engine for every count, compare, and tell what happens as a stream of events.

The cases are worked off by lanes, threads with engines of their own; the stream comes from the
thread that called `run`, so that it can be interrupted while the lanes are counting.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from ... import __version__
from ...generator.line import Line
from ...suites.case import Case, Suite
from ..engines.asking import Interrupted
from ..engines.base import Divide, Engine, EngineError
from ..engines.staleness import ensure_of_this_position, refused
from ..engines.task import Task
from ..model.events import (
    CaseFinished,
    CaseResult,
    CaseStarted,
    Difference,
    Event,
    Finding,
    Notice,
    Progress,
    RunFinished,
    RunStarted,
    SuiteTotal,
)
from ..model.interrupt import Interrupt
from ..model.verdict import Verdict
from .comparing import compare_divides
from .descent import descend
from .judging import judge

T = TypeVar("T")
Opener = Callable[[], Engine]

EXPLAIN_NODES = 3_000_000
"""Up to this many leaf nodes a slow reference is asked to explain a mismatch."""
POLL_SECONDS = 0.1
PATIENCE_SECONDS = 0.4
"""How long interrupted lanes may take to stop before the report is made without them."""


@dataclass(frozen=True)
class Plan:
    """What to run."""

    engine: Opener
    suites: tuple[Suite, ...]
    references: tuple[Opener, ...] = ()
    arbiter: Opener | None = None
    """Asked to explain a mismatch where no reference was given."""
    seconds: float | None = None
    """The run ends after this time."""
    fail_fast: bool = False
    """Stop at the first case that does not agree."""
    explain: bool = True
    """Follow a mismatch down to its cause."""
    jobs: int = 1
    """Lanes that work side by side, each with engines of its own."""
    timeout: float = 10.0
    """Seconds that an engine may take for a count, whatever its size ..."""
    min_speed: float = 50_000.0
    """... and nodes a second that it must make beyond that."""


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
    finding: Finding | None = None

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
        )


@dataclass
class _Shared:
    """What the lanes have in common."""

    plan: Plan
    cases: Iterator[tuple[int, str, Case]]
    news: queue.SimpleQueue[Event | tuple[int, CaseResult] | Exception | _Lane]
    lock: threading.Lock = field(default_factory=threading.Lock)
    ended: bool = False

    def next_case(self) -> tuple[int, str, Case] | None:
        with self.lock:
            return None if self.ended else next(self.cases, None)


class _Lane(threading.Thread):
    """One thread with its own engines, working off cases one after another."""

    def __init__(self, shared: _Shared) -> None:
        super().__init__(daemon=True, name="engine lane")
        self._shared, self._plan = shared, shared.plan
        self._engine = shared.plan.engine()
        self._references = [opener() for opener in shared.plan.references]
        self._arbiter: Engine | None = None
        self._task = Task()
        self.asked = ""
        """The engine that is being asked now."""
        self.counting = False
        """Whether that is the engine under test, counting what the suite asks for."""

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""
        return self._engine.name, tuple(reference.name for reference in self._references)

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way."""
        return self._task.nodes if self.counting else 0

    def stop(self) -> None:
        """Ask the engine at work to stop."""
        self._task.stop()

    def run(self) -> None:
        """Work off cases until none is left."""
        try:
            for engine in (self._engine, *self._references):
                self._start(engine)
            while (numbered := self._shared.next_case()) is not None:
                number, suite, case = numbered
                self._shared.news.put(CaseStarted(case.name, suite))
                result = self._check(_Tally(case, suite))
                if self._plan.fail_fast and result.verdict.is_failure:
                    self._shared.ended = True
                self._shared.news.put((number, result))
        except Interrupted:
            pass
        except Exception as error:  # also a fault of ours: a lane that died unheard would leave its cases out
            self._shared.news.put(error)
        finally:
            self._shared.news.put(self)

    def close(self) -> None:
        """Close the engines."""
        for engine in (self._engine, *self._references, *([self._arbiter] if self._arbiter else [])):
            engine.close()

    def _start(self, engine: Engine) -> None:
        if (line := engine.notice()) is not None:
            self._shared.news.put(Notice(line))
        self._ask(engine, engine.start, None)

    def _ask(self, engine: Engine, call: Callable[[Task], T], nodes: int | None, counting: bool = False) -> T:
        """Ask an engine; `nodes` is what it is expected to count, None for no time limit."""
        seconds = None if nodes is None else self._plan.timeout + nodes / self._plan.min_speed
        self._task, self.asked, self.counting = Task(seconds), engine.name, counting
        try:
            if self._shared.ended:
                raise Interrupted
            answer = call(self._task)
        except EngineError:
            if self._task.stopped:
                raise Interrupted from None
            raise
        finally:
            self.counting = False
        if self._task.stopped:
            raise Interrupted
        return answer

    def _ask_reference(self, reference: Engine, call: Callable[[Task], T], nodes: int) -> T:
        try:
            return self._ask(reference, call, nodes)
        except EngineError as error:
            raise type(error)(f"the reference {reference.name} failed: {error}") from None

    def _check(self, tally: _Tally) -> CaseResult:
        """Check one case, shallow depths first, up to the first count that is not right."""
        setup = Line(tally.case.position)
        for depth, expected in tally.case.counts:
            if depth < self._engine.min_depth:
                continue
            try:
                got = self._count(tally, setup, depth, expected)
                answers = tuple(
                    (one.name, self._ask_reference(one, partial(one.perft, setup, depth), expected))
                    for one in self._references
                    if depth >= one.min_depth
                )
            except Interrupted:
                return tally.result(Verdict.UNFINISHED, f"stopped after depth {tally.depth}")
            except EngineError as error:
                tally.depth, tally.expected, tally.got = depth, expected, None
                return tally.result(error.verdict, str(error))
            tally.depth, tally.expected, tally.got, tally.references = depth, expected, got, answers
            verdict, message = judge(self._engine.name, got, expected, answers)
            if verdict is not Verdict.AGREE:
                return self._explain(tally, verdict, message)
        if tally.depth == 0 and tally.case.counts:
            return tally.result(Verdict.SKIPPED, f"{self._engine.name} counts from depth {self._engine.min_depth} on")
        return tally.result(Verdict.AGREE)

    def _count(self, tally: _Tally, setup: Line, depth: int, expected: int) -> int:
        began = time.perf_counter()
        count = self._ask(self._engine, partial(self._engine.perft, setup, depth), expected, counting=True)
        tally.seconds += time.perf_counter() - began
        tally.nodes += count
        if count != expected and self._engine.is_stale(depth, count):
            raise refused(self._engine)
        return count

    def _explain(self, tally: _Tally, verdict: Verdict, message: str) -> CaseResult:
        """Compare root moves and, unless told not to, follow the difference down to its cause."""
        remarks = [message]
        try:
            reference = self._reference_for(tally)
            if reference is not None:
                self._compare(tally, reference)
                remarks += _remarks(tally)
                if self._plan.explain and tally.difference is not None and tally.difference.moves:
                    tally.finding = self._descend(tally, reference)
        except Interrupted:
            remarks.append("stopped before the cause was found")
        except EngineError as error:
            remarks.append(f"not explained: {error}")
        return tally.result(verdict, "; ".join(remarks))

    def _reference_for(self, tally: _Tally) -> Engine | None:
        """Return the first reference that contradicts the engine, or the arbiter where there are none."""
        answers = dict(tally.references)
        for reference in self._references:
            if answers.get(reference.name) not in (None, tally.got):
                return reference
        if self._references or self._plan.arbiter is None:
            return None
        if self._arbiter is None:
            self._arbiter = self._plan.arbiter()
            self._start(self._arbiter)
        slow = self._arbiter.name == "python-chess"
        return None if slow and (tally.expected or 0) > EXPLAIN_NODES else self._arbiter

    def _compare(self, tally: _Tally, reference: Engine) -> None:
        position, depth = tally.case.position, tally.depth
        self._shared.news.put(Notice(f"{tally.case.name}: comparing moves with {reference.name}"))
        got, expected = (self._divide(engine, Line(position), depth, tally) for engine in (self._engine, reference))
        tally.difference = compare_divides(position, depth, self._engine.name, got, reference.name, expected)

    def _divide(self, engine: Engine, setup: Line, depth: int, tally: _Tally) -> Divide:
        got = self._ask(engine, partial(engine.divide, setup, depth), tally.expected)
        return ensure_of_this_position(engine, setup, depth, got)

    def _descend(self, tally: _Tally, reference: Engine) -> Finding | None:
        return descend(
            Line(tally.case.position),
            tally.depth,
            lambda setup, depth: self._divide(self._engine, setup, depth, tally),
            lambda setup, depth: self._divide(reference, setup, depth, tally),
            lambda setup: self._ask(self._engine, partial(self._engine.fen, setup), 0),
        )


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
    cases = [(suite.name, case) for suite in plan.suites for case in suite]
    numbered = ((number, suite, case) for number, (suite, case) in enumerate(cases))
    shared = _Shared(plan, iter(numbered), queue.SimpleQueue())
    lanes = [_Lane(shared) for _ in range(max(1, min(plan.jobs, len(cases))))]
    started = RunStarted(__version__, *lanes[0].names, tuple(planned(suite) for suite in plan.suites))
    results: dict[int, CaseResult] = {}
    yield started
    for lane in lanes:
        lane.start()
    try:
        yield from _follow(shared, lanes, results, interrupt, deadline)
    finally:
        shared.ended = True
        for lane in lanes:
            lane.stop()
        for lane in lanes:
            lane.join(PATIENCE_SECONDS)
            if not lane.is_alive():
                lane.close()
    yield RunFinished(
        started,
        tuple(result for _, result in sorted(results.items())),
        time.monotonic() - began,
        interrupted=interrupt.requested,
        out_of_time=not interrupt.requested and _is_unfinished(plan, started, results),
    )


def _is_unfinished(plan: Plan, started: RunStarted, results: dict[int, CaseResult]) -> bool:
    """Tell whether the plan's time was over before its last count."""
    unfinished = any(result.verdict is Verdict.UNFINISHED for result in results.values())
    failed = any(result.verdict.is_failure for result in results.values())
    stopped_early = len(results) < started.positions and not (plan.fail_fast and failed)
    return plan.seconds is not None and (unfinished or stopped_early)


def _follow(
    shared: _Shared,
    lanes: list[_Lane],
    results: dict[int, CaseResult],
    interrupt: Interrupt,
    deadline: float | None,
) -> Iterator[Event]:
    """Pass the lanes' events on and collect their results, until all have ended or the run is cut short."""
    working = set(lanes)
    nodes, cut, counting_since = 0, 0.0, time.monotonic()
    while working:
        try:
            news = shared.news.get(timeout=POLL_SECONDS)
        except queue.Empty:
            asked = next((lane.asked for lane in lanes if lane in working), "")
            counted = nodes + sum(lane.nodes for lane in working)
            yield Progress(counted, time.monotonic() - counting_since, asked)
            news = None
        if isinstance(news, _Lane):
            working.discard(news)
        elif isinstance(news, Exception):
            raise news
        elif isinstance(news, tuple):
            number, result = news
            results[number] = result
            nodes += result.nodes
            yield CaseFinished(result, nodes, time.monotonic() - counting_since)
        elif news is not None:
            if not results and nodes == 0 and isinstance(news, CaseStarted):
                counting_since = time.monotonic()  # compiling and starting are over
            yield news
        if not cut and (interrupt.requested or (deadline is not None and time.monotonic() > deadline)):
            cut = time.monotonic()
            shared.ended = True
            for lane in lanes:
                lane.stop()
        if cut and time.monotonic() - cut > PATIENCE_SECONDS:
            return  # a call that does not react to being stopped, such as the compiler's
