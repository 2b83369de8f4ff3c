"""The failures of a run, which are judged one after the other, in the order of the cases, while counting continues.

How a failure is judged depends on the failures before it: three of each cause are explained, and failures are no longer
repeated in a new process once several have been reproduced. The report therefore does not depend on the number of
workers.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from ....generator.line import Line
from ....suites.case import Case
from ...engines.asking.retry import AskedHistory
from ...engines.base import EngineContradiction, EngineError
from ...model.results.events import CaseResult, CountResult
from ...model.results.finding import Difference, Finding
from ...model.results.verdict import Verdict
from .known_causes import KnownCauses, KnownFaults
from .parts import CasePart


@dataclass(frozen=True, eq=False)
class UnjudgedFailure:
    """A count that failed. Whether it fails again, and why, is not known yet."""

    tally: CaseTally
    """The figures of its case."""
    line: Line
    """What the engine was asked for."""
    verdict: Verdict
    message: str
    expected: int
    got: int | None
    """The engine's count, None where it gave none."""
    answer_before: int | None
    """What its process had answered to the question before, if that is known."""
    history: AskedHistory
    """What its process was asked, with this question."""
    error: EngineError | None = None
    """What the engine failed with, if not its count."""
    is_after_moves: bool = False
    """Whether the engine had to play the moves of the case."""

    @property
    def total(self) -> int | None:
        """The total of the engine, which may be wrong in a systematic way; None where there is none."""
        if isinstance(self.error, EngineContradiction):
            return self.error.total
        return None if self.verdict is Verdict.SPLIT else self.got

    @property
    def as_counted(self) -> CaseResult:
        """The result of the case if the run ends before the failure is judged."""
        remark = "; stopped before the cause was found" if self.error is None else ""
        return self.result_of(self.tally, self.message + remark)

    def result_of(self, tally: CaseTally, message: str = "", line: Line | None = None) -> CaseResult:
        """Return the result of the case by its figures; after its moves, with the `line` that shows the failure."""
        result = tally.result(self.verdict, message or self.message)
        return replace(result, setup=str(line or self.line)) if self.is_after_moves else result


PartOutcome = CaseResult | UnjudgedFailure
"""What comes of the counts of a part."""


@dataclass(frozen=True)
class Judgment:
    """The result of a failure, and what is known of the engine once it is judged."""

    result: CaseResult
    after: KnownFaults


Place = tuple[bool, int, int]
"""Where a part stands among all: the least comes first."""


@dataclass(order=True)
class _PendingOutcome:
    """An outcome that waits for those that come before it."""

    place: Place
    part: CasePart = field(compare=False)
    outcome: PartOutcome = field(compare=False)
    judgment: Judgment | None = field(default=None, compare=False)
    is_under_way: bool = field(default=False, compare=False)
    """Whether it is being judged."""

    @property
    def result(self) -> CaseResult:
        """What is known of the result of the case."""
        if isinstance(self.outcome, CaseResult):
            return self.outcome
        return self.outcome.as_counted if self.judgment is None else self.judgment.result


class FailureQueue:
    """Failures, and what else waits for its turn, in the order of the cases. Not safe for threads."""

    def __init__(self, explain: int) -> None:
        """Take how many failures of a cause are explained."""
        self.known = KnownFaults(KnownCauses(explain))
        """What the failures have shown that were judged."""
        self._waiting: list[_PendingOutcome] = []

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def first(self) -> Place | None:
        """The place of the outcome whose turn comes first."""
        return self._waiting[0].place if self._waiting else None

    def add(self, place: Place, part: CasePart, outcome: PartOutcome) -> None:
        """Have an outcome wait for its turn."""
        insort(self._waiting, _PendingOutcome(place, part, outcome))

    def next(self, least: Place | None) -> UnjudgedFailure | None:
        """Return the failure whose turn it is to be judged, None where there is none, or somebody judges it.

        All parts are counted up to `least`, excluded; None for all.
        """
        first = self._waiting[0] if self._waiting else None
        if first is None or first.is_under_way or (least is not None and first.place >= least):
            return None
        if isinstance(first.outcome, CaseResult) or first.judgment is not None:
            return None
        first.is_under_way = True
        return first.outcome

    def judge(self, failure: UnjudgedFailure, judgment: Judgment) -> None:
        """Take in how a failure was judged; one that was dropped meanwhile is left alone."""
        for one in self._waiting:
            if one.outcome is failure:
                one.judgment, one.is_under_way, self.known = judgment, False, judgment.after

    def pop_before(self, least: Place | None) -> Iterator[tuple[CasePart, CaseResult]]:
        """Yield the results whose turn has come, as all parts are done up to `least`, excluded; None for all."""
        while self._waiting and (least is None or self._waiting[0].place < least):
            first = self._waiting[0]
            if not isinstance(first.outcome, CaseResult) and first.judgment is None:
                return
            del self._waiting[0]
            yield first.part, first.result

    def pop_all(self) -> Iterator[tuple[CasePart, CaseResult]]:
        """Yield all results as far as they are known: no failure is judged any more."""
        waiting, self._waiting = self._waiting, []
        yield from ((one.part, one.result) for one in waiting)

    def drop(self) -> None:
        """Forget all that waits."""
        self._waiting.clear()


@dataclass
class CaseTally:
    """The figures of a case so far."""

    case: Case
    suite: str
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
    like: str = ""
    """The name of the explained failure of whose cause this one is known to be, so that it is only counted."""

    @property
    def agreed(self) -> int:
        """The greatest depth at which the count is right; 0 where none is."""
        return max((one.depth for one in self.counts if one.verdict is Verdict.AGREE), default=0)

    @classmethod
    def of(cls, part: CasePart) -> CaseTally:
        """Return the figures as the shallower counts of a case have left them, if those were made before."""
        before = part.before
        if before is None:
            return cls(part.case, part.suite)
        figures = before.depth, before.expected, before.got, before.references, before.nodes, before.seconds
        return cls(part.case, part.suite, *figures, counts=before.counts)

    def note(self, depth: int, expected: int, verdict: Verdict, got: int | None = None) -> None:
        """Note how a count ended."""
        seconds = 0.0 if verdict is Verdict.SKIPPED else self.asked_seconds
        self.counts += (CountResult(depth, expected, verdict, got, seconds),)

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
            like=self.like,
            setup=str(self.line) if self.case.setup else "",
            counts=self.counts,
        )
