"""A failure as it was counted: whether it is reproducible, and why the engine fails, is not known yet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ....generator.line import Line
from ...engines.base import EngineContradiction, EngineError
from ...model.results.events import CaseResult
from ...model.results.verdict import Verdict
from .record import CaseRecord
from .reproducer import AskedHistory


@dataclass(frozen=True, eq=False)
class Failure:
    """A count that failed."""

    record: CaseRecord
    """The counts of its case."""
    line: Line
    """What the engine was asked for."""
    verdict: Verdict
    message: str
    expected: int
    got: int | None
    """The engine's count; None if it gave none."""
    answer_before: int | None
    """What its process had answered to the question before, if that is known."""
    history: AskedHistory
    """What its process was asked, with this question."""
    error: EngineError | None = None
    """What the engine failed with, if it gave no count."""
    is_after_moves: bool = False
    """Whether the engine had to play the moves of the case."""

    @property
    def accuses_engine(self) -> bool:
        """Whether the engine under test has failed, and not a reference."""
        return self.verdict is not Verdict.SPLIT and (self.error is None or not self.error.of_reference)

    @property
    def total(self) -> int | None:
        """The total of the engine, which may be wrong in a systematic way; None if there is none."""
        if isinstance(self.error, EngineContradiction):
            return self.error.total
        return None if self.verdict is Verdict.SPLIT else self.got

    @property
    def as_counted(self) -> CaseResult:
        """The result of the case if the run ends before the failure is explained."""
        remark = "; stopped before the cause was found" if self.error is None else ""
        return self.result_of(self.record, self.message + remark)

    def result_of(self, record: CaseRecord, message: str = "", line: Line | None = None) -> CaseResult:
        """Return the result of the case by its record; after its moves, with the `line` that shows the failure."""
        result = record.result(self.verdict, message or self.message)
        return replace(result, setup=str(line or self.line)) if self.is_after_moves else result
