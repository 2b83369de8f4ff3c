"""Measure which branches of an engine's code suites reach. The counters are reset before each count."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ... import __version__
from ...errors import UsageError
from ...suites.case import Case, Suite
from ..coverage.code import CodeCoverage
from ..coverage.model import CoverageMap, CoverageSource, CoverageSummary, SourceLocation
from ..coverage.source_files import source_folders
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError
from ..engines.engine import Engine
from ..engines.files import files_of
from ..model.results.verdict import ExitCode, Verdict, exit_code
from ..shutdown import Interrupt
from .comparing import least_depth


def measured_coverage(engine: Engine) -> CoverageSource:
    """Enable the counters of an engine that has not been started. Raises UsageError if its type has none."""
    if not engine.has_counters:
        raise UsageError(
            f"{engine.name}: engines of this type have no coverage counters; see 'Coverage' in the documentation"
        )
    return engine.measure_coverage()


def without_counters(engine: Engine) -> UsageError:
    """Return the error for an engine that has answered without counting its branches."""
    return UsageError(
        f"{engine.name} has no coverage counters: compile it with them, as 'Coverage' in the documentation describes"
    )


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

    def __init__(self, session: EngineSession, suites: Sequence[Suite]) -> None:
        """Prepare to measure an engine that has not been started. Raises UsageError if its type has no counters."""
        self._source = measured_coverage(session.engine)
        self._session = session
        self._suites, self._map = suites, CoverageMap()
        self._began = time.monotonic()
        self._locations: tuple[SourceLocation | None, ...] = ()
        self._verdicts: Counter[Verdict] = Counter()
        self._failures: list[str] = []
        self._positions = 0

    def run(self) -> Iterator[CoverProgress]:
        """Run all counts.

        Raises EngineError if the engine does not start, UsageError if it has no counters after its first answer, and
        Interrupted.
        """
        self._session.start()
        self._session.restart()  # the first count finds no tables filled by the trial
        counts = _counts(self._suites)
        asked: set[int] = set()
        for number, (nodes, case, depth) in enumerate(counts, 1):
            if not self._session.can_take(case.game_after_moves):
                self._note(Verdict.SKIPPED)
                continue
            self._ask(case, depth, nodes)
            asked.add(id(case))
            self._positions = len(asked)
            yield CoverProgress(number, len(counts), len(self._map))

    def finish(self, interrupt: Interrupt) -> CoverFinished:
        """Return the result of the counts so far."""
        spec = self._session.spec
        return CoverFinished(
            version=__version__,
            engine=spec,
            suites=tuple(suite.name for suite in self._suites),
            code=CodeCoverage.read(self.summary, source_folders(files_of(spec))),
            positions=self._positions,
            seconds=time.monotonic() - self._began,
            verdicts=tuple(self._verdicts.items()),
            failures=tuple(self._failures),
            interrupted=interrupt.requested,
            internal_error=interrupt.fault is not None,
        )

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
            raise without_counters(session.engine)
        if not self._locations:
            self._locations = self._source.locations()
        self._map.note(counters, lambda: case.game, depth, by_suite=True)

    def _note(self, verdict: Verdict, failure: str = "") -> None:
        self._verdicts[verdict] += 1
        if failure and len(self._failures) < MOST_FAILURES:
            self._failures.append(failure)


def _counts(suites: Sequence[Suite]) -> list[tuple[int, Case, int]]:
    """Return nodes, case and depth of every count, in ascending order of nodes."""
    counts = [(nodes, case, depth) for suite in suites for case in suite for depth, nodes in case.counts]
    return sorted(counts, key=lambda count: count[0])
