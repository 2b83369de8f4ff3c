"""The answers of engines, and exceptions for missing or invalid answers."""

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
    """The engine does not support pipelining. The message is a clause that says why."""


class EngineError(UserError):
    """The engine gave no valid answer. The message says why, and `verdict` classifies the failure."""

    verdict = Verdict.CRASH
    of_reference = False
    """Whether the failing engine is a reference, so that the engine under test could not be checked."""

    def __init__(self, message: str, finding: Finding | None = None) -> None:
        """Store the message, and the finding if the engine's answers already show the fault."""
        super().__init__(message)
        self.finding = finding


class EngineCrash(EngineError):
    """The engine's process ended."""


class CannotStart(EngineCrash):
    """The system cannot start the engine's program; the message says why."""

    is_usage = True
    names_cure = True


class EngineRejection(EngineError):
    """The engine rejected the position."""

    verdict = Verdict.REJECTED


class CountsAnotherPosition(EngineRejection):
    """The engine silently ignored the position and counted the previous one."""


class EngineUndoesWrongly(EngineError):
    """The engine's position changed when a move was made and unmade; `finding` describes the change."""

    verdict = Verdict.MISMATCH


class EngineTimeout(EngineError):
    """The engine did not answer in time."""

    verdict = Verdict.TIMEOUT


class EngineListsExtraMoves(EngineError):
    """The engine lists illegal moves that its total does not include; `finding` names them."""

    verdict = Verdict.MISMATCH


def overdue(name: str, failure: str, seconds: float) -> EngineTimeout:
    """Return the exception for a timeout; `failure` is a phrase such as "not answered"."""
    return EngineTimeout(f"{name} {failure} within {seconds:.3g} second{'s' * (seconds != 1)}")


class UnparseableOutput(EngineError):
    """The engine's answer contains no count or is too long."""

    verdict = Verdict.UNPARSEABLE


class NotUnderstood(UnparseableOutput):
    """The engine ignores the position, or its answers cannot be parsed, so its moves cannot be checked."""

    is_usage = True


class ImpossibleCount(UnparseableOutput):
    """The engine's answer is a number that cannot be a count."""


class EngineContradiction(UnparseableOutput):
    """The engine's root moves do not add up to its total."""

    def __init__(self, message: str, total: int = 0) -> None:
        super().__init__(message)
        self.total = total


class EngineFlood(UnparseableOutput):
    """The engine printed more than any valid answer contains."""


@dataclass(frozen=True)
class Divide:
    """The count below each root move, in UCI notation with castling as king takes rook (e1h1)."""

    counts: dict[str, int]
    """Counts by move, in the engine's order. For a repeated move, the first count is kept."""
    repeated: dict[str, int]
    """Number of repetitions by move, not counting the first occurrence."""
    total: int
    """The sum over all root moves, including repetitions."""
    is_total_only: bool = False
    """Whether the engine reported only the total, so that the root moves are unknown."""
    remark: str = field(default="", compare=False)
    """A line of the answer that looks like an error message."""

    @classmethod
    def of_total(cls, total: int) -> Divide:
        """Return a divide that contains only a total."""
        return cls({}, {}, total, is_total_only=True)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, int]]) -> Divide:
        """Return a divide with these root moves and counts, in the engine's order."""
        listed = list(pairs)
        times = Counter(move for move, _ in listed)
        counts: dict[str, int] = {}
        for move, count in listed:
            counts.setdefault(move, count)
        repeated = {move: number - 1 for move, number in times.items() if number > 1}
        return cls(counts, repeated, sum(count for _, count in listed))


def contradiction(name: str, total: int, divide: Divide, gap: str = "") -> EngineContradiction:
    """Return the exception for root moves that do not add up to the total; `gap` is a clause about the difference."""
    sums = f"its total is {total:,}, its divide adds up to {divide.total:,}"
    times = {divide.repeated.get(move, 0) + 1 for move in divide.counts}
    again = f"each root move is listed {times.pop()} times" if divide.repeated and len(times) == 1 else ""
    return EngineContradiction("; ".join(filter(None, [f"{name} contradicts itself: {sums}", again, gap])), total)
