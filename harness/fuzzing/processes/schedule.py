"""The order of the batches and reductions of a run, and the combined results of the batches.

Processes finish batches in any order. Results are merged in batch order, so that they depend only on the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ..batch import MOST_SIGNATURES, BatchResult
from ..model import SWEEP, Hit, Signature
from ..pipelined_batch import name_of
from ..plan import FIRST_CAREFUL_BATCHES, LARGEST_BATCH, SMALLEST_BATCH, BatchAssignment, FuzzPlan
from .messages import BatchDone, BatchProgress, ExamineBatch, HitReduced, ReduceHit

FIRST_PIPELINED_SIZES, CAREFUL_BETWEEN = (250, 1_000, 4_000, 16_000, 64_000), 40
"""Sizes of the first pipelined batches, and of the careful batch after each of them.

The sizes increase, so that a slow engine also gets enough careful batches.
"""
CAREFUL_ONE_IN = 13
"""After that, one batch in this many is careful. The number is prime so that every strategy is used."""
SMALLEST_PIPELINED, LARGEST_PIPELINED = 200_000, 2_000_000
"""Sizes of later pipelined batches. Starting a batch takes a quarter of a second, in which a fast library gives 100,000
answers, so each batch has half as many examples as all previous batches together.
"""
LEAST_BATCHES = 16
"""Minimum number of batches if the number of examples is given, unless the batches would be too small."""


def pipelined_size(before: int, examples: int | None) -> int:
    """Return the size of a later pipelined batch, given the number of examples before it and in the whole run."""
    most = LARGEST_PIPELINED if examples is None else min(LARGEST_PIPELINED, examples // LEAST_BATCHES)
    return max(SMALLEST_PIPELINED, min(most, before // 2))


class BatchSchedule:
    """Schedules the batches of a plan, and merges their results."""

    def __init__(self, plan: FuzzPlan) -> None:
        self._plan = plan
        self.is_pipelined: bool | None = None if plan.may_pipeline else False
        """Whether the engine supports pipelining; None until a process has started the engine."""
        self._next = BatchAssignment(0, 0, 0)
        self._in_progress: dict[int, ExamineBatch] = {}
        """The unfinished batches, by number."""
        self._results: dict[int, BatchResult] = {}
        """Results by batch; for an unfinished batch, those reported so far."""
        self._merged = BatchResult(0)
        """The merged results of the first batches; storing millions of separate results would take too much memory."""
        self._first = 0
        """Number of the first unmerged batch."""
        self._last: int | None = None
        """The first batch that ended the run, because of --fail-fast or too many timeouts."""
        self.used_pipelining = False
        """Whether any batch so far was pipelined."""
        self.seen: set[Signature] = set()
        """The signatures of hits that are certain to be part of the result."""
        self._held: dict[int, list[Hit]] = {}
        """With --fail-fast, the hits of each batch that are held back because an earlier batch may end the run."""

    @property
    def examples(self) -> int:
        """Number of examples examined so far."""
        return self._merged.examples + sum(result.examples for result in self._results.values())

    @property
    def events(self) -> int:
        """Number of distinct events so far."""
        return len({event for result in (self._merged, *self._results.values()) for event in result.events})

    def next(self) -> ExamineBatch | None:
        """Return the next batch, or None if none is available now."""
        assignment = self._assignment()
        if assignment is None or assignment.size == 0 or self.is_after_end(assignment.number):
            return None
        self._next = BatchAssignment(assignment.number + 1, assignment.first + assignment.size, 0)
        job = self._in_progress[assignment.number] = ExamineBatch(assignment)
        self.used_pipelining |= assignment.is_pipelined
        return job

    def _assignment(self) -> BatchAssignment | None:
        """Return the assignment of the next batch, or None if it is not known yet."""
        number, first, plan = self._next.number, self._next.first, self._plan
        if plan.sweep_cases_of(number) or not plan.may_pipeline:
            return plan.assignment(number)
        after_sweep = number - plan.sweep_batches
        if self.is_pipelined is None and after_sweep >= FIRST_CAREFUL_BATCHES:
            return None
        is_pipelined, size = self._mix(after_sweep, first) if self.is_pipelined is not False else (False, LARGEST_BATCH)
        return plan.limit(BatchAssignment(number, first, size, is_pipelined), first)

    def _mix(self, number: int, first: int) -> tuple[bool, int]:
        """Return whether a batch is pipelined (if the engine supports pipelining), and the size of the batch."""
        turn, is_careful = divmod(number - FIRST_CAREFUL_BATCHES, 2)
        if turn < 0:
            return False, self._plan.careful_size(SMALLEST_BATCH)
        if turn < len(FIRST_PIPELINED_SIZES):
            if is_careful:
                return False, self._plan.careful_size(CAREFUL_BETWEEN)
            return True, FIRST_PIPELINED_SIZES[turn]
        since = number - FIRST_CAREFUL_BATCHES - 2 * len(FIRST_PIPELINED_SIZES)
        if since % CAREFUL_ONE_IN == CAREFUL_ONE_IN - 1:
            return False, SMALLEST_BATCH
        return True, pipelined_size(first, self._plan.examples)

    def is_after_end(self, batch: int) -> bool:
        """Return True if a batch comes after the one that ended the run."""
        return self._last is not None and batch > self._last

    def note(self, progress: BatchProgress) -> list[Hit]:
        """Store the progress of a batch, in case its process dies; return the hits with signatures new to the run.

        With --fail-fast a hit is held back until no earlier batch can end the run.
        """
        partial = self._results.setdefault(progress.batch, BatchResult(progress.batch))
        partial.strategies[self._strategy(progress.batch)] = progress.examples
        partial.events = Counter(progress.events)
        for hit in progress.new:
            partial.note(hit)
            self._held.setdefault(progress.batch, []).append(hit)
        return self._release()

    def _release(self) -> list[Hit]:
        """Return the hits with signatures new to the run that are certain to be part of its result."""
        is_certain = (lambda batch: batch <= self._first) if self._plan.fail_fast else (lambda _batch: True)
        new: list[Hit] = []
        for batch in sorted(filter(is_certain, self._held)):
            for hit in self._held.pop(batch):
                signature = hit.discrepancy.signature
                if not self.is_after_end(batch) and signature not in self.seen and len(self.seen) < MOST_SIGNATURES:
                    self.seen.add(signature)
                    new.append(hit)
        return new

    def _strategy(self, batch: int) -> str:
        job = self._in_progress[batch]
        if job.assignment.sweep_cases:
            return SWEEP
        return name_of(self._plan, job.assignment) if job.assignment.is_pipelined else self._plan.variant(batch).name

    def finish(self, done: BatchDone) -> list[Hit]:
        """Store the result of a batch; return the hits that no longer have to be held back (see `note`)."""
        result = done.result
        del self._in_progress[result.number]
        self._results[result.number] = result
        is_found = any(hit.is_confirmed for hit in result.first.values())
        ends_run = result.is_cut_short or (self._plan.fail_fast and is_found)
        if ends_run and not self.is_after_end(result.number):
            self._last = result.number
        while self._first in self._results and not (self._first in self._in_progress or self.is_after_end(self._first)):
            self._merged.add(self._results.pop(self._first))
            self._first += 1
        return self._release()

    def merge(self) -> BatchResult:
        """Return the merged results, excluding batches after the one that ended the run."""
        whole = BatchResult(0)
        whole.add(self._merged)
        for number in sorted(self._results):
            if not self.is_after_end(number):
                whole.add(self._results[number])
        return whole


SMALL = 7
"""If a reduced position has at most this many pieces and looks reachable, no other hit is reduced."""


class ReductionQueue:
    """The hits to reduce, in order, and the best reduction for each signature."""

    def __init__(self, hits: Mapping[Signature, list[Hit]], first: Mapping[Signature, Hit]) -> None:
        """Create a queue from the simplest hits of each signature and from its first hit, which has a history."""
        self._hits = hits
        self._left = {
            signature: list(dict.fromkeys([*found, first[signature]])) for signature, found in sorted(hits.items())
        }
        self._queue = list(self._left)
        self._best: dict[Signature, HitReduced] = {}
        self._settled: set[Signature] = set()

    @property
    def are_waiting(self) -> bool:
        """Whether any hits are waiting."""
        return bool(self._queue)

    def next(self) -> ReduceHit | None:
        """Return the next hit to reduce, or None if no hit is waiting."""
        return ReduceHit(self._left[self._queue.pop(0)].pop(0)) if self._queue else None

    def add(self, reduced: HitReduced) -> HitReduced | None:
        """Store a reduction; return the best one for its signature, or None if another hit should be reduced first."""
        signature = reduced.hit.discrepancy.signature
        best = min(self._best.get(signature, reduced), reduced, key=_size)
        self._best[signature] = best
        found = best.discrepancy
        is_good = best.reproducible and found.pieces <= SMALL and found.implausibility == 0
        if self._left[signature] and not is_good:
            self._queue.insert(0, signature)
            return None
        self._settled.add(signature)
        return best

    def give_up(self) -> None:
        """Discard the waiting hits."""
        self._queue.clear()

    def best_of_unsettled(self, depth: int) -> Iterator[HitReduced]:
        """Yield the best reduction of each unsettled signature, or its simplest hit as found at `depth`."""
        for signature, hits in self._hits.items():
            if signature not in self._settled:
                yield self._best.get(signature) or HitReduced.as_found(hits[0], max(depth, hits[0].depth))


def _size(reduced: HitReduced) -> tuple[bool, int, bool, int, int, str]:
    """Return the sort key for reductions of one signature.

    Reductions that are reproducible, look reachable, and need no history come first. Among reductions that are not
    reproducible, those with a history come first.
    """
    game, has_history = reduced.discrepancy.game, bool(reduced.discrepancy.history)
    return (
        not reduced.reproducible,
        reduced.discrepancy.implausibility,
        has_history is reduced.reproducible,
        len(game.moves),
        reduced.discrepancy.pieces,
        str(game),
    )
