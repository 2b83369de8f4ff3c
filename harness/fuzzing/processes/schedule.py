"""What is done next in a run, batches and then reductions, and what all of them have found.

Processes finish batches in any order. Sorted by number, the results depend on the seed alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..batch import MOST_SIGNATURES, BatchResult
from ..model import SWEEP, Hit, Signature
from ..pipelined_batch import name_of
from ..plan import FIRST_CAREFUL_BATCHES, LARGEST_BATCH, SMALLEST_BATCH, BatchAssignment, FuzzPlan
from .messages import BatchDone, BatchProgress, ExamineBatch, HitReduced, ReduceHit

FIRST_PIPELINED_SIZES, CAREFUL_BETWEEN = (250, 1_000, 4_000, 16_000, 64_000), 40
"""Examples of the batches asked ahead that come then, and of a careful one after each of them.

A slow engine is thus asked as carefully as a fast one, in as much time.
"""
CAREFUL_ONE_IN = 13
"""One batch in this many is careful after those. It is prime, so that each strategy has its turn."""
SMALLEST_PIPELINED, LARGEST_PIPELINED = 200_000, 2_000_000
"""Examples of a later batch asked ahead. To begin one takes a quarter of a second, the time of 100,000 answers of a
fast library: once there are many examples, a batch has half as many as all before it.
"""
BATCHES_OF_EXAMPLES = 16
"""The least number of batches if the number of examples is given, unless they would be too small."""


def pipelined_size(before: int, examples: int | None) -> int:
    """Return the size of a later batch asked ahead, given how many examples are before it, and how many in all."""
    most = LARGEST_PIPELINED if examples is None else min(LARGEST_PIPELINED, examples // BATCHES_OF_EXAMPLES)
    return max(SMALLEST_PIPELINED, min(most, before // 2))


class BatchSchedule:
    """All batches of a plan."""

    def __init__(self, plan: FuzzPlan) -> None:
        self._plan = plan
        self.is_pipelined: bool | None = None if plan.may_pipeline else False
        """Whether the engine can be asked ahead; None as long as no process has started it."""
        self._next = BatchAssignment(0, 0, 0)
        self._under_way: dict[int, ExamineBatch] = {}
        """Those given out that are not done, by number."""
        self._results: dict[int, BatchResult] = {}
        """Results by batch; for a batch that is not done, what its process has reported so far."""
        self._whole = BatchResult(0)
        """The results of the first batches as one: there may be millions."""
        self._first = 0
        """The first batch that is not in there."""
        self._last: int | None = None
        """The first batch that has ended the run: by a discrepancy with --fail-fast, or by too many timeouts."""
        self.used_pipelining = False
        """Whether any batch given out is asked ahead."""
        self.seen: set[Signature] = set()
        """The signatures found so far, of hits that are part of the result whatever is found later."""
        self._held: dict[int, list[Hit]] = {}
        """With --fail-fast, hits of batches before which another one may still end the run, by batch."""

    @property
    def examples(self) -> int:
        """Number of examples of this run examined so far."""
        under_way = sum(result.examples for result in self._results.values())
        return self._whole.examples + under_way

    def next(self) -> ExamineBatch | None:
        """Return the next batch to be generated, or None if there is none, or none yet."""
        assignment = self._assignment()
        if assignment is None or assignment.size == 0 or self.is_needless(assignment.number):
            return None
        self._next = BatchAssignment(assignment.number + 1, assignment.first + assignment.size, 0)
        job = self._under_way[assignment.number] = ExamineBatch(assignment)
        self.used_pipelining |= assignment.is_pipelined
        return job

    def _assignment(self) -> BatchAssignment | None:
        """Return what the next batch is, None if that is not known yet."""
        number, first, plan = self._next.number, self._next.first, self._plan
        if plan.swept(number) or not plan.may_pipeline:
            return plan.assignment(number)
        begun = number - plan.sweep_batches
        if self.is_pipelined is None and begun >= FIRST_CAREFUL_BATCHES:
            return None
        is_pipelined, size = self._mix(begun, first) if self.is_pipelined is not False else (False, LARGEST_BATCH)
        return plan.limit(BatchAssignment(number, first, size, is_pipelined), first)

    def _mix(self, number: int, first: int) -> tuple[bool, int]:
        """Return whether a batch is asked ahead, of an engine that can be asked so, and how many examples it has."""
        turn, is_careful = divmod(number - FIRST_CAREFUL_BATCHES, 2)
        if turn < 0:
            return False, self._plan.careful_size(SMALLEST_BATCH)
        if turn < len(FIRST_PIPELINED_SIZES):
            return (
                (False, self._plan.careful_size(CAREFUL_BETWEEN)) if is_careful else (True, FIRST_PIPELINED_SIZES[turn])
            )
        since = number - FIRST_CAREFUL_BATCHES - 2 * len(FIRST_PIPELINED_SIZES)
        if since % CAREFUL_ONE_IN == CAREFUL_ONE_IN - 1:
            return False, SMALLEST_BATCH
        return True, pipelined_size(first, self._plan.examples)

    def is_needless(self, batch: int) -> bool:
        """Return True if a batch comes after the one that has ended the run."""
        return self._last is not None and batch > self._last

    def note(self, progress: BatchProgress) -> list[Hit]:
        """Keep what a process reports of its batch, in case it dies; return the hits with signatures new to the run.

        With --fail-fast a hit is returned once no earlier batch can end the run before it.
        """
        partial = self._results.setdefault(progress.batch, BatchResult(progress.batch))
        partial.strategies[self._strategy(progress.batch)] = progress.examples
        for hit in progress.new:
            partial.note(hit)
            self._held.setdefault(progress.batch, []).append(hit)
        return self._release()

    def _release(self) -> list[Hit]:
        """Return the hits with signatures new to the run that are sure to be part of its result."""
        is_confirmed = (lambda batch: batch <= self._first) if self._plan.fail_fast else (lambda _batch: True)
        fresh: list[Hit] = []
        for batch in sorted(filter(is_confirmed, self._held)):
            for hit in self._held.pop(batch):
                signature = hit.discrepancy.signature
                if not self.is_needless(batch) and signature not in self.seen and len(self.seen) < MOST_SIGNATURES:
                    self.seen.add(signature)
                    fresh.append(hit)
        return fresh

    def _strategy(self, batch: int) -> str:
        job = self._under_way[batch]
        if job.assignment.sweep_cases:
            return SWEEP
        return name_of(self._plan, job.assignment) if job.assignment.is_pipelined else self._plan.variant(batch).name

    def finish(self, done: BatchDone) -> list[Hit]:
        """Keep the result of a batch that is done; return the hits that `note` has held back until now."""
        result = done.result
        del self._under_way[result.number]
        self._results[result.number] = result
        is_found = any(hit.is_confirmed for hit in result.first.values())
        ends_run = result.is_cut_short or (self._plan.fail_fast and is_found)
        if ends_run and not self.is_needless(result.number):
            self._last = result.number
        while self._first in self._results and not (self._first in self._under_way or self.is_needless(self._first)):
            self._whole.add(self._results.pop(self._first))
            self._first += 1
        return self._release()

    def merge(self) -> BatchResult:
        """Return all batches as one, without those after the one that has ended the run."""
        whole = BatchResult(0)
        whole.add(self._whole)
        for number in sorted(self._results):
            if not self.is_needless(number):
                whole.add(self._results[number])
        return whole


SMALL = 7
"""A reduction to this many pieces, in a position that looks reachable, is good enough; else the next hit is reduced."""


class ReductionQueue:
    """The hits of each signature, the best to reduce first, and what has become of them."""

    def __init__(self, hits: Mapping[Signature, list[Hit]], first: Mapping[Signature, Hit]) -> None:
        """Take the hits of each signature to be reduced, the simplest first, and the first one that was found.

        The first one has its history.
        """
        self._hits = hits
        self._left = {
            signature: list(dict.fromkeys([*found, first[signature]])) for signature, found in sorted(hits.items())
        }
        self._queue = list(self._left)
        self._best: dict[Signature, HitReduced] = {}
        self._settled: set[Signature] = set()

    @property
    def are_waiting(self) -> bool:
        """Whether there are hits to be given out."""
        return bool(self._queue)

    def next(self) -> ReduceHit | None:
        """Return the next hit to be reduced, or None if there is none."""
        return ReduceHit(self._left[self._queue.pop(0)].pop(0)) if self._queue else None

    def add(self, reduced: HitReduced) -> HitReduced | None:
        """Keep a reduction; return the best one of its signature, or None if another hit has to be reduced first."""
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
        """Give out no more hits."""
        self._queue.clear()

    def best_of_unsettled(self, depth: int) -> Iterator[HitReduced]:
        """Yield the best of each signature that is not settled, or else its simplest hit as it was found at `depth`."""
        for signature, hits in self._hits.items():
            if signature not in self._settled:
                yield self._best.get(signature) or HitReduced.as_found(hits[0], max(depth, hits[0].depth))


def _size(reduced: HitReduced) -> tuple[bool, int, bool, int, int, str]:
    """Return the key of the best.

    It is reproducible, in a position that looks reachable, by its line alone; otherwise it has its history.
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
