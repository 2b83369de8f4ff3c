"""The event and result model: what a run tells, and all that reports may know about it."""

from __future__ import annotations

from dataclasses import dataclass

from .verdict import ExitCode, Verdict, exit_code


@dataclass(frozen=True)
class RootMove:
    """A root move on which two divides differ; a count of None means that the move is not there."""

    uci: str
    """UCI text, castling in the notation of the position (e1g1, or king takes rook in Chess960)."""
    san: str | None
    """The move in algebraic notation; None where our generator does not know the move either."""
    got: int | None
    expected: int | None


@dataclass(frozen=True)
class Difference:
    """Two divides of one position, compared: the engine under test against a reference."""

    engine: str
    reference: str
    fen: str
    chess960: bool
    depth: int
    got: int
    """Sum of the engine's divide."""
    expected: int
    """Sum of the reference's divide."""
    moves: tuple[RootMove, ...]
    """The root moves that differ, sorted by their text."""


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


@dataclass(frozen=True)
class SuiteTotal:
    """What was taken up from one suite."""

    name: str
    positions: int
    counts: int
    nodes: int


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
    """Time spent so far in the engine under test."""
    asked: str
    """The engine that is being asked now."""


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
    results: tuple[CaseResult, ...]
    seconds: float
    """Wall-clock time of the whole run."""
    interrupted: bool = False
    out_of_time: bool = False

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the results call for."""
        return exit_code([result.verdict for result in self.results], self.interrupted)

    def count(self, verdict: Verdict) -> int:
        """Return how many positions ended with a verdict."""
        return sum(result.verdict is verdict for result in self.results)

    @property
    def nodes(self) -> int:
        """Leaf nodes counted by the engine under test."""
        return sum(result.nodes for result in self.results)

    @property
    def engine_seconds(self) -> float:
        """Time spent in the engine under test."""
        return sum(result.seconds for result in self.results)


Event = RunStarted | Notice | CaseStarted | Progress | CaseFinished | RunFinished
