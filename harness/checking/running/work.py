"""What the workers of a run have in common: the cases that are left, the results, and the news."""

from __future__ import annotations

import heapq
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import repeat
from typing import NamedTuple

from ...model.results.events import CaseResult, CaseStarted, Notice
from ...model.results.verdict import Verdict
from ...model.shutdown import POLL_SECONDS
from .checker import Checker
from .failures import FailureQueue, Judgment, PartOutcome, Place, UnjudgedFailure
from .known_causes import KnownFaults
from .pace import Left, Pace
from .parts import CasePart, complete, mark_unfinished, not_begun
from .plan import RunPlan


@dataclass(frozen=True)
class CaseDone:
    """A message of a worker: a case is checked, or as much of it as comes now."""

    result: CaseResult
    nodes: int
    """Leaf nodes of the counts that were made now."""
    is_whole: bool = True


@dataclass(frozen=True)
class WorkerEnded:
    """The last message from the thread of a worker."""

    worker: Checker
    error: BaseException | None
    """What ended it, if it could not go on."""


News = Notice | CaseStarted | CaseDone | WorkerEnded
"""Messages of the workers to the thread that runs them."""


class Stage(IntEnum):
    """How much of a case is done."""

    NOT_BEGUN = 0
    BEGUN = 1
    """Larger counts are to come."""
    WHOLE = 2


