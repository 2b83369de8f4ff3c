"""The figures of a case while its counts are checked one after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ....generator.line import Line
from ....suites.case import Case
from ...model.results.events import CaseResult, CountResult, Difference, Finding
from ...model.results.verdict import Verdict
from .ahead import Ahead
from .parts import CasePart


@dataclass
class CaseTally:
    """The figures of a case so far."""

    case: Case
    suite: str
    ahead: Ahead
    """What the engine has been asked already."""
    depth: int = 0
    expected: int | None = None
    got: int | None = None
    references: tuple[tuple[str, int], ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    asked_seconds: float = 0.0
    """Time that the engine took for its last answer, or for none."""
    counts: tuple[CountResult, ...] = ()
    difference: Difference | None = None
    finding: Finding | None = None
    is_systematic: bool = False
    """Whether the finding is an error of all totals of the engine, which needs no history."""

    @classmethod
    def of(cls, part: CasePart, ahead: Ahead) -> CaseTally:
        """Return the figures as the shallower counts of a case have left them, if those were made before."""
        before = part.before
        if before is None:
            return cls(part.case, part.suite, ahead)
        figures = before.depth, before.expected, before.got, before.references, before.nodes, before.seconds
        return cls(part.case, part.suite, ahead, *figures, counts=before.counts)

    def note(self, depth: int, expected: int, verdict: Verdict, got: int | None = None) -> None:
        """Note how a count ended."""
        seconds = 0.0 if verdict is Verdict.SKIPPED else self.asked_seconds
        self.counts += (CountResult(depth, expected, verdict, got, seconds),)

    def agree(self, depth: int, nodes: int) -> None:
        """Note a count that the engine has made ahead, as is expected."""
        seconds = self.ahead.seconds[depth]
        self.depth, self.expected, self.got = depth, nodes, nodes
        self.nodes += nodes
        self.seconds += seconds
        self.counts += (CountResult(depth, nodes, Verdict.AGREE, nodes, seconds),)

    @cached_property
    def line(self) -> Line:
        """The position of the case, without moves: one for all its counts, which are remembered."""
        return self.case.line

    def result(self, verdict: Verdict, message: str = "") -> CaseResult:
        """Return the result of the case, as far as it was checked."""
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
            setup=str(self.line) if self.case.setup else "",
            counts=self.counts,
        )
