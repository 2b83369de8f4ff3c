"""Events and results of a run, from which all reports are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from ....generator.position import Position
from ....generator.reachability import classification
from ....generator.reachability.classification import Reachability
from ....generator.validation import FenError
from ....suites.case import Suite
from ..capabilities import UntriedCapability
from .finding import Difference, Finding
from .verdict import ExitCode, Verdict, exit_code


class CountResult(NamedTuple):
    """The outcome of one count of a case."""

    depth: int
    expected: int
    """The suite's count."""
    verdict: Verdict
    got: int | None = None
    """The engine's count, or None if it gave none or was not asked."""
    seconds: float = 0.0
    """Time that the engine took, even if it gave no count."""


@dataclass(frozen=True)
class CaseResult:
    """The outcome of one position of a suite."""

    name: str
    suite: str
    source: str
    """The source of the case: path and line."""
    fen: str
    chess960: bool
    verdict: Verdict
    depth: int
    """The depth of the failure if there is one, else the greatest depth compared, or 0 if there is none."""
    expected: int | None
    """The suite's count at that depth."""
    got: int | None
    """The engine's count at that depth."""
    references: tuple[tuple[str, int], ...]
    """The references' counts at that depth."""
    nodes: int
    """Leaf nodes counted by the engine under test at all depths."""
    seconds: float
    """Time spent in the engine under test."""
    message: str = ""
    """One sentence about a failure or mismatch."""
    difference: Difference | None = None
    finding: Finding | None = None
    """The cause of a mismatch, if it was found."""
    like: str = ""
    """The name of an explained failure with the same symptom, if this failure was grouped with it but not explained."""
    at_first: Verdict | None = None
    """The original verdict of a failure that was not reproduced."""
    replay: str = ""
    """A file with all questions to the engine, if a new process does not fail at the position alone."""
    setup: str = ""
    """If a count from the FEN does not show the failure, the engine's question in the format of `fuzz --replay`."""
    counts: tuple[CountResult, ...] = ()
    """All counts of the case in ascending order of depth, including those that were not run."""

    @property
    def options(self) -> str:
        """The options with which the position was set up, named as in `generator.position_setup`."""
        return self.setup.partition(" setup ")[2]

    def with_verdict(self, verdict: Verdict) -> CaseResult:
        """Return a copy of a failure whose verdict is NOT_REPRODUCED or KNOWN instead, and `at_first` the original."""
        counts = tuple(one._replace(verdict=verdict) if one.verdict is self.verdict else one for one in self.counts)
        return replace(self, verdict=verdict, at_first=self.verdict, counts=counts)

    @property
    def file_and_line(self) -> tuple[str, int | None]:
        """The file and line of the case. The line is None if the source has none."""
        path, colon, line = self.source.rpartition(":")
        return (path, int(line)) if colon and line.isdecimal() else (self.source, None)

    @property
    def reachability(self) -> Reachability:
        """Whether a game can lead to the position, if known."""
        return reachability_of(self.fen, self.chess960)


@lru_cache(maxsize=65_536)
def reachability_of(fen: str, chess960: bool) -> Reachability:
    """Return the reachability of a position, cached because each report needs it."""
    return classification.reachability_of(Position.from_fen(fen, chess960))


def implausibility_of(fen: str, chess960: bool) -> int:
    """Return a sort key that grows with the implausibility of a position; 0 if it looks reachable.

    Boards that have no valid FEN, which broken generators produce, come last.
    """
    try:
        return list(Reachability).index(reachability_of(fen, chess960))
    except FenError:
        return len(Reachability)


@dataclass(frozen=True)
class SuiteTotal:
    """The size of the part of a suite that is checked."""

    name: str
    positions: int
    counts: int
    nodes: int

    @classmethod
    def of(cls, suite: Suite) -> SuiteTotal:
        """Return the size of a suite or of a part of it."""
        counts = sum(len(case.counts) for case in suite)
        return cls(suite.name, len(suite), counts, sum(case.nodes for case in suite))


@dataclass(frozen=True)
class SuiteSize:
    """The size of a complete suite."""

    total: SuiteTotal
    deepest: int
    """The greatest depth of a count."""
    chess960: int
    """Number of Chess960 positions."""


