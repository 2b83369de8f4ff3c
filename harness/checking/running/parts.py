"""Cases in parts: the small counts of all positions come first, so that a run out of time has seen every position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....suites.case import Case
from ...model.results.events import CaseResult, CountResult
from ...model.results.verdict import Verdict

SMALL = 4
"""Counts of up to so many digits are made together."""


@dataclass(frozen=True, slots=True)
class Part:
    """The counts of a case that are left, and the result of those that were made."""

    number: int
    """The case's place in the run."""
    suite: str
    case: Case
    digits: int
    """The magnitude of its next counts: none has more digits."""
    is_first: bool = False
    """Whether it goes before all others."""
    before: CaseResult | None = None

    @classmethod
    def of(cls, number: int, suite: str, case: Case, is_first: bool) -> Part:
        """Return a case of which no count is made."""
        return cls(number, suite, case, _digits(case.counts), is_first)

    @property
    def is_small(self) -> bool:
        """Whether its next counts are among the smallest."""
        return self.digits == SMALL

    @property
    def order(self) -> tuple[bool, int, int]:
        """What comes first: the part whose next count is of a smaller magnitude, else the earlier case."""
        return not self.is_first, self.digits, self.number

    @property
    def now(self) -> Case:
        """The case with its next counts alone; its moves are played after the last one."""
        counts = self.case.counts[: self._length]
        if len(counts) == len(self.case.counts):
            return self.case
        return replace(self.case, counts=counts, moves=())

    @property
    def nodes(self) -> int:
        """The leaf nodes of its next counts."""
        return sum(nodes for _, nodes in self.case.counts[: self._length])

    def rest(self, now: Case, result: CaseResult) -> Part | None:
        """Return the part that is left after the result of what comes `now`, or None where the case is done."""
        left = self.case.counts[len(now.counts) :]
        if not left or result.verdict not in (Verdict.AGREE, Verdict.SKIPPED):
            return None
        case = replace(self.case, counts=left)
        return Part(self.number, self.suite, case, _digits(left), self.is_first, result)

    @property
    def _length(self) -> int:
        limit = 10**self.digits
        for number, (_, nodes) in enumerate(self.case.counts):
            if nodes >= limit:
                return number
        return len(self.case.counts)


def _digits(counts: Sequence[tuple[int, int]]) -> int:
    """Return how many digits the first of the counts has, but at least those of a small one; 0 where there is none."""
    return max(SMALL, len(str(counts[0][1]))) if counts else 0


def complete(result: CaseResult, case: Case) -> CaseResult:
    """Return a result with every count of its case, also with those that were not made."""
    verdict = Verdict.SKIPPED if result.verdict is Verdict.SKIPPED else Verdict.UNFINISHED
    left = case.counts[len(result.counts) :]
    counts = [CountResult(depth, expected, verdict) for depth, expected in left]
    return replace(result, counts=(*result.counts, *counts)) if counts else result


def not_begun(suite: str, case: Case) -> CaseResult:
    """Return the result of a case to which the run did not come."""
    result = CaseResult(
        name=case.name,
        suite=suite,
        source=case.source,
        fen=case.position.fen(),
        chess960=case.position.chess960,
        verdict=Verdict.UNFINISHED,
        depth=0,
        expected=None,
        got=None,
        references=(),
        nodes=0,
        seconds=0.0,
        message="not begun",
    )
    return complete(result, case)


def unfinished(result: CaseResult) -> CaseResult:
    """Return the result of a case whose other parts were not made."""
    return replace(result, verdict=Verdict.UNFINISHED, message=f"stopped after depth {result.depth}")
