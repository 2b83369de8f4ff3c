"""What an engine may answer, and how it can fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import UserError
from ..model.results.verdict import Verdict

if TYPE_CHECKING:
    from ..model.results.finding import Finding


class CannotPipeline(UserError):
    """An engine cannot be asked ahead of its answers; the message says why, as a clause."""


class EngineError(UserError):
    """An engine gave no answer; the message says why, `verdict` of which kind the failure is."""

    verdict = Verdict.CRASH
    of_reference = False
    """Whether it is a reference that failed, so that the engine under test cannot be judged."""

    def __init__(self, message: str, finding: Finding | None = None) -> None:
        """Take the message, and what is wrong where the engine shows that itself."""
        super().__init__(message)
        self.finding = finding


class EngineCrash(EngineError):
    """The engine died."""


class EngineRejection(EngineError):
    """The engine refused the position."""

    verdict = Verdict.REJECTED


class CountsAnotherPosition(EngineRejection):
    """The engine has not taken a position, has reported no error, and counts the one before it."""


class EngineUndoesWrongly(EngineError):
    """The engine's position is another one after it has made and taken back a move; `finding` says how."""

    verdict = Verdict.MISMATCH


class EngineTimeout(EngineError):
    """The engine gave no answer in time."""

    verdict = Verdict.TIMEOUT


class EngineListsExtraMoves(EngineError):
    """The engine lists moves that are not legal, and leaves them out of its total; `finding` says which."""

    verdict = Verdict.MISMATCH


def overdue(name: str, complaint: str, seconds: float) -> EngineTimeout:
    """Return what to raise about an engine that has not answered, or done something else, in time."""
    return EngineTimeout(f"{name} {complaint} within {seconds:.3g} second{'s' * (seconds != 1)}")


class UnparseableOutput(EngineError):
    """The engine answered something that is no count, or too much of it."""

    verdict = Verdict.UNPARSEABLE


class NotUnderstood(UnparseableOutput):
    """The engine is not given the position, or its answers are not understood, so that its moves are not judged."""

    is_usage = True


class ImpossibleCount(UnparseableOutput):
    """The engine has answered a number that no count can be."""


class EngineContradiction(UnparseableOutput):
    """The engine's root moves do not add up to its total."""

    def __init__(self, message: str, total: int = 0) -> None:
        super().__init__(message)
        self.total = total


class EngineFlood(UnparseableOutput):
    """The engine wrote more than any answer has."""


@dataclass(frozen=True)
class Divide:
    """The count below each root move, moves as UCI text with castling as king takes rook (e1h1)."""

    counts: dict[str, int]
    """The moves, in the engine's order; a move that came more than once has its first count."""
    repeated: dict[str, int]
    """How many times too many a move came."""
    total: int
    """The sum over all root moves, repeated ones included."""
    is_total_only: bool = False
    """Whether the engine has told the total alone: its root moves are unknown, and not none."""
    remark: str = field(default="", compare=False)
    """A line of the answer in which the engine complains, as it may stand in a message."""

    @classmethod
    def of_total(cls, total: int) -> Divide:
        """Return the answer of an engine that prints no root moves."""
        return cls({}, {}, total, is_total_only=True)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, int]]) -> Divide:
        """Return the divide of root moves as they came."""
        listed = list(pairs)
        times = Counter(move for move, _ in listed)
        counts: dict[str, int] = {}
        for move, count in listed:
            counts.setdefault(move, count)
        repeated = {move: number - 1 for move, number in times.items() if number > 1}
        return cls(counts, repeated, sum(count for _, count in listed))


def contradiction(name: str, total: int, divide: Divide, gap: str = "") -> EngineContradiction:
    """Return what to raise about an engine whose root moves do not add up to its total; `gap` says what is missing."""
    sums = f"its total is {total:,}, its divide adds up to {divide.total:,}"
    times = {divide.repeated.get(move, 0) + 1 for move in divide.counts}
    again = f"each root move comes {times.pop()} times" if divide.repeated and len(times) == 1 else ""
    return EngineContradiction("; ".join(filter(None, [f"{name} contradicts itself: {sums}", again, gap])), total)
