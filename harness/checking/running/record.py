"""The record of a case: finished and pending counts, a failed count, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ....generator.game import Game
from ....suites.case import Case
from ...engines.base import EngineContradiction, EngineError
from ...model.results.events import CaseResult, CountResult
from ...model.results.finding import Difference, Finding
from ...model.results.verdict import Verdict
from .reproducer import AskedQuestion

SMALL = 4
"""Counts with up to this number of digits run in the same round."""
ALL_DIGITS = 63
"""No count has more digits than this."""


@dataclass
class CaseRecord:
    """The counts of a case so far.

    A case may take several rounds, because the small counts of all cases come first.
    """

    case: Case
    suite: str
    number: int = 0
    """The index of the case in the run."""
    digits: int = ALL_DIGITS
    """Counts with more digits run in a later round."""
    made: int = 0
    """Number of counts in earlier rounds."""
    depth: int = 0
    expected: int | None = None
    got: int | None = None
    references: tuple[tuple[str, int], ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    asked_seconds: float = 0.0
    """Time in seconds that the engine took for its last answer, or until it failed."""
    counts: tuple[CountResult, ...] = ()
    difference: Difference | None = None
    finding: Finding | None = None
    like: str = ""
    """The name of an explained failure with the same cause, if this failure is only counted."""

    @classmethod
    def of(cls, number: int, suite: str, case: Case, digits: int, before: CaseResult | None) -> CaseRecord:
        """Return the record of a case, for its counts of up to `digits` digits; `before` is its previous result."""
        record = cls(case, suite, number, digits)
        if before is not None:
            record.made = len(before.counts)
            record.depth, record.expected, record.got = before.depth, before.expected, before.got
            record.references, record.counts = before.references, before.counts
            record.nodes, record.seconds = before.nodes, before.seconds
        return record

    @property
    def next_counts(self) -> Sequence[tuple[int, int]]:
        """The depths to count in this round, with the expected counts."""
        return self.case.counts[self.made : self._end]

    @property
    def new_counts(self) -> Sequence[CountResult]:
        """The results of the counts in this round."""
        return self.counts[self.made :]

    @property
    def later_digits(self) -> int | None:
        """The number of digits of the first count in a later round, or None if there is none."""
        return digits_of(self.case.counts[self._end :]) if self._end < len(self.case.counts) else None

    @property
    def _end(self) -> int:
        """The index of the first count in a later round."""
        counts = self.case.counts
        large = (index for index in range(self.made, len(counts)) if counts[index][1] >= 10**self.digits)
        return next(large, len(counts))

    @property
    def agreed(self) -> int:
        """The greatest depth with a correct count, or 0 if there is none."""
        return max((one.depth for one in self.counts if one.verdict is Verdict.AGREE), default=0)

    @cached_property
    def game(self) -> Game:
        """The position of the case, as a game without moves. All counts share it because it caches its position."""
        return self.case.game

    def note(self, depth: int, expected: int, verdict: Verdict, got: int | None = None) -> None:
        """Record the outcome of a count."""
        seconds = 0.0 if verdict is Verdict.SKIPPED else self.asked_seconds
        self.counts += (CountResult(depth, expected, verdict, got, seconds),)

    def result(self, verdict: Verdict, message: str = "") -> CaseResult:
        """Return the result of the case, with the counts so far."""
        return CaseResult(
            name=self.case.name,
            suite=self.suite,
            source=self.case.source,
            fen=self.case.position.fen(),
            chess960=self.case.position.chess960,
            verdict=verdict,
            depth=self.depth,
            expected=self.expected,
            got=self.got,
            references=self.references,
            nodes=self.nodes,
            seconds=self.seconds,
            message=message,
            difference=self.difference,
            finding=self.finding,
            like=self.like,
            setup=str(self.game) if self.case.setup else "",
            counts=self.counts,
        )


@dataclass(frozen=True, eq=False)
class Failure:
    """A count that failed."""

    record: CaseRecord
    """The record of the case."""
    game: Game
    """The game that the engine counted."""
    verdict: Verdict
    message: str
    expected: int
    got: int | None
    """The engine's count, or None if it gave none."""
    answer_before: int | None
    """The process's answer to the previous question, if known."""
    history: tuple[AskedQuestion, ...]
    """All questions to the process, including this one."""
    error: EngineError | None = None
    """The error of the engine, if it gave no count."""
    is_after_moves: bool = False
    """Whether the engine had to play the moves of the case."""

    @property
    def is_of_search(self) -> bool:
        """Whether the engine failed in a search after it had counted the position correctly."""
        return self.history[-1].searches

    @property
    def accuses_engine(self) -> bool:
        """Whether the engine under test failed, rather than a reference."""
        return self.verdict is not Verdict.SPLIT and (self.error is None or not self.error.of_reference)

    @property
    def total(self) -> int | None:
        """The engine's total if it may be a systematic error, or None otherwise."""
        if isinstance(self.error, EngineContradiction):
            return self.error.total
        return None if self.verdict is Verdict.SPLIT else self.got

    def as_counted(self, record: CaseRecord) -> CaseResult:
        """Return the result of the case if the run ends before the failure is explained."""
        remark = "; stopped before the cause was found" if self.error is None else ""
        return self.result_of(record, self.message + remark)

    def result_of(self, record: CaseRecord, message: str = "", game: Game | None = None) -> CaseResult:
        """Return the result of the case; if a count from the FEN does not show the failure, include the game."""
        result = record.result(self.verdict, message or self.message)
        return replace(result, setup=str(game or self.game)) if self.is_after_moves or self.is_of_search else result


def digits_of(counts: Sequence[tuple[int, int]]) -> int:
    """Return the number of digits of the first count, but at least `SMALL`, or 0 if there are no counts."""
    return max(SMALL, len(str(counts[0][1]))) if counts else 0


def complete(result: CaseResult, case: Case) -> CaseResult:
    """Return a result that includes the counts of its case that were not run."""
    verdict = Verdict.SKIPPED if result.verdict is Verdict.SKIPPED else Verdict.UNFINISHED
    left = case.counts[len(result.counts) :]
    counts = [CountResult(depth, expected, verdict) for depth, expected in left]
    return replace(result, counts=(*result.counts, *counts)) if counts else result


def unfinished(suite: str, case: Case, result: CaseResult | None) -> CaseResult:
    """Return the result of an unfinished case; `result` is its result so far, or None if it was not started."""
    if result is None:
        result = CaseRecord(case, suite).result(Verdict.UNFINISHED, "not begun")
        result = replace(result, setup="")  # nothing was asked
    else:
        result = replace(result, verdict=Verdict.UNFINISHED, message=f"stopped after depth {result.depth}")
    return complete(result, case)
