"""Events and results of a run: reports are made of them alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from ....generator.position import Position
from ....generator.reachability.labels import Label, label_of
from ....generator.validation import FenError
from ..capabilities import UntriedCapability
from .finding import Difference, Finding
from .verdict import ExitCode, Verdict, exit_code


class CountResult(NamedTuple):
    """How one count of a case ended."""

    depth: int
    expected: int
    """The suite's count."""
    verdict: Verdict
    got: int | None = None
    """The engine's count; None if it gave none, or was not asked."""
    seconds: float = 0.0
    """Time that the engine took, also for no answer."""


@dataclass(frozen=True)
class CaseResult:
    """How one position of a suite ended."""

    name: str
    suite: str
    source: str
    """Where the case stands: path and line."""
    fen: str
    chess960: bool
    verdict: Verdict
    depth: int
    """The deepest depth compared; at a mismatch or failure, the one where it happened. 0 if none."""
    expected: int | None
    """The suite's count at that depth."""
    got: int | None
    """The engine's count at that depth."""
    references: tuple[tuple[str, int], ...]
    """The counts of the references at that depth."""
    nodes: int
    """Leaf nodes counted by the engine under test over all depths."""
    seconds: float
    """Time spent in the engine under test."""
    message: str = ""
    """One sentence about a failure or mismatch."""
    difference: Difference | None = None
    finding: Finding | None = None
    """The cause of a mismatch, if it was looked for and found."""
    like: str = ""
    """The name of an explained failure with the same symptom, where this one was only counted with its cause."""
    at_first: Verdict | None = None
    """The first verdict of a failure that was not reproduced."""
    replay: str = ""
    """The file with all that the engine had been asked, where a new process does not fail at the position alone."""
    setup: str = ""
    """What the engine was asked for, as `fuzz --replay` takes it, where it was brought there in another way."""
    counts: tuple[CountResult, ...] = ()
    """Every count of the case in ascending order of depth, also those that were not made."""

    @property
    def options(self) -> str:
        """The options by which the engine was brought to the position, as `generator.position_setup` names them."""
        return self.setup.partition(" setup ")[2]

    def not_reproduced(self) -> CaseResult:
        """Return the result of a failure that was not reproduced when the question was repeated."""
        verdict = Verdict.NOT_REPRODUCED
        counts = tuple(one._replace(verdict=verdict) if one.verdict is self.verdict else one for one in self.counts)
        return replace(self, verdict=verdict, at_first=self.verdict, counts=counts)

    @property
    def file_and_line(self) -> tuple[str, int | None]:
        """The file that has the case, and its line."""
        path, colon, line = self.source.rpartition(":")
        return (path, int(line)) if colon and line.isdecimal() else (self.source, None)

    @property
    def reachability(self) -> Label:
        """What is known of the games that lead to the position."""
        return reachability_of(self.fen, self.chess960)


@lru_cache(maxsize=65_536)
def reachability_of(fen: str, chess960: bool) -> Label:
    """Return the label of a position; cached, because each report asks for it."""
    return label_of(Position.from_fen(fen, chess960))


def implausibility_of(fen: str, chess960: bool) -> int:
    """Return how little a position looks like one of a game, as a key to sort by: 0 for one that looks reachable.

    The board of a broken generator has no FEN, and is the last.
    """
    try:
        return list(Label).index(reachability_of(fen, chess960))
    except FenError:
        return len(Label)


@dataclass(frozen=True)
class SuiteTotal:
    """How much of one suite is checked."""

    name: str
    positions: int
    counts: int
    nodes: int


@dataclass(frozen=True)
class SuiteSize:
    """How large a whole suite is."""

    total: SuiteTotal
    deepest: int
    """The deepest count."""
    chess960: int
    """How many positions are of Chess960."""


@dataclass(frozen=True)
class RunStarted:
    """The first event of a run."""

    version: str
    engine: str
    references: tuple[str, ...]
    suites: tuple[SuiteTotal, ...]

    @property
    def nodes(self) -> int:
        """Leaf nodes that the engine under test is going to count."""
        return sum(suite.nodes for suite in self.suites)

    @property
    def positions(self) -> int:
        """Positions that are going to be checked."""
        return sum(suite.positions for suite in self.suites)


