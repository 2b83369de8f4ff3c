"""What is done next in a run, batches and then reductions, and what all of them have found.

Processes finish batches in any order. Sorted by number, the results depend on the seed alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ....generator.drawing.experience import Experience, Learned
from ..batch import MOST_KINDS, BatchResult
from ..drawn_ahead import is_chess960, name_of
from ..known_batches import FOUND_BEFORE
from ..model import SWEEP, Hit, Signature
from ..plan import CAREFUL_AT_FIRST, LARGEST_BATCH, SMALLEST_BATCH, FuzzPlan, Share
from ..saved_run import MOST_FINDS, FuzzState, KeptFind
from .messages import BatchDone, DrawBatch, Examined, HitReduced, ReduceHit

AHEAD_AT_FIRST, CAREFUL_BETWEEN = (250, 1_000, 4_000, 16_000, 64_000), 40
"""Examples of the batches asked ahead that come then, and of a careful one after each of them.

A slow engine is thus asked as carefully as a fast one, in as much time.
"""
CAREFUL_ONE_IN = 13
"""One batch in so many is careful after those. No number of turns has a divisor in common with it, so each comes."""
SMALLEST_AHEAD, LARGEST_AHEAD = 200_000, 2_000_000
"""Examples of a later batch asked ahead. To begin one takes a quarter of a second, the time of 100,000 answers of a
fast library: once there are many examples, a batch has half as many as all before it.
"""
BATCHES_OF_EXAMPLES = 16
"""Where the number of examples is given, there are at least so many batches of them, if they are not the smallest."""


def ahead_size(before: int, examples: int | None) -> int:
    """Return the size of a later batch asked ahead, given how many examples are before it, and how many in all."""
    most = LARGEST_AHEAD if examples is None else min(LARGEST_AHEAD, examples // BATCHES_OF_EXAMPLES)
    return max(SMALLEST_AHEAD, min(most, before // 2))


class Learning:
    """What the processes of a run have learned of each variant, which the next batches are to know."""

    def __init__(self, before: Mapping[bool, Experience]) -> None:
        self._experiences = dict(before)
        self._under_way: dict[int, tuple[bool, Sequence[Learned]]] = {}
        """What batches that are not done have learned so far, by number."""

    def experience(self, chess960: bool) -> Experience:
        """Return what a batch that begins now is to know. Its first bases stay the same for good."""
        return self._experiences[chess960]

    def note(self, batch: int, chess960: bool, learned: Sequence[Learned]) -> None:
        """Note what a batch has learned so far, which may still become more; most batches learn nothing."""
        if learned:
            self._under_way[batch] = chess960, learned

    def finish(self, batch: int, chess960: bool, learned: Sequence[Learned]) -> None:
        """Take in what a batch has learned in all."""
        self._under_way.pop(batch, None)
        if learned:
            self._experiences[chess960] = _with_all(self._experiences[chess960], learned)

    def so_far(self) -> dict[bool, Experience]:
        """Return what is known, that of batches under way included."""
        known = dict(self._experiences)
        for chess960, learned in self._under_way.values():
            known[chess960] = _with_all(known[chess960], learned)
        return known


def _with_all(experience: Experience, learned: Sequence[Learned]) -> Experience:
    for each in learned:
        experience = experience.with_learned(each)
    return experience


class Batches:
    """All batches of a plan, with those of the runs before it where it goes on from there."""

    def __init__(self, plan: FuzzPlan, before: FuzzState) -> None:
        self._plan = plan
        self.is_ahead: bool | None = None if plan.may_ask_ahead else False
        """Whether the engine can be asked ahead; None as long as no process has started it."""
        self._begin = self._next = Share(before.next_batch, before.counts.examples, 0)
        self._under_way: dict[int, DrawBatch] = {}
        """Those given out that are not done, by number."""
        self._results: dict[int, BatchResult] = {}
        """Results by batch; of a batch that is not done, what its process has told so far."""
        self._whole = BatchResult(0)
        """The results of the first batches as one: there may be millions."""
        self._whole.add(before.counts)
        self._first = self._begin.number - bool(before.finds)
        """The first batch that is not in there."""
        self._learning = Learning(before.experiences)
        self._again, self._is_again_due = before.finds, bool(before.finds)
        """Finds of the runs before, until all were examined again, in a batch of their own before the others."""
        self._last: int | None = None
        """The first batch that has ended the run: by a discrepancy with --fail-fast, or by too many timeouts."""
        self.were_ahead = False
        """Whether any batch given out is asked ahead."""
        self.seen: set[Signature] = set()
        """The signatures found so far, of hits that are part of the result whatever is found later."""
        self._held: dict[int, list[Hit]] = {}
        """With --fail-fast, hits of batches before which another one may still end the run, by batch."""

    @property
    def examples(self) -> int:
        """Number of examples of this run examined so far."""
        under_way = sum(result.examples for result in self._results.values())
        return self._whole.examples + under_way - self._begin.first

    def next(self) -> DrawBatch | None:
        """Return the next batch to be drawn, or None if there is none, or none yet."""
        job = self._next_job()
        if job is not None:
            self._under_way[job.batch] = job
            self.were_ahead |= job.share.is_ahead
        return job

    def _next_job(self) -> DrawBatch | None:
        if self._is_again_due:
            self._is_again_due = False
            return DrawBatch(replace(self._begin, number=self._first), again=self._again)
        share = self._share()
        if share is None or share.size == 0 or self.is_needless(share.number):
            return None
        self._next = Share(share.number + 1, share.first + share.size, 0)
        if not (share.is_ahead and self._plan.is_kept):
            return DrawBatch(share)
        return DrawBatch(share, self._learning.experience(is_chess960(self._plan, share)))

    def _share(self) -> Share | None:
        """Return what the next batch is, None if that is not known yet."""
        number, first, plan = self._next.number, self._next.first, self._plan
        before = first - self._begin.first
        if questions := plan.swept(number):
            return plan.limit(Share(number, first, len(questions), questions=questions), before)
        if not plan.may_ask_ahead:
            return plan.limit(Share(number, first, plan.batch), before)
        begun = number - max(self._begin.number, plan.sweep_batches)
        if self.is_ahead is None and begun >= CAREFUL_AT_FIRST:
            return None
        is_ahead, size = self._mix(begun, before) if self.is_ahead is not False else (False, LARGEST_BATCH)
        return plan.limit(Share(number, first, size, is_ahead), before)

    def _mix(self, number: int, first: int) -> tuple[bool, int]:
        """Return whether a batch is asked ahead, of an engine that can be asked so, and how many examples it has."""
        turn, is_careful = divmod(number - CAREFUL_AT_FIRST, 2)
        if turn < 0:
            return False, self._plan.careful_size(SMALLEST_BATCH)
        if turn < len(AHEAD_AT_FIRST):
            return (False, self._plan.careful_size(CAREFUL_BETWEEN)) if is_careful else (True, AHEAD_AT_FIRST[turn])
        since = number - CAREFUL_AT_FIRST - 2 * len(AHEAD_AT_FIRST)
        if since % CAREFUL_ONE_IN == CAREFUL_ONE_IN - 1:
            return False, SMALLEST_BATCH
        return True, ahead_size(first, self._plan.examples)

    def is_needless(self, batch: int) -> bool:
        """Tell whether a batch comes after the one that has ended the run."""
        return self._last is not None and batch > self._last

    def note(self, progress: Examined) -> list[Hit]:
        """Keep what a process tells of its batch, in case it dies; return the hits with signatures new to the run.

        With --fail-fast a hit is returned once no earlier batch can end the run before it.
        """
        partial = self._results.setdefault(progress.batch, BatchResult(progress.batch))
        partial.strategies[self._strategy(progress.batch)] = progress.examples
        for hit in progress.new:
            partial.note(hit)
            self._held.setdefault(progress.batch, []).append(hit)
        if progress.so_far is not None:
            self._results[progress.batch] = replace(progress.so_far.counts, hits=partial.hits, first=partial.first)
            self._learning.note(progress.batch, self._is_chess960(progress.batch), progress.so_far.learned)
        return self._release()

    def _release(self) -> list[Hit]:
        """Return the hits with signatures new to the run that are sure to be part of its result."""
        is_sure = (lambda batch: batch <= self._first) if self._plan.fail_fast else (lambda _batch: True)
        fresh: list[Hit] = []
        for batch in sorted(filter(is_sure, self._held)):
            for hit in self._held.pop(batch):
                signature = hit.discrepancy.signature
                if not self.is_needless(batch) and signature not in self.seen and len(self.seen) < MOST_KINDS:
                    self.seen.add(signature)
                    fresh.append(hit)
        return fresh

    def _strategy(self, batch: int) -> str:
        job = self._under_way[batch]
        if job.again:
            return FOUND_BEFORE
        if job.share.questions:
            return SWEEP
        return name_of(self._plan, job.share) if job.share.is_ahead else self._plan.turn(batch).name

    def _is_chess960(self, batch: int) -> bool:
        return is_chess960(self._plan, self._under_way[batch].share)

    def finish(self, drawn: BatchDone) -> list[Hit]:
        """Keep the result of a batch that is done; return the hits that `note` has held back until now."""
        result = drawn.result
        self._learning.finish(result.number, self._is_chess960(result.number), drawn.learned)
        if self._under_way.pop(result.number).again and not drawn.is_stopped:
            self._again = ()
        self._results[result.number] = result
        is_found = any(hit.is_sure for hit in result.first.values())
        ends_run = result.is_cut_short or (self._plan.fail_fast and is_found)
        if ends_run and not self.is_needless(result.number):
            self._last = result.number
        while self._first in self._results and not (self._first in self._under_way or self.is_needless(self._first)):
            self._whole.add(self._results.pop(self._first))
            self._first += 1
        return self._release()

    def state(self, reduced: Mapping[Signature, KeptFind]) -> FuzzState:
        """Return what is to be kept; `reduced` are the finds that were reduced."""
        whole = self.merge()
        found = {signature: KeptFind.of(hits[0], self._plan.depth) for signature, hits in whole.hits.items()}
        finds = tuple(dict.fromkeys([*self._again, *{**found, **reduced}.values()]))[:MOST_FINDS]
        return FuzzState(self._plan.seed, self._next.number, whole.counts(), self._learning.so_far(), finds)

    def merge(self) -> BatchResult:
        """Return all batches as one, without those after the one that has ended the run."""
        whole = BatchResult(0)
        whole.add(self._whole)
        for number in sorted(self._results):
            if not self.is_needless(number):
                whole.add(self._results[number])
        return whole


SMALL = 7
"""A reduction to so many pieces, in a position that looks reachable, is good enough; else the next hit is reduced."""


class Reductions:
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
        is_good = best.comes_again and found.pieces <= SMALL and found.implausibility == 0
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

    It comes again, in a position that looks reachable, by its line alone; one that does not has its history.
    """
    line, has_history = reduced.discrepancy.line, bool(reduced.discrepancy.history)
    return (
        not reduced.comes_again,
        reduced.discrepancy.implausibility,
        has_history is reduced.comes_again,
        len(line.moves),
        reduced.discrepancy.pieces,
        str(line),
    )
