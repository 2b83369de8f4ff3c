"""Answers of engines, and the exceptions for engines that do not give one."""

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
    """An engine cannot be sent questions before it has answered the previous ones; the message is a clause."""


class EngineError(UserError):
    """An engine gave no answer. The message says why; `verdict` classifies the failure."""

    verdict = Verdict.CRASH
    of_reference = False
    """Whether a reference failed, so that nothing can be said about the engine under test."""

    def __init__(self, message: str, finding: Finding | None = None) -> None:
        """Store the message, and the finding if the engine itself has shown what is wrong."""
        super().__init__(message)
        self.finding = finding


class EngineCrash(EngineError):
    """The engine's process ended."""


class EngineRejection(EngineError):
    """The engine refused the position."""

    verdict = Verdict.REJECTED


class CountsAnotherPosition(EngineRejection):
    """The engine ignored a position without an error message, and counts the position before it."""


class EngineUndoesWrongly(EngineError):
    """Making and unmaking a move has changed the engine's position; `finding` says how."""

    verdict = Verdict.MISMATCH


class EngineTimeout(EngineError):
    """The engine gave no answer in time."""

    verdict = Verdict.TIMEOUT


class EngineListsExtraMoves(EngineError):
    """The engine lists illegal moves that its total does not include; `finding` says which."""

    verdict = Verdict.MISMATCH


def overdue(name: str, failure: str, seconds: float) -> EngineTimeout:
    """Return the exception for an engine that has, for example, "not answered" in time."""
    return EngineTimeout(f"{name} {failure} within {seconds:.3g} second{'s' * (seconds != 1)}")


class UnparseableOutput(EngineError):
    """The engine's answer contains no count, or is too long."""

    verdict = Verdict.UNPARSEABLE


class NotUnderstood(UnparseableOutput):
    """The engine does not receive the position, or its answers cannot be read: its moves cannot be checked."""

    is_usage = True


class ImpossibleCount(UnparseableOutput):
    """The engine's answer is a number that cannot be a count."""


class EngineContradiction(UnparseableOutput):
    """The engine's root moves do not add up to its total."""

    def __init__(self, message: str, total: int = 0) -> None:
        super().__init__(message)
        self.total = total


class EngineFlood(UnparseableOutput):
    """The engine printed more than any answer contains."""


@dataclass(frozen=True)
class Divide:
    """The count below each root move. Moves are UCI text with castling as king takes rook (e1h1)."""

    counts: dict[str, int]
    """Counts by move, in the engine's order. A move that is listed more than once has its first count."""
    repeated: dict[str, int]
    """How often a move is listed after the first time."""
    total: int
    """The sum over all root moves, including repetitions."""
    is_total_only: bool = False
    """Whether the engine reported only the total: there may be root moves, but they are unknown."""
    remark: str = field(default="", compare=False)
    """A line of the answer that looks like an error message."""

    @classmethod
    def of_total(cls, total: int) -> Divide:
        """Return the answer of an engine that prints no root moves."""
        return cls({}, {}, total, is_total_only=True)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, int]]) -> Divide:
        """Return the divide with these root moves and counts, in the engine's order."""
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