@dataclass(frozen=True)
class Notice:
    """Something that the user waits for, or should know, in one line."""

    text: str
    is_passing: bool = False
    """Whether it says only what the user waits for: it need not stay on a screen."""


@dataclass(frozen=True)
class CaseStarted:
    """The engine is about to be asked about a position."""

    name: str
    suite: str


@dataclass(frozen=True)
class Progress:
    """A sign of life, several times a second while an engine is counting."""

    nodes: int
    """Leaf nodes counted so far by the engine under test, over the whole run."""
    seconds: float
    """Wall-clock time since the first count began."""
    asked: str
    """The engine that is being asked now."""


@dataclass(frozen=True)
class CaseFailed:
    """A count of a position has failed. The position is done, which is a later event, once that is explained."""

    name: str
    suite: str


@dataclass(frozen=True)
class CaseFinished:
    """A position is done."""

    result: CaseResult
    nodes: int
    """Leaf nodes counted so far, as in `Progress`."""
    seconds: float


@dataclass(frozen=True)
class RunFinished:
    """The last event, with everything that a report needs."""

    started: RunStarted
    results: Sequence[CaseResult]
    """Those of the cases that were begun, in the order of the suites; a tuple, or pages of many."""
    seconds: float
    """Wall-clock time of the whole run."""
    not_begun: Sequence[CaseResult] = ()
    """Unfinished results of the cases to which the run did not come."""
    interrupted: bool = False
    internal_error: bool = False
    """Whether an internal error has ended it early."""
    out_of_time: bool = False
    require_all: bool = False
    """Whether agreement needs every count of every position."""
    fails_not_reproduced: bool = False
    """Whether a failure that is not reproduced counts for the exit status."""
    untried: tuple[UntriedCapability, ...] = ()
    """What the engine was not asked for, and how to have it asked."""

    @cached_property
    def exit_code(self) -> ExitCode:
        """The exit status that the results call for."""
        verdicts = set(self._totals.verdicts)
        if self.fails_not_reproduced:
            verdicts |= {result.at_first or result.verdict for result in self.not_reproduced}
        code = exit_code(verdicts, self.interrupted, self.internal_error)
        is_whole = self.count(Verdict.AGREE) == self.started.positions
        is_whole = is_whole and not any(one.is_required for one in self.untried)
        return ExitCode.NOTHING_TO_RUN if code is ExitCode.AGREE and self.require_all and not is_whole else code

    @property
    def share(self) -> float:
        """The share of the planned leaf nodes that was counted, 0 to 1."""
        return min(1.0, self.nodes / self.started.nodes) if self.started.nodes else 1.0

    def count(self, verdict: Verdict) -> int:
        """Return how many positions ended with a verdict."""
        return self._totals.verdicts[verdict]

    @property
    def failures(self) -> Sequence[CaseResult]:
        """Those of the cases that failed."""
        return self._totals.failures

    @property
    def not_reproduced(self) -> Sequence[CaseResult]:
        """Those of the cases that failed once, and not again."""
        return self._totals.not_reproduced

    @property
    def nodes(self) -> int:
        """Leaf nodes counted by the engine under test."""
        return self._totals.nodes

    @property
    def engine_seconds(self) -> float:
        """Time spent in the engine under test."""
        return self._totals.seconds

    @cached_property
    def _totals(self) -> _Totals:
        totals = _Totals()
        for result in self.results:
            totals.add(result)
        return totals


@dataclass
class _Totals:
    """What is known of all results together, from one reading: there may be a million."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    failures: list[CaseResult] = field(default_factory=list)
    not_reproduced: list[CaseResult] = field(default_factory=list)
    nodes: int = 0
    seconds: float = 0.0

    def add(self, result: CaseResult) -> None:
        """Take in a result."""
        self.verdicts[result.verdict] += 1
        self.nodes += result.nodes
        self.seconds += result.seconds
        if result.verdict.is_failure:
            self.failures.append(result)
        elif result.verdict is Verdict.NOT_REPRODUCED:
            self.not_reproduced.append(result)


Event = RunStarted | Notice | CaseStarted | CaseFailed | Progress | CaseFinished | RunFinished
