"""What suites reach of an engine's code: every count is asked for by itself, with the counters at 0 before it."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path

import numpy as np

from ...errors import UsageError
from ...suites.case import Case, Suite, SuiteError
from ..coverage.code import CodeCoverage
from ..coverage.model import Counters, CoverageMap, CoverageSource, CoverageSummary, SourcePlace
from ..engines.asking.session import EngineSession, TimeLimit
from ..engines.base import EngineError, overdue
from ..model.results.verdict import ExitCode, Verdict, exit_code
from ..model.shutdown import Interrupted
from .comparing import least_depth

HOW = "compile it with counters, as docs/coverage.md says"
"""What to do about an engine that has none."""


def check_cover_file(path: Path) -> None:
    """Check that a cover can be written to a file. Raises SuiteError."""
    if (path.exists() and not path.is_file()) or not path.absolute().parent.is_dir():
        raise SuiteError(f"--keep-cover {path}: give a file in a folder that is there")


LEAST_GRACE = 3.0
"""Seconds that what is asked when the time is over may take at least, unless the limit of a count is less."""


@dataclass(frozen=True)
class CoverPlan:
    """The suites, and the limits."""

    suites: tuple[Suite, ...]
    limit: TimeLimit
    seconds: float | None = None
    """It asks for no further count after this time."""

    @property
    def most_seconds(self) -> float:
        """When it ends in any case: what is asked then has the limit of a count, or as long as the run, if less."""
        if self.seconds is None:
            return math.inf
        return max(0.0, self.seconds) + min(max(LEAST_GRACE, self.seconds), self.limit.seconds)


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
    """Whether a fault in perft-check has ended it early."""
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
    """A bit for each counter: see `bits_of`."""


MOST_FAILURES = 5
"""Counts that did not agree of which a report says what was wrong."""


class SuiteCoverage:
    """Asks an engine for the counts of suites, the smallest first, and notes which branches each of them reaches.

    What a count reaches may depend on what was asked before, in an engine that remembers anything.
    """

    def __init__(self, session: EngineSession, plan: CoverPlan) -> None:
        """Take the engine, which is not started yet. Raises UsageError if engines of its type have no counters."""
        if not session.engine.has_counters:
            raise UsageError(f"{session.name}: engines of this kind have no counters; see docs/coverage.md")
        self._source: CoverageSource = session.engine.measure_coverage()
        self._session = session
        self._plan, self._map = plan, CoverageMap()
        self._places: tuple[SourcePlace | None, ...] = ()
        self._reaches: dict[int, ReachOfCount] = {}
        """By the branches: the smallest count that reaches exactly these."""
        self._verdicts: Counter[Verdict] = Counter()
        self.failures: list[str] = []
        """What was wrong with the first counts that did not agree."""
        self.positions = 0
        """Positions that were asked about."""
        self.is_cut_short = False
        """Whether the time was over before the last count."""

    def run(self) -> Iterator[CoverProgress]:
        """Ask for all counts, until the time is over. Raises EngineError if the engine does not start, Interrupted.

        Raises UsageError if it has no counters after its first answer.
        """
        with self._ending_in_time():
            yield from self._run()

    @contextmanager
    def _ending_in_time(self) -> Iterator[None]:
        """End what is asked in this block when the time and the grace are over, as if no more had been left to ask."""
        timer = threading.Timer(min(self._plan.most_seconds, threading.TIMEOUT_MAX), self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Interrupted:
            if not self.is_cut_short:
                raise
        finally:
            timer.cancel()

    def _end(self) -> None:
        """Stop the question under way; another thread calls."""
        self.is_cut_short = True
        self._session.runner.stop()

    def _start(self) -> None:
        """Start the engine and end it again: the first count is not to find tables that a trial has filled.

        Raises EngineError, Interrupted.
        """
        try:
            self._session.start()
        except Interrupted:
            if self.is_cut_short:
                raise overdue(self._session.name, "was not ready", self._plan.most_seconds) from None
            raise
        self._session.restart()

    def _run(self) -> Iterator[CoverProgress]:
        began = time.monotonic()
        self._start()
        counts = _counts(self._plan.suites)
        asked: set[int] = set()
        for number, (nodes, case, depth) in enumerate(counts, 1):
            if self._plan.seconds is not None and time.monotonic() - began > self._plan.seconds:
                self.is_cut_short = True
                break
            if not self._session.can_take(case.game_after_moves):
                self._note(Verdict.SKIPPED)
                continue
            self._ask(case, depth, nodes)
            asked.add(id(case))
            self.positions = len(asked)
            self._map.note_time(time.monotonic() - began, self.positions)
            yield CoverProgress(number, len(counts), len(self._map))

    def close(self) -> None:
        """End the engine."""
        self._session.close()

    @property
    def verdicts(self) -> tuple[tuple[Verdict, int], ...]:
        """How many counts ended with each verdict."""
        return tuple(self._verdicts.items())

    @property
    def reached(self) -> int:
        """How many branches were reached so far."""
        return len(self._map)

    @property
    def summary(self) -> CoverageSummary:
        """What was reached so far."""
        places = self._source.places()
        if len(places) >= len(self._places):  # an engine that was interrupted may report none
            self._places = places
        return self._map.summary(self._places)

    @property
    def smallest(self) -> tuple[Case, ...]:
        """Few cases, with few counts, that reach all that was reached: see `choose_cover`."""
        depths: dict[str, tuple[Case, int]] = {}
        reaches = list(self._reaches.values())
        for number in choose_cover([one.branches for one in reaches], [one.nodes for one in reaches]):
            one = reaches[number]
            _, depth = depths.get(one.case.source, (one.case, 0))
            depths[one.case.source] = one.case, max(depth, one.depth)
        return tuple(case.to_depth(depth) for case, depth in depths.values())

    def _ask(self, case: Case, depth: int, nodes: int) -> None:
        session, got, error = self._session.expecting(nodes), 0, None
        try:
            got = session.perft(case.game, depth)
            if case.moves and session.plays_moves and depth == case.counts[0][0]:
                session.perft(case.game_after_moves, least_depth(session))
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
        self._source.reset()
        if not len(counters) and error is None:
            raise UsageError(f"{session.name} has no counters: {HOW}")
        if not self._places:
            self._places = self._source.places()
        self._note_reached(counters, case, depth, nodes)

    def _note(self, verdict: Verdict, failure: str = "") -> None:
        self._verdicts[verdict] += 1
        if failure and len(self.failures) < MOST_FAILURES:
            self.failures.append(failure)

    def _note_reached(self, counters: Counters, case: Case, depth: int, nodes: int) -> None:
        self._map.note(counters, lambda: case.game, depth, by_suite=True)
        branches = bits_of(counters)
        self._reaches.setdefault(branches, ReachOfCount(case, depth, nodes, branches))


def _counts(suites: Sequence[Suite]) -> list[tuple[int, Case, int]]:
    """Return the nodes, the case and the depth of every count, the smallest first, else in the order of the suites."""
    counts = [(nodes, case, depth) for suite in suites for case in suite for depth, nodes in case.counts]
    return sorted(counts, key=lambda count: count[0])


def bits_of(counters: Counters) -> int:
    """Return a number with a bit for each counter, by its number, that is not 0."""
    return int.from_bytes(np.packbits(counters != 0, bitorder="little").tobytes(), "little")


def choose_cover(reached: Sequence[int], costs: Sequence[int]) -> list[int]:
    """Return the places, ascending, of few sets of branches that together have all that any of them has.

    Always the one that adds most, and of equals the one that costs least (V. Chvatal, "A greedy heuristic for the
    set-covering problem", Mathematics of Operations Research 4, 1979); then without those that others make needless.
    """
    left = reduce(or_, reached, 0)
    chosen: list[int] = []
    while left:
        best = max(range(len(reached)), key=lambda place: ((reached[place] & left).bit_count(), -costs[place]))
        chosen.append(best)
        left &= ~reached[best]
    for place in sorted(chosen, key=lambda place: -costs[place]):
        others = reduce(or_, (reached[other] for other in chosen if other != place), 0)
        if not reached[place] & ~others:
            chosen.remove(place)
    return sorted(chosen)