@dataclass(frozen=True)
class RunStarted:
    """The first event of a run."""

    version: str
    engine: str
    references: tuple[str, ...]
    suites: tuple[SuiteTotal, ...]

    @property
    def nodes(self) -> int:
        """Leaf nodes that the engine under test will count."""
        return sum(suite.nodes for suite in self.suites)

    @property
    def positions(self) -> int:
        """Number of positions that will be checked."""
        return sum(suite.positions for suite in self.suites)


@dataclass(frozen=True)
class Notice:
    """A line for the user."""

    text: str


@dataclass(frozen=True)
class CaseStarted:
    """The engine is about to count a position."""

    name: str
    suite: str


@dataclass(frozen=True)
class Progress:
    """The progress of a count, sent several times per second."""

    nodes: int
    """Leaf nodes counted so far by the engine under test, in the whole run."""
    seconds: float
    """Wall-clock time since the first count began."""
    asked: str
    """The engine that is currently counting."""


@dataclass(frozen=True)
class CaseFailed:
    """A count of a position has failed. `CaseFinished` follows when the failure has been explained."""

    name: str
    suite: str


@dataclass(frozen=True)
class CaseFinished:
    """All counts of a position are finished."""

    result: CaseResult
    nodes: int
    """Leaf nodes counted so far, as in `Progress`."""
    seconds: float


@dataclass(frozen=True)
class RunFinished:
    """The last event, which contains everything that a report needs."""

    started: RunStarted
    results: Sequence[CaseResult]
    """The results of the cases that were started, in the order of the suites."""
    seconds: float
    """Wall-clock time of the whole run."""
    not_begun: Sequence[CaseResult] = ()
    """Results of the cases that were never started, marked as unfinished."""
    interrupted: bool = False
    internal_error: bool = False
    """Whether an internal error ended the run early."""
    out_of_time: bool = False
    require_all: bool = False
    """Whether the run succeeds only if every count of every position was compared."""
    fails_not_reproduced: bool = False
    """Whether failures that were not reproduced affect the exit status."""
    untried: tuple[UntriedCapability, ...] = ()
    """Capabilities of the engine that the run did not use, and how to include them."""
    fixed: tuple[str, ...] = ()
    """Failures in the baseline that no longer occur, each as its cause and position."""

    @cached_property
    def exit_code(self) -> ExitCode:
        """The exit status that follows from the results."""
        verdicts = set(self._verdicts)
        if self.fails_not_reproduced:
            verdicts |= {result.at_first or result.verdict for result in self.not_reproduced}
        code = exit_code(verdicts, self.interrupted, self.internal_error)
        is_complete = self.count(Verdict.AGREE) == self.started.positions
        is_complete = is_complete and not any(one.is_required for one in self.untried)
        return ExitCode.NOTHING_TO_RUN if code is ExitCode.AGREE and self.require_all and not is_complete else code

    @property
    def share(self) -> float:
        """The fraction of the planned leaf nodes that were counted, from 0 to 1."""
        return min(1.0, self.nodes / self.started.nodes) if self.started.nodes else 1.0

    def count(self, verdict: Verdict) -> int:
        """Return how many positions ended with a verdict."""
        return self._verdicts[verdict]

    @cached_property
    def _verdicts(self) -> Counter[Verdict]:
        return Counter(result.verdict for result in self.results)

    @cached_property
    def failures(self) -> Sequence[CaseResult]:
        """The cases that failed."""
        return [result for result in self.results if result.verdict.is_failure]

    @cached_property
    def not_reproduced(self) -> Sequence[CaseResult]:
        """The cases whose failure was not reproduced."""
        return [result for result in self.results if result.verdict is Verdict.NOT_REPRODUCED]

    @cached_property
    def nodes(self) -> int:
        """Leaf nodes counted by the engine under test."""
        return sum(result.nodes for result in self.results)

    @cached_property
    def engine_seconds(self) -> float:
        """Time spent in the engine under test."""
        return sum(result.seconds for result in self.results)


Event = RunStarted | Notice | CaseStarted | CaseFailed | Progress | CaseFinished | RunFinished
