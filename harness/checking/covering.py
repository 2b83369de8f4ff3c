"""What suites reach of an engine's code: every count is asked for by itself, with the counters at 0 before it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import UsageError
from ...generator.line import Line
from ...suites.case import Case, Suite
from ..asking.client import CallRunner, EngineClient, TimeLimit
from ..coverage.code import CodeCoverage
from ..coverage.model import Counters, CoverageMap, CoverageSource, CoverageSummary
from ..engines.base import Engine, EngineError
from ..engines.capabilities import MeasuresCoverage
from ..model.results.verdict import ExitCode, Verdict, exit_code

HOW = "compile it with counters, as docs/coverage.md says"
"""What to do about an engine that has none."""


@dataclass(frozen=True)
class CoverPlan:
    """The engine, the suites, and the limits."""

    engine: Callable[[], Engine]
    suites: tuple[Suite, ...]
    limit: TimeLimit
    seconds: float | None = None
    """It ends after this time."""


@dataclass(frozen=True)
class CoverProgress:
    """How far it is, after each count."""

    done: int
    counts: int
    """How many will be asked for."""
    branches: int
    """Reached so far."""


@dataclass(frozen=True)
class CoverFinished:
    """What suites have reached of an engine's code, with everything that a report needs."""

    version: str
    engine: str
    suites: tuple[str, ...]
    code: CodeCoverage
    positions: int
    """Positions of the suites that were asked about."""
    seconds: float
    verdicts: tuple[tuple[Verdict, int], ...] = ()
    """How many counts ended with each verdict."""
    failures: tuple[str, ...] = ()
    """What was wrong with the first counts that did not agree: a sentence each."""
    interrupted: bool = False
    internal_error: bool = False
    """Whether a fault of ours has ended it early."""
    is_cut_short: bool = False
    """Whether the time was over before the last count."""
    stored: str | None = None
    """The suite that was written."""
    stored_positions: int = 0
    """How many positions that has."""

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the counts call for."""
        return exit_code([verdict for verdict, _ in self.verdicts], self.interrupted, self.internal_error)


@dataclass(frozen=True)
class ReachOfCount:
    """Which branches one count of a case reaches."""

    case: Case
    depth: int
    nodes: int
    branches: int
    """A bit for each counter."""


MOST_FAILURES = 5
"""Counts that did not agree of which a report says what was wrong."""


class SuiteCoverage:
    """Asks an engine for the counts of suites, the smallest first, and notes which branches each of them reaches.

    What a count reaches may depend on what was asked before, in an engine that remembers anything.
    """

    def __init__(self, plan: CoverPlan, runner: CallRunner) -> None:
        """Open the engine. Raises UsageError where it has no counters."""
        engine = plan.engine()
        if not isinstance(engine, MeasuresCoverage):
            raise UsageError(f"{engine.name}: engines of this kind have no counters; see docs/coverage.md")
        self._source: CoverageSource = engine.measure_coverage()
        self._client = EngineClient(engine, runner, plan.limit)
        self._plan, self._map = plan, CoverageMap()
        self._reaches: dict[int, ReachOfCount] = {}
        """By the branches: the smallest count that reaches exactly these."""
        self._verdicts: dict[Verdict, int] = {}
        self.failures: list[str] = []
        """What was wrong with the first counts that did not agree."""
        self.positions = 0
        """Positions that were asked about."""
        self.is_cut_short = False
        """Whether the time was over before the last count."""

    def run(self) -> Iterator[CoverProgress]:
        """Ask for all counts, until the time is over. Raises EngineError where the engine does not start, Interrupted.

        Raises UsageError where it has no counters after its first answer.
        """
        began = time.monotonic()
        self._client.start()
        counts = _counts(self._plan.suites)
        asked: set[int] = set()
        for number, (nodes, case, depth) in enumerate(counts, 1):
            if self._plan.seconds is not None and time.monotonic() - began > self._plan.seconds:
                self.is_cut_short = True
                break
            if not self._client.can_take(case.played_line):
                self._note(Verdict.SKIPPED)
                continue
            asked.add(id(case))
            self.positions = len(asked)
            self._ask(case, depth, nodes)
            self._map.note_time(time.monotonic() - began, self.positions)
            yield CoverProgress(number, len(counts), len(self._map))

    def close(self) -> None:
        """End the engine."""
        self._client.engine.close()

    @property
    def verdicts(self) -> tuple[tuple[Verdict, int], ...]:
        """How many counts ended with each verdict."""
        return tuple(self._verdicts.items())

    @property
    def summary(self) -> CoverageSummary:
        """What was reached so far."""
        return self._map.summary(self._source.places())

    @property
    def smallest(self) -> tuple[Case, ...]:
        """Few cases, with few counts, that reach all that was reached: see `choose_smallest`."""
        depths: dict[str, tuple[Case, int]] = {}
        for one in choose_smallest(list(self._reaches.values())):
            _, depth = depths.get(one.case.source, (one.case, 0))
            depths[one.case.source] = one.case, max(depth, one.depth)
        return tuple(case.to_depth(depth) for case, depth in depths.values())

    def _ask(self, case: Case, depth: int, nodes: int) -> None:
        self._source.reset()
        client, got, error = self._client.expecting(nodes), 0, None
        try:
            got = client.perft(case.line, depth)
            if case.moves and client.plays_moves and depth == case.counts[0][0]:
                client.perft(case.played_line, max(1, client.min_depth))
        except EngineError as failure:
            error = failure
        where = f"{case.name}, depth {depth}"
        if error is not None:
            self._note(error.verdict, f"{where}: {error}")
        elif got != nodes:
            self._note(Verdict.MISMATCH, f"{where}: {got:,} nodes instead of {nodes:,}")
        else:
            self._note(Verdict.AGREE)
        counters = self._source.read()
        if not len(counters) and error is None:
            raise UsageError(f"{client.name} has no counters: {HOW}")
        self._note_reached(counters, case, depth, nodes)

    def _note(self, verdict: Verdict, failure: str = "") -> None:
        self._verdicts[verdict] = self._verdicts.get(verdict, 0) + 1
        if failure and len(self.failures) < MOST_FAILURES:
            self.failures.append(failure)

    def _note_reached(self, counters: Counters, case: Case, depth: int, nodes: int) -> None:
        def line() -> Line:
            return case.line

        self._map.note(counters, line, depth, by_suite=True)
        branches = int.from_bytes(np.packbits(counters != 0, bitorder="little").tobytes(), "little")
        self._reaches.setdefault(branches, ReachOfCount(case, depth, nodes, branches))


def _counts(suites: Sequence[Suite]) -> list[tuple[int, Case, int]]:
    """Return the nodes, the case and the depth of every count, the smallest first, else in the order of the suites."""
    counts = [(nodes, case, depth) for suite in suites for case in suite for depth, nodes in case.counts]
    return sorted(counts, key=lambda count: count[0])


def choose_smallest(reaches: Sequence[ReachOfCount]) -> list[ReachOfCount]:
    """Return few counts that together reach all branches that any of them reaches, in the order of the `reaches`.

    Always the one that adds most, and of equals that with the fewest nodes (V. Chvatal, "A greedy heuristic for the
    set-covering problem", Mathematics of Operations Research 4, 1979); then without those that others make needless.
    """
    left = 0
    for one in reaches:
        left |= one.branches
    chosen: list[ReachOfCount] = []
    while left:
        best = max(reaches, key=lambda one: ((one.branches & left).bit_count(), -one.nodes))
        chosen.append(best)
        left &= ~best.branches
    for one in sorted(chosen, key=lambda one: -one.nodes):
        others = 0
        for other in chosen:
            others |= 0 if other is one else other.branches
        if not one.branches & ~others:
            chosen.remove(one)
    return sorted(chosen, key=reaches.index)
