"""Group the failures of a run by cause: many red positions are often one bug."""

from __future__ import annotations

from dataclasses import dataclass

from ....harness.model.events import CaseResult


@dataclass(frozen=True)
class CauseGroup:
    """Failures that have one cause in common, the simplest first."""

    results: tuple[CaseResult, ...]

    @property
    def simplest(self) -> CaseResult:
        """The failure to look at: fewest pieces where the fault shows, then shallowest."""
        return self.results[0]


def failures(results: tuple[CaseResult, ...]) -> list[CaseResult]:
    """Return the results that are not in order."""
    return [result for result in results if result.verdict.is_failure]


def group_by_cause(results: tuple[CaseResult, ...]) -> list[CauseGroup]:
    """Return the failures grouped, largest group first.

    Explained mismatches share a cause when the same kinds of moves break the same rules; all other
    failures when their verdicts and messages are alike, numbers apart.
    """
    groups: dict[tuple[str, ...], list[CaseResult]] = {}
    for result in failures(results):
        groups.setdefault(_signature(result), []).append(result)
    ordered = sorted(groups.values(), key=len, reverse=True)
    return [CauseGroup(tuple(sorted(group, key=_simplicity))) for group in ordered]


def _signature(result: CaseResult) -> tuple[str, ...]:
    if result.finding is not None:
        return (result.verdict.value, *result.finding.signature)
    message = "".join(letter for letter in result.message if not letter.isdigit())
    return (result.verdict.value, message)


def _simplicity(result: CaseResult) -> tuple[int, int, str]:
    if result.finding is not None:
        return result.finding.pieces, len(result.finding.path), result.name
    return sum(letter.isalpha() for letter in result.fen.split()[0]), result.depth, result.name
