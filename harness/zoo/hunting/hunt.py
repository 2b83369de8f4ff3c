"""Hunt one fault by one strategy: is it reached, triggered, detected, how soon, and is it explained rightly?"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count

from ....generator.line import Line
from ....suites.bundled import BUNDLED, bundled_path
from ....suites.case import Case
from ....suites.loader import load_suite
from ....suites.making import KNOWN
from ...asking.client import CallRunner, EngineClient, TimeLimit
from ...checking.descent.descending import descend
from ...engines.base import EngineError
from ...engines.kinds.own import OwnEngine
from ...fuzzing.batch import Batch
from ...fuzzing.building import inside_checks
from ...fuzzing.checks.divides import Divides
from ...fuzzing.checks.fens import ChildFens
from ...fuzzing.checks.setups import Setups
from ...fuzzing.examining import Examiner
from ...fuzzing.model import Hit
from ...fuzzing.reduction.reducing import reduce
from ...fuzzing.sweep import SweepBatch
from ...model.results.events import Finding
from ...model.shutdown import Interrupted
from ..catalogue import find_fault
from ..engine import ZooEngine
from ..fault import Fault
from ..seeded.generator import FaultTally
from ..seeded.subjects import watch_subject
from .model import Hunt, Outcome
from .planning import FUZZED, REFERENCE, SERVED, names_rule, plan_of
from .served import hunt_served

TIMEOUT_SECONDS = 10.0


def hunt(task: Hunt) -> Outcome:
    """Hunt a fault until it is detected or the time is over. Raises UsageError for an unknown fault."""
    fault = find_fault(task.fault)
    if task.strategy == SERVED and fault.is_served:
        return hunt_served(task, fault)
    if task.strategy not in SUITES:
        return _Fuzzing(task, fault).run()
    return _Suite(task, fault).run()


def _cpw() -> list[Case]:
    return [case for case in load_suite(KNOWN).cases if case.name.startswith("cpw-")]


SUITES: dict[str, Callable[[], list[Case]]] = {
    "cpw": _cpw,
    "known": lambda: list(load_suite(KNOWN).cases),
    **{name: partial(lambda name: list(load_suite(bundled_path(name)).cases), name) for name in BUNDLED},
}
"""Strategies that count a suite: the six best known positions, all well-known positions, the bundled suites."""

STRATEGIES = (*FUZZED, SERVED, *SUITES)


class _Fuzzing:
    """Draws positions, and examines them with the checks that apply to the fault."""

    def __init__(self, task: Hunt, fault: Fault) -> None:
        self._task, self._fault = task, fault
        self._caller = CallRunner()
        self._engine = ZooEngine(fault.name) if fault.is_served else None
        self._examiner, self._tally = examiner_of(fault, self._engine, self._caller)
        self._is_first, self._began = True, time.monotonic()
        self._positions = 0

    def run(self) -> Outcome:
        plan = plan_of(self._task, self._fault, f"zoo:{self._fault.name}")
        for number in count():
            share, is_over = plan.share(number), False
            batch = (SweepBatch if share.questions else Batch)(plan, share, self._examiner, self._check_time)
            try:
                batch.run()
            except Interrupted:
                is_over = True
            self._positions += batch.result.examples
            if is_over:
                return self._outcome(None)
            if batch.result.first:
                return self._outcome(next(iter(batch.result.first.values())))
        raise AssertionError("an endless loop ended")

    def _check_time(self, _new: list[Hit]) -> None:
        if self._is_first:  # the time counts from here, because loading the kernels takes long
            self._is_first, self._began = False, time.monotonic()
        if time.monotonic() - self._began > self._task.seconds:
            self._caller.stop()

    def _outcome(self, hit: Hit | None) -> Outcome:
        seconds, tally = time.monotonic() - self._began, replace(self._tally)
        nodes = 0 if self._engine is None else self._engine.nodes
        explained, pieces = None, None
        if hit is not None:
            self._caller.resume()
            reduced, _, _ = reduce(hit.discrepancy, 2, self._examiner)
            explained, pieces = names_rule(self._fault, reduced.finding), reduced.pieces
        return Outcome(
            hunt=self._task,
            reached=tally.reached > 0,
            triggered=tally.triggered > 0,
            detected=hit is not None,
            positions=self._positions,
            nodes=nodes,
            seconds=seconds,
            explained=explained,
            pieces=pieces,
        )


class _Suite:
    """Compares the counts of a suite, the smallest first, so that the time suffices for as many as possible."""

    def __init__(self, task: Hunt, fault: Fault) -> None:
        self._task, self._fault = task, fault
        self._cases = [case for case in SUITES[task.strategy]() if case.position.chess960 <= fault.shows.chess960]
        self._began = time.monotonic()
        self._positions = self._nodes = 0

    def run(self) -> Outcome:
        if not self._fault.is_served:  # no count shows it
            return self._outcome(FaultTally(), False, None)
        engine, caller = ZooEngine(self._fault.name), CallRunner()
        for case, depth, expected in self._counts():
            left = self._task.seconds - (time.monotonic() - self._began)
            if left <= 0:
                return self._outcome(engine.tally, False, None)
            self._positions += 1
            line = Line(case.position)
            try:
                counted = EngineClient(engine, caller, TimeLimit(left)).divide(line, depth).total
            except EngineError:
                is_over = caller.task.is_overdue  # else the engine itself has failed
                return self._outcome(engine.tally, not is_over, None)
            self._nodes += counted
            if counted != expected:
                return self._outcome(engine.tally, True, _explain(EngineClient(engine, caller), line, depth))
        return self._outcome(engine.tally, False, None)

    def _counts(self) -> list[tuple[Case, int, int]]:
        asked = [(case, depth, nodes) for case in self._cases for depth, nodes in case.counts]
        return sorted(asked, key=lambda question: question[2])

    def _outcome(self, tally: FaultTally, detected: bool, finding: Finding | None) -> Outcome:
        seconds = time.monotonic() - self._began
        return Outcome(
            hunt=self._task,
            reached=tally.reached > 0,
            triggered=tally.triggered > 0,
            detected=detected,
            positions=self._positions,
            nodes=self._nodes,
            seconds=seconds,
            explained=names_rule(self._fault, finding) if detected else None,
            pieces=None if finding is None else finding.pieces,
        )


def _explain(engine: EngineClient, line: Line, depth: int) -> Finding | None:
    """Follow a wrong count down to its cause."""
    try:
        return descend(line, depth, engine, EngineClient(OwnEngine(REFERENCE), engine.runner))
    except EngineError:
        return None


def examiner_of(fault: Fault, engine: ZooEngine | None, caller: CallRunner) -> tuple[Examiner, FaultTally]:
    """Return the checks that apply to a fault, and its tally; `engine` is None where only the API shows it."""
    if engine is None:
        subject = watch_subject(fault.seeded)
        return Examiner(inside_checks(subject, caller), [], caller), subject.tally
    limit = TimeLimit(TIMEOUT_SECONDS)
    tested = EngineClient(engine, caller, limit)
    reference = EngineClient(OwnEngine(REFERENCE), caller, limit, is_reference=True)
    divides = Divides(tested, reference, None)
    setups = Setups(tested, reference, (divides,), (fault.shows.chess960,))
    return Examiner([divides, ChildFens(tested)], [tested, reference], caller, setups), engine.tally
