"""Events and results of a run: reports are made of them alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple

from ....generator.position import Position
from ....generator.reachability.labels import Label, label_of
from ....generator.validation import FenError
from ..capabilities import Untried
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
    repeated: int = 0
    """How often the engine under test lists the move beyond the first time."""


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

    @property
    def differs(self) -> bool:
        """Whether a root move or the sum differs."""
        return bool(self.moves) or self.got != self.expected


@dataclass(frozen=True)
class WrongMove:
    """A move that is wrong, and the rule behind it."""

    uci: str
    """UCI text, castling in the notation of the position."""
    san: str | None
    """The move in algebraic notation if it is legal."""
    kind: str
    """What is wrong with it: "missing", "extra", "duplicate", "notation" (written wrongly), "state" (played wrongly),
    "undo" (taken back wrongly), "fen" (after it, a FEN is printed that cannot be read).
    """
    rule: str
    """The rule that is broken or overlooked, by a short name that stays the same."""
    title: str
    """The rule as a heading."""
    sentence: str
    """Why the move is legal, or is not, in this position."""
    squares: tuple[str, ...]
    """What to look at: the pinning piece, the checker, the king ..."""
    engine_is_right: bool = False
    """Whether the reference is wrong: the move is extra and legal, missing and illegal, or it lists it more often.

    A reference may also play a move wrongly, or take it back wrongly.
    """


HEADINGS = {
    "missing": "missing move",
    "extra": "extra move",
    "duplicate": "duplicate move",
    "notation": "wrong notation",
    "state": "wrong state",
    "undo": "wrong undo",
    "fen": "wrong FEN",
}
"""How the kinds of wrong moves are called in a heading."""


class Cause(Enum):
    """The origin of a wrong count."""

    MOVES = "moves"
    """The move list of a position is wrong, from its FEN as well."""
    STATE = "state"
    """A move is played wrongly: the position is counted right from its FEN, and wrong after the move."""
    COUNT = "count"
    """The number of moves is wrong, but the engine prints none to tell which."""
    UNDO = "undo"
    """A move is not taken back rightly: counts of the moves after it are wrong, though each is right by itself."""
    VANISHED = "vanished"
    """The engine or the reference contradicts itself: asked step by step, the two agree."""
    FEN = "fen"
    """A field of the FEN that the engine prints cannot be read. What it counts may be right."""
    REFUSED = "refused"
    """The engine does not take a position to which the moves lead, so the cause cannot be seen there."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A wrong count traced to its cause."""

    cause: Cause
    fen: str
    """The position in which the fault shows."""
    chess960: bool
    path: tuple[tuple[str, str | None], ...] = ()
    """The moves from the failing position down to the one with the fault, as UCI text and SAN."""
    wrong: tuple[WrongMove, ...] = ()
    """The moves that are wrong there."""
    base_fen: str | None = None
    """For a fault of state: the position from which the engine has to play `base_moves` to show it."""
    base_moves: tuple[str, ...] = ()
    state: tuple[WrongMove, ...] = ()
    """For a fault of state: what is wrong in the engine's own FEN after the first of `base_moves`."""
    divides: int = 0
    """How many divides the engine was asked for."""
    note: str = ""
    depth: int = 1
    """How many plies deep the fault shows in the position."""
    setup: str = ""
    """The options by which the engine has to be brought to `base_fen` to show it, as `generator.setup` names them."""

    def noting(self, cause: Cause, note: str) -> Finding:
        """Return the finding with another cause and a sentence about it."""
        return replace(self, cause=cause, note=note)

    @property
    def headline(self) -> str:
        """What is wrong in one line, such as "extra move: Pinned piece leaves its line"."""
        wrong = self.state or self.wrong
        if not wrong:
            return "wrong count above a position that is refused" if self.cause is Cause.REFUSED else self.note
        more = len({(move.kind, move.rule) for move in wrong}) - 1
        setup = f", set up by {self.setup}" if self.setup else ""
        return self.heading(wrong[0]) + (f" (and {more} more)" if more else "") + setup

    def heading(self, move: WrongMove) -> str:
        """Return what is wrong with one of the moves in one line."""
        return f"{'the reference is wrong' if self.engine_is_right else HEADINGS[move.kind]}: {move.title}"

    @property
    def engine_is_right(self) -> bool:
        """Whether it is the reference that is wrong about every one of the moves."""
        wrong = self.state or self.wrong
        return bool(wrong) and all(move.engine_is_right for move in wrong)

    @property
    def signature(self) -> tuple[str, ...]:
        """What failures of one cause have in common: kind and rule of what is wrong."""
        wrong = self.state or self.wrong
        setup = (self.setup,) if self.setup else ()
        return (self.cause.value, *setup, *sorted({f"{move.kind} {move.rule}" for move in wrong}))

    @property
    def pieces(self) -> int:
        """Number of pieces on the board where the fault shows."""
        return sum(letter.isalpha() for letter in self.fen.split()[0])


class CountResult(NamedTuple):
    """How one count of a case ended."""

    depth: int
    expected: int
    """The suite's count."""
    verdict: Verdict
    got: int | None = None
    """The engine's count; None where it gave none, or was not asked."""
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
    at_first: Verdict | None = None
    """Of a failure that was not reproduced: the verdict before the engine was asked anew."""
    replay: str = ""
    """The file with all that the engine had been asked, where a new process does not fail at the position alone."""
    setup: str = ""
    """What the engine was asked for, as `fuzz --replay` takes it, where it was brought there in another way."""
    counts: tuple[CountResult, ...] = ()
    """Every count of the case in ascending order of depth, also those that were not made."""

    @property
    def options(self) -> str:
        """The options by which the engine was brought to the position, as `generator.setup` names them."""
        return self.setup.partition(" setup ")[2]

    def not_reproduced(self) -> CaseResult:
        """Return the result of a failure that does not come again when the engine is asked anew."""
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
    """Return what is known of the games that lead to a position; each report asks anew."""
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
    """Whether a fault of ours has ended it early."""
    out_of_time: bool = False
    require_all: bool = False
    """Whether agreement needs every count of every position."""
    fails_not_reproduced: bool = False
    """Whether a failure that does not come again counts for the exit status."""
    untried: tuple[Untried, ...] = ()
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


Event = RunStarted | Notice | CaseStarted | Progress | CaseFinished | RunFinished
