"""Hunt faults: measure whether and when a strategy detects a fault, and whether the fault is explained correctly.

Hunts run in parallel, and their outcomes are stored in a file so that scoring can be resumed.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated

import msgspec

from ...atomic import write_atomically
from ...errors import UsageError, UserError
from ...generator.game import Game
from ...generator.position import Position
from ...generator.reachability.classification import is_impossible
from ...generator.validation import FenError
from ...suites.bundled import BUNDLED, KNOWN, bundled_path
from ...suites.case import Case
from ...suites.loader import load_suite
from ..checking.descent.descending import descend
from ..engines.asking.runner import CallRunner
from ..engines.asking.session import EngineSession, TimeLimit
from ..engines.base import EngineError
from ..engines.child_processes import python_command
from ..engines.opening import open_session
from ..engines.spec import REFERENCE
from ..fuzzing.batch import BatchContext
from ..fuzzing.campaign import fuzz
from ..fuzzing.checks.children import ChildFens
from ..fuzzing.checks.divides import Divides
from ..fuzzing.checks.setups import Setups
from ..fuzzing.examining import Examiner
from ..fuzzing.hypothesis_batch import HypothesisBatch
from ..fuzzing.model import DiscrepancySeen, FuzzFinished, Hit
from ..fuzzing.plan import FuzzPlan
from ..fuzzing.reducing import reduce
from ..fuzzing.sweep_batches import SweepBatch
from ..model.results.finding import Finding
from ..shutdown import Interrupt, Interrupted
from ..worker_processes import spread
from . import serve
from .catalogue import find_fault
from .engine import ZooEngine
from .fault import Fault
from .score import Hunt, Outcome

TIMEOUT_SECONDS = 10.0

FUZZ_STRATEGIES: dict[str, tuple[str, ...]] = {"fuzz": (), "games": ("games",), "walks": ("walks",)}
"""Hunt strategies that fuzz inside this process, with their `--strategy` values; empty for all."""
SERVED = "served"
"""The hunt strategy that fuzzes the fault in a separate process."""
SUITES: dict[str, Callable[[], list[Case]]] = {
    "cpw": lambda: [case for case in load_suite(KNOWN) if case.name.startswith("cpw-")],
    "known": lambda: list(load_suite(KNOWN)),
    **{name: partial(lambda name: list(load_suite(bundled_path(name))), name) for name in BUNDLED},
}
"""Hunt strategies that count a suite: the six best-known positions, all well-known positions, or the bundled suites."""
STRATEGIES = (*FUZZ_STRATEGIES, SERVED, *SUITES)
START_FAILURES = ("crash", "hang")
"""Effects that can prevent the engine from starting, which makes the run fail with an error."""


def hunt(task: Hunt) -> Outcome:
    """Hunt a fault until it is detected or time runs out. Raises UsageError for an unknown fault."""
    fault = find_fault(task.fault)
    if task.strategy in SUITES:
        return _SuiteHunt(task, fault).run()
    if task.strategy == SERVED:
        return _ServedHunt(task, fault).run()
    return _FuzzHunt(task, fault).run()


class _Hunt:
    """Base class of the hunts."""

    def __init__(self, task: Hunt, fault: Fault) -> None:
        self._task, self._fault = task, fault
        self._began = time.monotonic()
        self._positions = self._nodes = 0

    def _end(self, *, detected: bool, seconds: float | None = None) -> Outcome:
        """Return the outcome without an explanation. `seconds` is the duration of the hunt, by default until now."""
        return Outcome(
            hunt=self._task,
            detected=detected,
            positions=self._positions,
            nodes=self._nodes,
            seconds=self._seconds if seconds is None else seconds,
            explained=None,
            pieces=None,
        )

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _explained_by(self, finding: Finding | None) -> bool | None:
        """Return True if a finding names a correct rule, or None if the fault has no rule."""
        if not self._fault.rules:
            return None
        return finding is not None and any(move.rule in self._fault.rules for move in (*finding.state, *finding.wrong))

    def _plan(self, engine: str, *, is_served: bool = False) -> FuzzPlan:
        """Return the plan for fuzzing a fault; `is_served` allows pipelining and sets the time limit of the hunt."""
        return FuzzPlan(
            engine=engine,
            references=(REFERENCE,),
            seed=self._task.seed,
            examples=None,
            seconds=self._task.seconds if is_served else None,
            strategies=FUZZ_STRATEGIES.get(self._task.strategy, ()),
            variants=(self._fault.demonstration.chess960,),
            depth=2,
            impossible=_is_impossible(self._fault),
            fail_fast=True,
            may_pipeline=is_served,
            includes_sweep=not FUZZ_STRATEGIES.get(self._task.strategy),
        )


class _FuzzHunt(_Hunt):
    """Fuzzes the fault inside this process."""

    def __init__(self, task: Hunt, fault: Fault) -> None:
        self._caller = CallRunner()
        self._engine = ZooEngine(fault.name)
        self._examiner = examiner_of(self._engine, self._caller)
        super().__init__(task, fault)
        self._is_first = True

    def run(self) -> Outcome:
        plan = self._plan(f"zoo:{self._fault.name}")
        for number in count():
            assignment, is_over = plan.assignment(number), False
            batch = (SweepBatch if assignment.sweep_cases else HypothesisBatch)(
                BatchContext(plan, assignment, self._examiner, self._check_time)
            )
            try:
                batch.run()
            except Interrupted:
                is_over = True
            self._positions += batch.result.examples
            first = None if is_over else next(iter(batch.result.first.values()), None)
            if is_over or first is not None:
                return self._outcome(first)
        raise AssertionError("an endless loop ended")

    def _check_time(self, _new: list[Hit]) -> None:
        if self._is_first:  # start timing here, because loading the kernels takes a long time
            self._is_first, self._began = False, time.monotonic()
        if self._seconds > self._task.seconds:
            self._caller.stop()

    def _outcome(self, hit: Hit | None) -> Outcome:
        self._nodes = self._engine.nodes
        outcome = self._end(detected=hit is not None)
        if hit is None:
            return outcome
        self._caller.resume()
        reduced, _, _ = reduce(hit.discrepancy, 2, self._examiner)
        return replace(outcome, explained=self._explained_by(reduced.finding), pieces=reduced.pieces)


class _SuiteHunt(_Hunt):
    """Compares the counts of a suite in ascending order, so that as many as possible fit into the time limit."""

    def __init__(self, task: Hunt, fault: Fault) -> None:
        self._engine = ZooEngine(fault.name)
        super().__init__(task, fault)
        self._cases = [
            case for case in SUITES[task.strategy]() if case.position.chess960 <= fault.demonstration.chess960
        ]

    def run(self) -> Outcome:
        caller = CallRunner()
        for case, depth, expected in self._counts():
            left = self._task.seconds - self._seconds
            if left <= 0:
                break
            self._positions += 1
            game = Game(case.position)
            try:
                counted = EngineSession(self._engine, caller, TimeLimit(left)).divide(game, depth).total
            except EngineError:
                if caller.latest.is_overdue:
                    break
                return self._outcome(None)  # the engine failed
            self._nodes += counted
            if counted != expected:
                return self._outcome(_explain(EngineSession(self._engine, caller), game, depth))
        return self._end(detected=False)

    def _counts(self) -> list[tuple[Case, int, int]]:
        asked = [(case, depth, nodes) for case in self._cases for depth, nodes in case.counts]
        return sorted(asked, key=lambda question: question[2])

    def _outcome(self, finding: Finding | None) -> Outcome:
        pieces = None if finding is None else finding.pieces
        return replace(self._end(detected=True), explained=self._explained_by(finding), pieces=pieces)


class _ServedHunt(_Hunt):
    """Fuzzes the fault in a separate process, like any other engine.

    The measured time includes the start of all processes.
    """

    def run(self) -> Outcome:
        """Run the fuzzer. Raises UserError if the engine fails to start for a reason other than its fault."""
        seconds, ended = None, None
        engine = f"uci:{shlex.join(python_command(serve.__name__, self._fault.name))}"
        try:
            for event in fuzz(self._plan(engine, is_served=True), Interrupt()):
                if isinstance(event, DiscrepancySeen) and seconds is None:
                    seconds = self._seconds
                elif isinstance(event, FuzzFinished):
                    ended = event
        except UserError:
            if self._fault.effect not in START_FAILURES:
                raise
            return self._end(detected=True)
        assert ended is not None  # it is the last event
        self._positions = ended.coverage.examples
        findings = (one for one in ended.findings if one.reproducible and one.discrepancy.is_of_engine)
        finding = next(findings, None)
        outcome = self._end(detected=finding is not None, seconds=seconds)
        if finding is None:
            return outcome
        return replace(outcome, explained=self._explained_by(finding.discrepancy.finding), pieces=finding.pieces)


def _is_impossible(fault: Fault) -> bool:
    """Return True if the demonstration is impossible, so that only impossible positions reveal the fault."""
    shows = fault.demonstration
    try:
        return is_impossible(Position.from_fen(shows.fen, shows.chess960))
    except FenError:
        return False


def _explain(engine: EngineSession, game: Game, depth: int) -> Finding | None:
    """Descend from an incorrect count to its cause; return None if the engine fails."""
    try:
        return descend(game, depth, engine, open_session(REFERENCE, engine.runner))
    except EngineError:
        return None


def examiner_of(engine: ZooEngine, caller: CallRunner) -> Examiner:
    """Return an examiner with the checks that apply to a fault."""
    limit = TimeLimit(TIMEOUT_SECONDS)
    tested = EngineSession(engine, caller, limit)
    reference = open_session(REFERENCE, caller, limit, is_reference=True)
    divides = Divides(tested, reference, None)
    setups = Setups(tested, reference, (divides,), (engine.fault.demonstration.chess960,))
    return Examiner([divides, ChildFens(tested)], [tested, reference], caller, setups)


class _Jobs(msgspec.Struct):
    jobs: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Number of simultaneous hunts, or None if unknown."""


