"""The result of a divide: the counts below the root moves, the differences between engines, and their cause."""

from __future__ import annotations

from dataclasses import dataclass

from .finding import Difference, Finding
from .verdict import ExitCode


@dataclass(frozen=True)
class EngineDivide:
    """The counts of one engine below each root move."""

    engine: str
    root_moves: tuple[tuple[str, int], ...]
    """The moves in the notation of the position, sorted, with the leaf nodes below each."""
    total: int

    @property
    def is_total_only(self) -> bool:
        """Whether the engine has printed no root moves, and none could be counted one by one."""
        return not self.root_moves and self.total > 0


@dataclass(frozen=True)
class EnginesCounted:
    """The first event: every engine has counted."""

    divides: tuple[EngineDivide, ...]
    """That of the engine under test, then those of the references."""
    differ: bool
    """Whether two of them differ."""


@dataclass(frozen=True)
class DividesCompared:
    """The engine has been compared with one reference."""

    difference: Difference
    is_followed: bool
    """Whether the difference is going to be followed to its cause."""
    totals_only: tuple[str, ...] = ()
    """Those of the two that have told no root moves, so that nothing but the total was compared."""


@dataclass(frozen=True)
class DifferenceExplained:
    """A difference has been followed to its cause."""

    difference: Difference
    finding: Finding


@dataclass(frozen=True)
class ReferenceVote:
    """The common verdict of two or more references."""

    dissenters: tuple[str, ...]
    """The engines that stand against the majority; all where there is none."""
    has_majority: bool


@dataclass(frozen=True)
class DivideFinished:
    """The last event of a divide, with everything that a report needs."""

    fen: str
    chess960: bool
    depth: int
    divides: tuple[EngineDivide, ...]
    """That of the engine under test, then those of the references."""
    differences: tuple[Difference, ...] = ()
    """How the engine differs from each reference."""
    finding: Finding | None = None
    """The cause of the first difference, if it was looked for and found."""
    vote: ReferenceVote | None = None

    @property
    def differs(self) -> bool:
        """Whether the engine differs from a reference."""
        return any(one.differs for one in self.differences)

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the differences call for."""
        return ExitCode.MISMATCH if self.differs else ExitCode.AGREE


DivideEvent = EnginesCounted | DividesCompared | DifferenceExplained | DivideFinished


@dataclass(frozen=True)
class Contradiction:
    """A root move under which an engine gives more than one count."""

    uci: str
    san: str | None
    fen: str
    """The position after the move."""
    divided: int
    """Its count in the divide of the position before."""
    played: int
    """The count after the engine has played the move."""
    from_fen: int
    """The count from the FEN after the move."""

    @property
    def sentence(self) -> str:
        """What the contradiction says about the engine."""
        if self.played == self.from_fen:
            differs = "counting within a divide differs from counting the position"
            return f"{differs}: look at how moves are made and undone, and at the keys of a hash table"
        if self.divided == self.played:
            return "the position after the move differs from its FEN: the move is played wrongly, or the FEN is misread"
        return "the position played to, divided and read from its FEN are three different ones"


@dataclass(frozen=True)
class ConsistencyFinished:
    """Whether an engine agrees with itself."""

    engine: str
    fen: str
    chess960: bool
    depth: int
    root_moves: int
    """Under how many root moves it was asked."""
    contradictions: tuple[Contradiction, ...]

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the contradictions call for."""
        return ExitCode.MISMATCH if self.contradictions else ExitCode.AGREE
