"""Results about one position: divides and their differences, counts, move lists, and the progress of a long count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .finding import Difference, Finding
from .verdict import ExitCode


@dataclass(frozen=True)
class EngineDivide:
    """The counts of one engine below each root move."""

    engine: str
    root_moves: tuple[tuple[str, int], ...]
    """The sorted moves in the notation of the position, each with the number of leaf nodes below it."""
    total: int

    @property
    def is_total_only(self) -> bool:
        """Whether the engine printed only a total, and root moves could not be counted one by one."""
        return not self.root_moves and self.total > 0


@dataclass(frozen=True)
class EnginesCounted:
    """The first event of a divide: all engines have counted the position."""

    divides: tuple[EngineDivide, ...]
    """The divide of the engine under test, followed by those of the references."""
    differ: bool
    """Whether any two of the divides differ."""


@dataclass(frozen=True)
class DividesCompared:
    """The engine has been compared with one reference."""

    difference: Difference
    is_followed: bool
    """Whether the difference will be traced to its cause."""
    totals_only: tuple[str, ...] = ()
    """The engines of this comparison that printed no root moves, so that only totals were compared."""


@dataclass(frozen=True)
class DifferenceExplained:
    """A difference has been traced to its cause."""

    difference: Difference
    finding: Finding


@dataclass(frozen=True)
class ReferenceVote:
    """The result of comparing an engine with two or more references."""

    dissenters: tuple[str, ...]
    """The engines that differ from the majority, or all engines if there is no majority."""
    has_majority: bool


@dataclass(frozen=True)
class DivideFinished:
    """The last event of a divide, which contains everything that a report needs."""

    fen: str
    chess960: bool
    depth: int
    divides: tuple[EngineDivide, ...]
    """The divide of the engine under test, followed by those of the references."""
    differences: tuple[Difference, ...] = ()
    """The difference between the engine and each reference."""
    finding: Finding | None = None
    """The cause of the first difference, if it was found."""
    vote: ReferenceVote | None = None

    @property
    def differs(self) -> bool:
        """Whether the engine differs from a reference."""
        return any(one.differs for one in self.differences)

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that follows from the differences."""
        return ExitCode.MISMATCH if self.differs else ExitCode.AGREE


DivideEvent = EnginesCounted | DividesCompared | DifferenceExplained | DivideFinished


@dataclass(frozen=True)
class Contradiction:
    """A root move for which an engine gives several different counts."""

    uci: str
    san: str | None
    fen: str
    """The position after the move."""
    divided: int
    """The move's count in the divide of the preceding position."""
    played: int
    """The count after the engine has played the move."""
    from_fen: int
    """The count from the FEN of the position after the move."""

    @property
    def sentence(self) -> str:
        """What the contradiction implies about the engine."""
        if self.played == self.from_fen:
            differs = "the counts within the divide differ from the counts of the positions themselves"
            return f"{differs}: check how moves are made and unmade, and the keys of a hash table"
        if self.divided == self.played:
            differs = "the position after the move differs from its FEN"
            return f"{differs}: the move is played incorrectly, or the FEN is misread"
        return "the divide, the played move and the FEN lead to three different positions"


@dataclass(frozen=True)
class ListedMove:
    """One move of a list."""

    uci: str
    """UCI text, with castling in the notation of the position."""
    san: str | None
    """The move in algebraic notation; None if it leaves the king in check."""
    value: int
    """The value by which the list is ordered, or 0."""
    landing: str
    """The square on which the piece arrives."""


@dataclass(frozen=True)
class MoveListing:
    """The moves of one GenType, or the moves found by one technique."""

    title: str
    """The name of the GenType, such as "CAPTURES"."""
    moves: tuple[ListedMove, ...]
    """The moves of a GenType in descending order of value, or a technique's moves in the order of discovery."""


@dataclass(frozen=True)
class MoveLists:
    """The move lists of a position."""

    engine: str
    fen: str
    chess960: bool
    oddities: tuple[str, ...]
    """Reasons why no game leads to the position."""
    lists: tuple[MoveListing, ...]


@dataclass(frozen=True)
class PerftFinished:
    """The number of leaf nodes of one position."""

    engine: str
    fen: str
    chess960: bool
    depth: int
    nodes: int
    seconds: float
    """Time that the count took."""
    kinds: tuple[Mapping[str, int], ...] = ()
    """For each depth, starting at 0, the number of moves of each kind that lead to leaf nodes, if requested."""
    reference: str | None = None
    """The reference that counted the same position, if any."""
    expected: int | None = None
    """The reference's count."""

    @property
    def is_wrong(self) -> bool:
        """Whether the count differs from the reference's."""
        return self.expected is not None and self.nodes != self.expected

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that follows from the count."""
        return ExitCode.MISMATCH if self.is_wrong else ExitCode.AGREE


@dataclass(frozen=True)
class PlyEnumerated:
    """A ply has been enumerated."""

    ply: int
    positions: int


@dataclass(frozen=True)
class CountProgress:
    """The progress of a count."""

    done: int
    """Number of pieces that have a result."""
    pieces: int
    nodes: int
    """Leaf nodes of all results."""
    counted_nodes: int
    """Leaf nodes of the results of this run."""
    seconds: float
    """Time since this run began."""
    workers: int
    """Number of tasks that run at the same time."""


@dataclass(frozen=True)
class CountFinished:
    """The result of a count."""

    fen: str
    chess960: bool
    depth: int
    split: int
    engine: str
    positions: int
    pieces: int
    done: int
    nodes: int
    """The leaf nodes of all results; those of the position if `done` equals `pieces`."""
    seconds: float
    """The total time of all results, in all runs."""
    interrupted: bool = False
    """Whether the user interrupted the count."""

    @property
    def is_complete(self) -> bool:
        """Whether each piece has a result."""
        return self.done == self.pieces

    @property
    def exit_code(self) -> ExitCode:
        """The exit status of the command."""
        return ExitCode.AGREE if self.is_complete and not self.interrupted else ExitCode.INTERRUPTED
