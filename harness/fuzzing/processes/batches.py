"""The batches of a run: which is drawn next, and what all of them have found, in the order of their numbers.

Processes finish batches in any order. Sorted by number, the results depend on the seed alone.
"""

from __future__ import annotations

from ..batch import BatchResult
from ..model import Hit, Signature
from ..plan import Plan
from .messages import Draw, Examined


class Batches:
    """All batches of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._next = 0
        self._results: dict[int, BatchResult] = {}
        """Results by batch; of a batch that is not done, what its process has told so far."""
        self._last: int | None = None
        """The first batch that has ended the run: by a discrepancy with --fail-fast, or by too many timeouts."""
        self.seen: set[Signature] = set()
        """The signatures found so far."""

    @property
    def examples(self) -> int:
        """Number of examples examined so far."""
        return sum(result.examples for result in self._results.values())

    def next(self) -> Draw | None:
        """Return the next batch to be drawn, or None if there is none."""
        if self._plan.size(self._next) == 0 or self.is_needless(self._next):
            return None
        self._next += 1
        return Draw(self._next - 1)

    def is_needless(self, batch: int) -> bool:
        """Tell whether a batch comes after the one that has ended the run."""
        return self._last is not None and batch > self._last

    def note(self, progress: Examined) -> list[Hit]:
        """Keep what a process tells of its batch, in case it dies; return the hits with signatures new to the run."""
        partial = self._results.setdefault(progress.batch, BatchResult(progress.batch))
        partial.strategies[self._plan.turn(progress.batch).name] = progress.examples
        fresh = []
        for hit in progress.new:
            partial.note(hit)
            if hit.discrepancy.signature not in self.seen:
                self.seen.add(hit.discrepancy.signature)
                fresh.append(hit)
        return fresh

    def finish(self, result: BatchResult) -> None:
        """Keep the result of a batch that is done."""
        self._results[result.number] = result
        ends_run = result.is_cut_short or (self._plan.fail_fast and result.first)
        if ends_run and not self.is_needless(result.number):
            self._last = result.number

    def merged(self) -> BatchResult:
        """Return all batches as one, without those after the one that has ended the run."""
        whole = BatchResult(0)
        for number in sorted(self._results):
            if not self.is_needless(number):
                whole.add(self._results[number])
        return whole
