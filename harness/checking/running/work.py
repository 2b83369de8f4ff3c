"""What the workers of a run have in common: the cases that are left, the results, and the news."""

from __future__ import annotations

import heapq
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import repeat
from typing import NamedTuple, Protocol, cast

from ....paged import Pages, in_pages
from ...model.capabilities import CapabilityUse
from ...model.results.events import CaseResult, CaseStarted, Notice
from ...model.results.verdict import Verdict
from .parts import CasePart, complete, mark_unfinished, not_begun
from .plan import RunPlan


class CaseWorker(Protocol):
    """What works off cases, in a thread that the run gives it."""

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way, where that is known."""

    @property
    def asked(self) -> str:
        """What the engine is asked now."""

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""

    def work_off(self) -> None:
        """Work off cases until none is left, or it is stopped. Raises what keeps it from going on, Interrupted."""

    def check_time(self) -> None:
        """End the count under way if it takes too long."""

    def stop(self) -> None:
        """End as soon as that can be."""

    def close(self) -> None:
        """Free what it holds, once it has ended."""


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

    worker: CaseWorker
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
        positions = len(plan.outline.digits)
        self._results: Pages[CaseResult | None] = Pages(repeat(None, positions))
        """By the place of the case; None where it was not begun."""
        self._stages = bytearray(repeat(Stage.NOT_BEGUN, positions))
        self._lock = threading.Lock()
        self._waiting: dict[_Priority, list[int]] = {}
        """The cases that are left, by what comes first: the places of each priority, as a heap."""
        for number, digits in enumerate(plan.outline.digits):
            self._put(digits, number)

    @property
    def left(self) -> int:
        """How many cases nobody has taken."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def next(self, most: int, nodes: int = 0) -> list[CasePart]:
        """Return the next part, and up to `most` while their counts are small, or have no more leaf nodes together.

        No two workers get parts of one case. Returns none once there is nothing to do.
        """
        taken: list[CasePart] = []
        with self._lock:
            while self._waiting and not self.has_ended and len(taken) < most:
                priority = min(self._waiting)
                numbers = self._waiting[priority]
                part = self._part(numbers[0], priority.digits)
                if taken and not _go_together(taken, part, nodes):
                    break
                taken.append(part)
                heapq.heappop(numbers)
                if not numbers:
                    del self._waiting[priority]
        return taken

    def settle(self, part: CasePart, result: CaseResult) -> CaseDone:
        """Take in the result of a part, and return what there is to tell."""
        if self.plan.fail_fast and result.verdict.is_failure:
            self.has_ended = True  # before anybody takes the next case
        nodes = result.nodes - (part.before.nodes if part.before else 0)
        is_whole = part.is_last(result)
        with self._lock:
            if part.rest is not None and not is_whole:
                self._put(part.rest, part.number)
            elif part.rest is not None or result.verdict is not Verdict.AGREE:
                result = complete(result, self.plan.case(part.number)[1])
            self._results[part.number] = result
            self._stages[part.number] = Stage.WHOLE if is_whole else Stage.BEGUN
        return CaseDone(result, nodes, is_whole)

    def end(self) -> tuple[Sequence[CaseResult], Sequence[CaseResult]]:
        """Hand out no more cases; return the results of those that were begun, and of those that were not."""
        self.has_ended = True
        with self._lock:
            for number in self._in(Stage.BEGUN):
                result = self._results[number]
                assert result is not None
                self._results[number] = complete(mark_unfinished(result), self.plan.case(number)[1])
            left = in_pages(not_begun(*self.plan.case(number)) for number in self._in(Stage.NOT_BEGUN))
            return in_pages(filter(None, self._results) if left else cast(Pages[CaseResult], self._results)), left

    def tell(self, *news: News) -> None:
        """Send messages, all at once: to wake the thread that waits for them takes longer than to read one."""
        self.news.put(news)

    def _in(self, stage: Stage) -> Iterator[int]:
        """Yield the places of the cases in a stage."""
        return (number for number, one in enumerate(self._stages) if one == stage)

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


def _go_together(taken: Sequence[CasePart], part: CasePart, nodes: int) -> bool:
    """Tell whether a part may join others: all are small, or have no more leaf nodes together."""
    if taken[0].is_small and part.is_small:
        return True
    return nodes > 0 and sum(one.case.nodes for one in taken) + part.case.nodes <= nodes
