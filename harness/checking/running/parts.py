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
class CasePart:
    """The counts of a case that are made next."""

    number: int
    """The case's place in the run."""
    suite: str
    case: Case
    """The case with these counts alone; its moves are played after the last count."""
    digits: int
    """The magnitude of the counts: none has more digits."""
    rest: int | None
    """The magnitude of the counts that follow; None where these are the last."""
    before: CaseResult | None
    """The result of the counts that were made before."""

    @classmethod
    def of(cls, number: int, suite: str, case: Case, digits: int, before: CaseResult | None) -> CasePart:
        """Return the counts of a whole case that have so many digits at most, and were not made `before`."""
        counts = case.counts
        begin = 0 if before is None else _index_of(counts, 10 ** (digits - 1))
        end = _index_of(counts, 10**digits, begin)
        if end - begin < len(counts):
            case = replace(case, counts=counts[begin:end], moves=case.moves if end == len(counts) else ())
        return cls(number, suite, case, digits, digits_of(counts[end:]) if end < len(counts) else None, before)

    @classmethod
    def whole(cls, suite: str, case: Case) -> CasePart:
        """Return all counts of a case, which is checked by itself."""
        return cls(0, suite, case, digits_of(case.counts), None, None)

    def is_last(self, result: CaseResult) -> bool:
        """Tell whether the case is done with the result of this part."""
        return self.rest is None or result.verdict not in (Verdict.AGREE, Verdict.SKIPPED)


def digits_of(counts: Sequence[tuple[int, int]]) -> int:
    """Return how many digits the first of the counts has, but at least those of a small one; 0 where there is none."""
    return max(SMALL, len(str(counts[0][1]))) if counts else 0


def _index_of(counts: Sequence[tuple[int, int]], limit: int, begin: int = 0) -> int:
    """Return the place of the first count, from `begin` on, that reaches a limit; the end where there is none."""
    return next((place for place in range(begin, len(counts)) if counts[place][1] >= limit), len(counts))


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


def mark_unfinished(result: CaseResult) -> CaseResult:
    """Return the result of a case whose other parts were not made."""
    return replace(result, verdict=Verdict.UNFINISHED, message=f"stopped after depth {result.depth}")