class Work:
    """The plan of a run, the cases that are left, the results, and the news."""

    def __init__(self, plan: RunPlan) -> None:
        self.plan = plan
        self.news: queue.SimpleQueue[Sequence[News]] = queue.SimpleQueue()
        self.has_ended = False
        self.pace = Pace()
        """How fast the engine answers."""
        positions = len(plan.outline.digits)
        self._results: list[CaseResult | None] = [None] * positions
        """By the place of the case; None where it was not begun."""
        self._stages = bytearray(repeat(Stage.NOT_BEGUN, positions))
        self._changed = threading.Condition()
        """Notified when parts are put back, or none is under way any more."""
        self._waiting: dict[_Priority, list[int]] = {}
        """The cases that are left, by what comes first: the places of each priority, as a heap."""
        self._under_way: set[Place] = set()
        """The parts that workers have taken."""
        self._taken: list[Place] = []
        """All parts that were taken, as a heap; the first are those that came before all that are under way."""
        self._failures = FailureQueue(plan.explain)
        for number, digits in enumerate(plan.outline.digits):
            self._put(digits, number)

    @property
    def left(self) -> int:
        """How many cases no worker has taken."""
        with self._changed:
            return sum(map(len, self._waiting.values()))

    @property
    def known(self) -> KnownFaults:
        """What is known of the faults of the engine."""
        return self._failures.known

    def wait_for_next(self) -> CasePart | None:
        """Return the next part, once there is one; None at the end. The caller has none under way.

        No two workers get parts of one case.
        """
        with self._changed:
            while (part := self._take()) is None and self._under_way and not self.has_ended:
                self._changed.wait(POLL_SECONDS)
            return part

    def settle(self, part: CasePart, outcome: PartOutcome) -> list[CaseDone]:
        """Take in what came of a part, and return what there is to tell.

        A failure has to be judged first. If the run ends at the first failure, all waits for what comes before it.
        """
        with self._changed:
            place = self._place(part)
            self._under_way.discard(place)
            if not self._under_way:
                self._changed.notify_all()
            if isinstance(outcome, CaseResult) and not self.plan.fail_fast:
                done = [self._commit(part, outcome)]
            else:
                self._failures.add(place, part, outcome)
                done = []
            return done + self._commit_ready() if self._failures else done

    def next_failure(self) -> UnjudgedFailure | None:
        """Return the failure to be judged next; None where there is none now."""
        if self.has_ended or not self._failures:
            return None
        with self._changed:
            return self._failures.next(self._first_open())

    def settle_failure(self, failure: UnjudgedFailure, judgment: Judgment) -> list[CaseDone]:
        """Take in how a failure was judged, and return what there is to tell."""
        with self._changed:
            self._failures.judge(failure, judgment)
            return self._commit_ready()

    def settle_rest(self) -> list[CaseDone]:
        """Hand out no more cases; return what there is to tell of those whose turn has not come."""
        self.has_ended = True
        with self._changed:
            return [self._commit(part, result) for part, result in self._failures.pop_all()]

    def end(self) -> tuple[Sequence[CaseResult], Sequence[CaseResult]]:
        """Return the results of the cases that were begun, and of those that were not; call `settle_rest` before."""
        with self._changed:
            for number in self._in(Stage.BEGUN):
                result = self._results[number]
                assert result is not None
                self._results[number] = complete(mark_unfinished(result), self.plan.case(number)[1])
            left = tuple(not_begun(*self.plan.case(number)) for number in self._in(Stage.NOT_BEGUN))
            return tuple(filter(None, self._results)), left

    def rest(self, *, chess960: bool) -> Left:
        """Return what the engine is still asked, given whether it is asked about Chess960."""
        questions = nodes = 0
        with self._changed:
            for number in range(len(self._stages)):
                if self._stages[number] == Stage.WHOLE:
                    continue
                case, result = self.plan.case(number)[1], self._results[number]
                if chess960 or not case.position.chess960:
                    counts = case.counts[0 if result is None else len(result.counts) :]
                    questions += len(counts)
                    nodes += sum(count for _, count in counts)
        return Left(questions, nodes)

    def tell(self, *news: News) -> None:
        """Send messages, all at once: to wake the thread that waits for them takes longer than to read one."""
        self.news.put(news)

    def _in(self, stage: Stage) -> Iterator[int]:
        """Yield the places of the cases in a stage."""
        return (number for number, one in enumerate(self._stages) if one == stage)

    def _take(self) -> CasePart | None:
        if not self._waiting or self.has_ended:
            return None
        priority = min(self._waiting)
        numbers = self._waiting[priority]
        place = *priority, numbers[0]
        end = self._failures.first if self.plan.fail_fast else None
        if end is not None and place > end:
            return None
        part = self._part(heapq.heappop(numbers), priority.digits)
        if not numbers:
            del self._waiting[priority]
        self._under_way.add(place)
        heapq.heappush(self._taken, place)
        return part

    def _commit_ready(self) -> list[CaseDone]:
        """Settle all whose turn has come."""
        done = []
        for part, result in self._failures.pop_before(self._first_open()):
            done.append(self._commit(part, result))
            if self.has_ended:
                break
        return done

    def _first_open(self) -> Place | None:
        """Return the place of the first part that is not counted, None where there is none."""
        while self._taken and self._taken[0] not in self._under_way:
            heapq.heappop(self._taken)
        first = self._taken[:1]
        if self._waiting:
            priority = min(self._waiting)
            first.append((*priority, self._waiting[priority][0]))
        return min(first, default=None)

    def _commit(self, part: CasePart, result: CaseResult) -> CaseDone:
        """Make a result the one of its case, and return what there is to tell."""
        nodes = result.nodes - (part.before.nodes if part.before else 0)
        is_whole = part.is_last(result)
        if part.rest is not None and not is_whole:
            self._put(part.rest, part.number)
            self._changed.notify_all()
        elif part.rest is not None or result.verdict is not Verdict.AGREE:
            result = complete(result, self.plan.case(part.number)[1])
        self._results[part.number] = result
        self._stages[part.number] = Stage.WHOLE if is_whole else Stage.BEGUN
        if self.plan.fail_fast and result.verdict.is_failure:
            self.has_ended = True  # before another worker takes the next case
            self._failures.drop()
        return CaseDone(result, nodes, is_whole)

    def _place(self, part: CasePart) -> Place:
        return part.number not in self.plan.outline.first, part.digits, part.number

    def _put(self, digits: int, number: int) -> None:
        priority = _Priority(number not in self.plan.outline.first, digits)
        heapq.heappush(self._waiting.setdefault(priority, []), number)

    def _part(self, number: int, digits: int) -> CasePart:
        suite, case = self.plan.case(number)
        return CasePart.of(number, suite, case, digits, self._results[number])


class _Priority(NamedTuple):
    """What comes first among the cases: the least."""

    is_later: bool
    """Whether it comes after the cases that go before all others."""
    digits: int
    """The magnitude of its next counts."""
