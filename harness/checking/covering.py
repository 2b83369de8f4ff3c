"""Measure which branches of an engine's code suites reach. The counters are reset before each count."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ...errors import UsageError
from ...suites.case import Case, Suite
from ..coverage.code import CodeCoverage
from ..coverage.model import CoverageMap, CoverageSource, CoverageSummary, SourceLocation
from ..engines.asking.session import EngineSession, TimeLimit
from ..engines.base import EngineError, overdue
from ..model.results.verdict import ExitCode, Verdict, exit_code
from ..shutdown import Interrupted
from .comparing import least_depth

HOW = "compile it with them, as 'Coverage' in the documentation describes"
"""Advice for engines without counters."""


LEAST_GRACE = 3.0
"""Minimum grace period in seconds for the last count, unless the limit for one count is shorter."""


@dataclass(frozen=True)
class CoverPlan:
    """The suites to count, and the limits."""

    suites: tuple[Suite, ...]
    limit: TimeLimit
    seconds: float | None = None
    """No count is started after this time."""

    @property
    def most_seconds(self) -> float:
        """Time after which the run always ends.

        The last count may take as long as the whole run, or `LEAST_GRACE` if that is longer, but not longer than the
        limit for one count.
        """
        if self.seconds is None:
            return math.inf
        return max(0.0, self.seconds) + min(max(LEAST_GRACE, self.seconds), self.limit.seconds)


@dataclass(frozen=True)
class CoverProgress:
    """The progress after each count."""

    done: int
    counts: int
    """Total number of counts."""
    branches: int
    """Branches reached so far."""


@dataclass(frozen=True)
class CoverFinished:
    """The final result: which branches of an engine's code the suites have reached."""

    version: str
    engine: str
    suites: tuple[str, ...]
    code: CodeCoverage
    positions: int
    """Number of positions that the engine has counted."""
    seconds: float
    verdicts: tuple[tuple[Verdict, int], ...] = ()
    """Number of counts for each verdict."""
    failures: tuple[str, ...] = ()
    """A sentence for each of the first counts that differed."""
    interrupted: bool = False
    internal_error: bool = False
    """Whether an internal error ended the run early."""
    is_cut_short: bool = False
    """Whether time ran out before the last count."""

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that follows from the counts."""
        return exit_code([verdict for verdict, _ in self.verdicts], self.interrupted, self.internal_error)


MOST_FAILURES = 5
"""Maximum number of differing counts to describe."""


class SuiteCoverage:
    """Runs the counts of suites, smallest first, and records which branches of the engine each of them reaches.

    If an engine keeps state between counts, the branches that a count reaches may depend on earlier counts.
    """

    def __init__(self, session: EngineSession, plan: CoverPlan) -> None:
        """Prepare to measure an engine that has not been started. Raises UsageError if its type has no counters."""
        if not session.engine.has_counters:
            raise UsageError(
                f"{session.name}: engines of this type have no coverage counters; see 'Coverage' in the documentation"
            )
        self._source: CoverageSource = session.engine.measure_coverage()
        self._session = session
        self._plan, self._map = plan, CoverageMap()
        self._locations: tuple[SourceLocation | None, ...] = ()
        self._verdicts: Counter[Verdict] = Counter()
        self.failures: list[str] = []
        """A sentence for each of the first counts that differed."""
        self.positions = 0
        """Number of positions that the engine has counted."""
        self.is_cut_short = False
        """Whether time ran out before the last count."""

    def run(self) -> Iterator[CoverProgress]:
        """Run all counts, or as many as the time allows.

        Raises EngineError if the engine does not start, UsageError if it has no counters after its first answer, and
        Interrupted.
        """
        with self._ending_in_time():
            yield from self._run()

    @contextmanager
    def _ending_in_time(self) -> Iterator[None]:
        """Stop the current count at the end of the grace period, as if it had been the last one."""
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
        """Stop the current count. Called from another thread."""
        self.is_cut_short = True
        self._session.runner.stop()

    def _start(self) -> None:
        """Start the engine, then end its process, so that the first count finds no tables filled by a trial.

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
            yield CoverProgress(number, len(counts), len(self._map))

    def close(self) -> None:
        """Close the engine."""
        self._session.close()

    @property
    def verdicts(self) -> tuple[tuple[Verdict, int], ...]:
        """Number of counts for each verdict."""
        return tuple(self._verdicts.items())

    @property
    def summary(self) -> CoverageSummary:
        """The coverage so far."""
        locations = self._source.locations()
        if len(locations) >= len(self._locations):  # an interrupted engine may report no coverage
            self._locations = locations
        return self._map.summary(self._locations)

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
            raise UsageError(f"{session.name} has no coverage counters: {HOW}")
        if not self._locations:
            self._locations = self._source.locations()
        self._map.note(counters, lambda: case.game, depth, by_suite=True)

    def _note(self, verdict: Verdict, failure: str = "") -> None:
        self._verdicts[verdict] += 1
        if failure and len(self.failures) < MOST_FAILURES:
            self.failures.append(failure)


def _counts(suites: Sequence[Suite]) -> list[tuple[int, Case, int]]:
    """Return nodes, case and depth of every count, in ascending order of nodes."""
    counts = [(nodes, case, depth) for suite in suites for case in suite for depth, nodes in case.counts]
    return sorted(counts, key=lambda count: count[0])
