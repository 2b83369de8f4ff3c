"""Results of a divide: the counts below root moves, the differences between engines, and their cause."""

from __future__ import annotations

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
class ConsistencyFinished:
    """Whether the counts of an engine agree with each other."""

    engine: str
    fen: str
    chess960: bool
    depth: int
    root_moves: int
    """Number of root moves in the position."""
    contradictions: tuple[Contradiction, ...]

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that follows from the contradictions."""
        return ExitCode.MISMATCH if self.contradictions else ExitCode.AGREE
