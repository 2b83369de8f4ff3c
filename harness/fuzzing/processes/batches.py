"""The batches of a run: which is drawn next, and what all of them have found, in the order of their numbers.

Processes finish batches in any order. Sorted by number, the results depend on the seed alone.
"""

from __future__ import annotations

from ..ahead.batch import name_of
from ..batch import BatchResult
from ..model import Hit, Signature
from ..plan import LARGEST_BATCH, SMALLEST_BATCH, Plan, Share
from .messages import Draw, Examined

CAREFUL_AT_FIRST = 8
"""Where the engine is asked ahead, so many batches are careful before that.

By then the first process has told whether the engine can be asked ahead.
"""
AHEAD_AT_FIRST, CAREFUL_BETWEEN = (250, 1_000, 4_000, 16_000, 64_000), 40
"""Examples of the batches asked ahead that come then, and of a careful one after each of them.

A slow engine is thus asked as carefully as a fast one, in as much time.
"""
CAREFUL_ONE_IN = 11
"""One batch in so many is careful after those."""
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


class Batches:
    """All batches of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.is_ahead: bool | None = None if plan.may_ask_ahead else False
        """Whether the engine can be asked ahead; None as long as no process has started it."""
        self._next = Share(0, 0, 0)
        self._ahead: dict[int, Share] = {}
        """Those given out that are asked ahead, by number."""
        self._results: dict[int, BatchResult] = {}
        """Results by batch; of a batch that is not done, what its process has told so far."""
        self._last: int | None = None
        """The first batch that has ended the run: by a discrepancy with --fail-fast, or by too many timeouts."""
        self.seen: set[Signature] = set()
        """The signatures found so far."""

    @property
    def were_ahead(self) -> bool:
        """Whether any batch given out is asked ahead."""
        return bool(self._ahead)

    @property
    def examples(self) -> int:
        """Number of examples examined so far."""
        return sum(result.examples for result in self._results.values())

    def next(self) -> Draw | None:
        """Return the next batch to be drawn, or None if there is none, or none yet."""
        share = self._share()
        if share is None or share.size == 0 or self.is_needless(share.number):
            return None
        self._next = Share(share.number + 1, share.first + share.size, 0)
        if share.is_ahead:
            self._ahead[share.number] = share
        return Draw(share)

    def _share(self) -> Share | None:
        """Return what the next batch is, None if that is not known yet."""
        number, first = self._next.number, self._next.first
        if not self._plan.may_ask_ahead:
            return self._plan.share(number)
        if self.is_ahead is None and number >= CAREFUL_AT_FIRST:
            return None
        is_ahead, size = self._mixed(number, first) if self.is_ahead is not False else (False, LARGEST_BATCH)
        left = size if self._plan.examples is None else self._plan.examples - first
        return Share(number, first, min(size, left), is_ahead)

    def _mixed(self, number: int, first: int) -> tuple[bool, int]:
        """Return whether a batch is asked ahead, of an engine that can be asked so, and how many examples it has."""
        turn, is_careful = divmod(number - CAREFUL_AT_FIRST, 2)
        if turn < 0:
            return False, SMALLEST_BATCH
        if turn < len(AHEAD_AT_FIRST):
            return (False, CAREFUL_BETWEEN) if is_careful else (True, AHEAD_AT_FIRST[turn])
        since = number - CAREFUL_AT_FIRST - 2 * len(AHEAD_AT_FIRST)
        if since % CAREFUL_ONE_IN == CAREFUL_ONE_IN - 1:
            return False, SMALLEST_BATCH
        return True, ahead_size(first, self._plan.examples)

    def is_needless(self, batch: int) -> bool:
        """Tell whether a batch comes after the one that has ended the run."""
        return self._last is not None and batch > self._last

    def note(self, progress: Examined) -> list[Hit]:
        """Keep what a process tells of its batch, in case it dies; return the hits with signatures new to the run."""
        partial = self._results.setdefault(progress.batch, BatchResult(progress.batch))
        partial.strategies[self._strategy(progress.batch)] = progress.examples
        fresh = []
        for hit in progress.new:
            partial.note(hit)
            if hit.discrepancy.signature not in self.seen:
                self.seen.add(hit.discrepancy.signature)
                fresh.append(hit)
        return fresh

    def _strategy(self, batch: int) -> str:
        share = self._ahead.get(batch)
        return self._plan.turn(batch).name if share is None else name_of(self._plan, share)

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