_read_outcome = msgspec.json.Decoder(Outcome).decode
_read_jobs = msgspec.json.Decoder(_Jobs).decode


class OutcomeFile:
    """Outcomes of hunts, stored in a JSON Lines file if a path is given."""

    def __init__(self, path: Path | None) -> None:
        """Read the file, and remove an incomplete last line from it. Raises UsageError."""
        self._path = path
        self._jobs: dict[Hunt, int] = {}
        self.by_hunt: dict[Hunt, Outcome] = {}
        if path is None:
            return
        if not path.absolute().parent.is_dir():
            raise UsageError(f"--results {path}: there is no folder {str(path.parent)!r}")
        try:
            self._read(path)
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise UsageError(f"cannot read {path}: {reason}") from None

    def _read(self, path: Path) -> None:
        if not path.exists():
            return
        if not path.is_file() and not path.is_dir():
            raise UsageError(f"--results {path} is not a regular file; give another")
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        for number, line in enumerate(whole, 1):
            try:
                outcome, jobs = _read_outcome(line), _read_jobs(line).jobs
            except msgspec.MsgspecError:
                raise UsageError(f"{path}, line {number}: not an outcome of a hunt; give another file") from None
            self._remember(outcome, jobs)
        if len(whole) < len(lines):
            write_atomically(path, "".join(whole).encode())

    def _remember(self, outcome: Outcome, jobs: int | None) -> None:
        self.by_hunt[outcome.hunt] = outcome
        if jobs is not None:
            self._jobs[outcome.hunt] = jobs

    def keep(self, outcome: Outcome, jobs: int) -> None:
        """Add an outcome and the number of simultaneous hunts, and write them to the file. Raises UsageError."""
        self._remember(outcome, jobs)
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**msgspec.to_builtins(outcome), "jobs": jobs}) + "\n")
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror}") from None

    def jobs(self, hunts: Iterable[Hunt]) -> tuple[int, ...]:
        """Return the distinct numbers of simultaneous hunts with which these hunts ran, if known."""
        return tuple(sorted({self._jobs[task] for task in hunts if task in self._jobs}))


def hunts(faults: Iterable[Fault], strategies: Iterable[str], seeds: int, seconds: float) -> list[Hunt]:
    """Return all hunts, ordered by seed so that an interrupted score has complete seeds.

    Suites are counted only with the first seed, because the result does not depend on it.
    """
    chosen, wanted = list(faults), list(strategies)
    return [
        Hunt(fault.name, strategy, seed, seconds)
        for seed in range(1, seeds + 1)
        for strategy in wanted
        if seed == 1 or strategy not in SUITES
        for fault in chosen
    ]


def run_hunts(todo: list[Hunt], done: OutcomeFile, jobs: int, interrupt: Interrupt) -> Iterator[Hunt | Outcome]:
    """Run the remaining hunts, `jobs` at a time, and store each outcome immediately.

    Yields each hunt when it begins and its outcome when it ends. An interrupt discards unfinished hunts. Raises
    EngineCrash if a worker process dies, or UsageError if an outcome cannot be stored.
    """
    left = [task for task in todo if task not in done.by_hunt]
    for task, outcome in spread(hunt, left, jobs, interrupt, lambda task: f"hunting {task.fault}"):
        if outcome is not None:
            done.keep(outcome, jobs)
        yield outcome or task
