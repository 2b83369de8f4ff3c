"""A fuzzing run: batches, then reductions, told as a stream of events.

Batches and reductions go to processes in any order, and are put together in their own, so that the
report depends on the seed alone, not on how many processes there were or which was faster.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator

from ... import __version__
from ...generator.reachability.labels import is_impossible
from ..engines.base import EngineError
from ..model.events import Notice
from ..model.shutdown import Interrupt
from .batch import BatchResult, Signature
from .building import build_examiner
from .checks.base import line_of
from .model import Fault, FaultSeen, Find, FuzzEvent, FuzzFinished, FuzzProgress, FuzzStarted
from .plan import Plan
from .processes.pool import Pool
from .processes.worker import Answer, Draw, Drawn, Examined, Reduce, Reduced, Started, Waiting
from .replaying import replay_command

SMALL = 7
"""A find reduced to so few pieces is good enough; else the next find of its kind is reduced, too."""
PATIENCE_SECONDS = 3.0
"""How long jobs may take to end once they are asked to, and reductions once the user has asked to stop."""

Store = Callable[[Fault, int], None]
"""Given each reduced fault, and the depth at which its place shows it."""


def fuzz(plan: Plan, interrupt: Interrupt, store: Store = lambda _fault, _depth: None) -> Iterator[FuzzEvent]:
    """Run a plan: first `FuzzStarted`, last `FuzzFinished`. `store` keeps what is found.

    Raises UsageError, EngineError where an engine cannot be opened or started.
    """
    started = FuzzStarted(
        version=__version__,
        engine=plan.engine,
        references=plan.references,
        checks=build_examiner(plan).checks,
        seed=plan.seed,
        strategies=tuple(dict.fromkeys(turn.name for turn in plan.turns)),
        examples=plan.examples,
        possible_events=plan.possible_events,
    )
    yield started
    yield from _Campaign(plan, interrupt, store).run(started)


class _Campaign:
    def __init__(self, plan: Plan, interrupt: Interrupt, store: Store) -> None:
        self._plan, self._interrupt, self._store = plan, interrupt, store
        self._began = time.monotonic()
        self._pool = Pool(plan)
        self._results: dict[int, BatchResult] = {}
        """By the number of the batch; of one that is not done, what its process has told so far."""
        self._seen: set[Signature] = set()
        self._next = 0
        self._drawing_since: float | None = None
        """When the first process was ready; the time of the plan counts from there."""
        self._failure = ""
        """What was wrong with the first process that could not go on."""
        self._last: int | None = None
        """The first batch that has ended the run: by a find with --fail-fast, or by too many timeouts."""

    def run(self, started: FuzzStarted) -> Iterator[FuzzEvent]:
        try:
            yield from self._draw()
            whole = self._merged()
            finds = yield from self._reduce(whole)
        finally:
            self._pool.close()
        yield FuzzFinished(
            started,
            finds,
            whole.coverage(),
            time.monotonic() - self._began,
            interrupted=self._interrupt.requested,
            is_cut_short=whole.is_cut_short,
            failure=self._failure,
        )

    def _draw(self) -> Iterator[FuzzEvent]:
        """Give out batches until there are no more, or until time or the user says so."""
        stopped: float | None = None
        while True:
            for member in self._pool.idle if stopped is None else ():
                if self._has_more():
                    member.give(Draw(self._next))
                    self._next += 1
            if not self._pool.busy:
                return
            for answer in self._answers():
                yield from self._heard(answer)
            yield self._progress("fuzzing")
            if stopped is None and self._is_over():
                stopped = time.monotonic()
                self._pool.stop()
            elif stopped is not None and (self._drawing_since is None or time.monotonic() - stopped > PATIENCE_SECONDS):
                return

    def _answers(self) -> Iterator[Answer]:
        """Yield the answers that come within a moment. Raises EngineError only if there is no find to be told."""
        try:
            for _, answer in self._pool.answers():
                yield answer
        except EngineError as failure:
            if not self._seen:
                raise
            self._failure = self._failure or str(failure)

    def _has_more(self) -> bool:
        return self._plan.size(self._next) > 0 and (self._last is None or self._next < self._last)

    def _is_over(self) -> bool:
        if self._interrupt.requested or self._failure:
            return True
        seconds = self._plan.seconds
        if seconds is None or self._drawing_since is None:
            return False
        return time.monotonic() - self._drawing_since > seconds

    def _heard(self, answer: Answer) -> Iterator[FuzzEvent]:
        if isinstance(answer, Waiting):
            yield Notice(answer.notice)
        elif isinstance(answer, Started):
            self._drawing_since = self._drawing_since or time.monotonic()
        elif isinstance(answer, Examined):
            self._told(answer)
            for hit in answer.new:
                if hit.fault.signature not in self._seen:
                    self._seen.add(hit.fault.signature)
                    yield FaultSeen(hit)
        elif isinstance(answer, Drawn):
            self._drawn(answer.result)

    def _told(self, answer: Examined) -> None:
        """Note how far a batch is: nothing else is known of it if its process dies."""
        partial = self._results.setdefault(answer.batch, BatchResult(answer.batch))
        partial.strategies[self._plan.turn(answer.batch).name] = answer.examples
        for hit in answer.new:
            signature = hit.fault.signature
            partial.hits[signature], partial.first[signature], partial.times[signature] = [hit], hit, 1

    def _drawn(self, result: BatchResult) -> None:
        self._results[result.number] = result
        is_last = result.is_cut_short or (self._plan.fail_fast and result.first)
        if is_last and (self._last is None or result.number < self._last):
            self._last = result.number
            for member in self._pool.busy:
                if isinstance(member.job, Draw) and member.job.batch > result.number:
                    member.stop()

    def _merged(self) -> BatchResult:
        """Return all batches as one, in their order."""
        whole = BatchResult(0)
        for number in sorted(self._results):
            if self._last is None or number <= self._last:
                whole.add(self._results[number])
        return whole

    def _reduce(self, whole: BatchResult) -> Generator[FuzzEvent, None, tuple[Find, ...]]:
        """Reduce the simplest find of each kind; where it stays large, the next ones, too.

        A find whose reduction is lost, because there is no time or its process has died, is told as it is.
        """
        waiting = {signature: list(hits) for signature, hits in sorted(whole.hits.items())}
        best: dict[Signature, Reduced] = {}
        finds: dict[Signature, Find] = {}
        deadline: float | None = None
        queue = list(waiting)
        while self._pool.members and (queue or any(isinstance(member.job, Reduce) for member in self._pool.busy)):
            for member in self._pool.idle if deadline is None or time.monotonic() < deadline else ():
                if queue:
                    member.give(Reduce(waiting[queue.pop(0)].pop(0)))
            for answer in self._answers():
                if not isinstance(answer, Reduced):
                    continue
                signature = answer.hit.fault.signature
                best[signature] = min(best.get(signature, answer), answer, key=_size)
                if waiting[signature] and best[signature].fault.place.pieces > SMALL:
                    queue.insert(0, signature)
                else:
                    finds[signature] = self._found(best[signature], whole)
            yield self._progress("reducing")
            if deadline is None and self._interrupt.requested:
                deadline = time.monotonic() + PATIENCE_SECONDS
            elif deadline is not None and time.monotonic() > deadline:
                self._pool.stop()
                if time.monotonic() > deadline + PATIENCE_SECONDS:
                    break
                queue.clear()
        for signature, hits in whole.hits.items():
            if signature not in finds:
                answer = best.get(signature) or Reduced(hits[0], hits[0].fault, self._plan.depth, comes_again=True)
                finds[signature] = self._found(answer, whole)
        return tuple(sorted(finds.values(), key=lambda find: (find.pieces, find.fault.name, str(find.fault.place))))

    def _found(self, reduced: Reduced, whole: BatchResult) -> Find:
        signature = reduced.hit.fault.signature
        self._store(reduced.fault, reduced.depth)
        return Find(
            fault=reduced.fault,
            first=whole.first[signature],
            times=whole.times[signature],
            pieces_before=reduced.hit.fault.place.pieces,
            replay=replay_command(self._plan, reduced.fault, reduced.depth),
            comes_again=reduced.comes_again,
            is_impossible=is_impossible(line_of(reduced.fault.place).base),
        )

    def _progress(self, doing: str) -> FuzzProgress:
        examples = sum(result.examples for result in self._results.values())
        return FuzzProgress(examples, time.monotonic() - self._began, len(self._seen), doing)


def _size(reduced: Reduced) -> tuple[int, int, str]:
    place = reduced.fault.place
    return len(place.moves), place.pieces, str(place)
