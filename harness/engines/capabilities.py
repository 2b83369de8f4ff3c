"""What engines of some kinds can do beyond the common protocol: be asked ahead, count many positions, list moves.

A kind declares what it can do by its base classes; the functions of this module tell it of an engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeGuard

from ...errors import Complaint
from ...generator.line import Line
from ...generator.types.moves import GenType
from .base import EngineError
from .call import EngineCall

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...generator.drawing.drawn import Drawn
    from ..coverage.model import BlockCoverage, CoverageSource
    from .stdio.lines import AnswerPatterns


class NotAhead(Complaint):
    """An engine cannot be asked ahead of its answers; the message says why, as a clause."""


@dataclass(frozen=True)
class Collected:
    """What has become of a block."""

    drawn: Drawn
    doubtful: NDArray[np.int64]
    """The positions whose answers did not agree, and the one that was next when the engine failed, ascending."""
    answered: int
    """How many positions, from the first on, have had an answer. Where the engine failed, the others have to be asked
    anew."""
    strays: int = 0
    """How many answers were about another position than the one whose turn it was: they were missing or came twice."""
    trouble: EngineError | None = None
    """Why the engine gives no more answers, if it does not."""
    coverage: BlockCoverage | None = None
    """What the answers have reached in the code of the engine, where that is measured position by position."""
    failed: tuple[int, ...] = ()
    """The positions at which the engine has crashed or hung, and after which it was started anew within the block."""


class AheadStream(Protocol):
    """Blocks go in by `submit` and come back by `collect` in the same order."""

    def start(self, call: EngineCall) -> None:
        """Start the process, also anew after trouble; whatever was submitted is forgotten. Raises EngineError."""

    def submit(self, drawn: Drawn) -> None:
        """Ask about a block, now or as soon as there is room."""

    def collect(self) -> Collected:
        """Wait for the block that was submitted first, and return what has become of it.

        Raises ValueError where no block is under way.
        """

    @property
    def under_way(self) -> int:
        """How many blocks have been submitted and not been collected."""

    def forget_coverage(self) -> bool:
        """Let what was reached until now be new once more; tell whether that can be without another process."""

    def interrupt(self) -> None:
        """End the process from another thread; `collect` then tells of trouble."""

    def close(self) -> None:
        """End the process and whatever it has started."""


@dataclass(frozen=True)
class Opened:
    """An engine that can be asked ahead."""

    stream: AheadStream
    castles_to_rook: dict[bool, bool]
    """Whether it writes castling as king takes rook, by whether the position is one of Chess960."""
    min_depth: int
    max_depth: int


class AsksAhead(ABC):
    """An engine of a kind that can be asked ahead."""

    @abstractmethod
    def ahead(self, call: EngineCall, *, chess960: bool = False) -> Opened:
        """Return another process of the engine, to be asked many questions before it answers. Raises NotAhead.

        One answer may take as long as the call. With `chess960` there will be questions about Chess960. Call this once
        the engine has been started.
        """


class ListsMoves(ABC):
    """An engine of a kind that may list moves by GenType."""

    @property
    def convention(self) -> Mapping[str, str]:
        """What is known of its convention, values by the names of `model.conventions.SETTINGS`: nothing."""
        return {}

    @property
    @abstractmethod
    def listed(self) -> tuple[GenType, ...] | None:
        """The GenTypes that it may be asked for, once it has been started; None where it is known to list none."""

    @abstractmethod
    def moves(self, setup: Line, gentype: GenType, call: EngineCall) -> list[str] | None:
        """Return the moves of a GenType, castling as king takes rook; None where they are not offered.

        Raises EngineError.
        """


class MeasuresCoverage(ABC):
    """An engine of a kind whose code may have counters."""

    @abstractmethod
    def measure_coverage(self) -> CoverageSource:
        """Have the counters of its processes read; return what reads them. Call this before it is started."""


class StartsProgram(ABC):
    """An engine that is a program of the user, which may have to be asked in another way."""

    starts_for_each_question = False
    """Whether each question starts a process, which takes longer than most answers."""
    has_taken_position = False
    """Whether its start has shown that it takes a position: it has counted one correctly that is not the starting one.
    """

    @property
    @abstractmethod
    def launch(self) -> tuple[str, ...]:
        """The words that start it, with places where it is started for each question."""

    @property
    def adopted_patterns(self) -> AnswerPatterns | None:
        """The patterns that read its answers if no known form does; they are found when the engine is started."""
        return None

    @abstractmethod
    def find_misread_line(self, setup: Line, depth: int, count: int, call: EngineCall) -> str:
        """Ask a new process; return the line with the correct count if something else is read, "" if there is none."""


def adopted_patterns_of(engine: object) -> AnswerPatterns | None:
    """Return the patterns that were found for the answers of an engine, None if none were needed."""
    return engine.adopted_patterns if isinstance(engine, StartsProgram) else None


def program_of(engine: object) -> tuple[str, ...] | None:
    """Return the words that start the program which an engine is, None where it is none."""
    return engine.launch if isinstance(engine, StartsProgram) else None


def starts_for_each_question(engine: object) -> bool:
    """Return True if each question about an engine starts a process of it."""
    return isinstance(engine, StartsProgram) and engine.starts_for_each_question


def asks_ahead(engine: object) -> TypeGuard[AsksAhead]:
    """Tell whether an engine is of a kind that can be asked ahead."""
    return isinstance(engine, AsksAhead)


def may_list(engine: object) -> TypeGuard[ListsMoves]:
    """Tell whether an engine may list moves by GenType, as far as is known before it has been started."""
    return isinstance(engine, ListsMoves) and engine.listed is not None


def lists_of(engine: object) -> tuple[GenType, ...]:
    """Return the GenTypes that an engine may be asked for, once it has been started."""
    return (engine.listed or ()) if isinstance(engine, ListsMoves) else ()


def convention_of(engine: object) -> Mapping[str, str]:
    """Return what an engine itself says of the convention of its lists, values by the names of settings."""
    return engine.convention if isinstance(engine, ListsMoves) else {}


def leaves_out_final_moves(engine: object) -> bool:
    """Tell whether an engine, once it has been started, prints no root moves with a count of 0."""
    return getattr(engine, "leaves_out_final_moves", False)
