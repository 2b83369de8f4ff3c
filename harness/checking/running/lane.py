"""A lane: a thread with engines of its own that works off the cases of a run."""

from __future__ import annotations

import heapq
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ...model.capabilities import CapabilityUse
from ...model.results.events import CaseResult, CaseStarted, Notice
from ...model.shutdown import Interrupted
from .desk import Desk, Item
from .parts import Part
from .plan import Plan

MOST_TOLD = 128
"""Messages that are sent at once, so that the user sees a run go on."""


class AnyLane(Protocol):
    """What works off cases in a thread of its own."""

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

    def start(self) -> None:
        """Begin; the last message is `LaneEnded`."""

    def check_time(self) -> None:
        """End the count under way if it takes too long."""

    def stop(self) -> None:
        """End as soon as that can be."""

    def join(self, timeout: float | None = None) -> None:
        """Wait so long for the end."""

    def is_alive(self) -> bool:
        """Tell whether it has not ended."""

    def close(self) -> None:
        """Free what it holds, once it has ended."""


@dataclass(frozen=True)
class CaseDone:
    """A message of a lane: a case is checked, or as much of it as comes now."""

    number: int
    result: CaseResult
    is_whole: bool = True


@dataclass(frozen=True)
class LaneEnded:
    """The last message of a lane."""

    lane: AnyLane
    error: BaseException | None
    """What ended it, if it could not go on."""


News = Notice | CaseStarted | CaseDone | LaneEnded
"""Messages of the lanes to the thread that runs them."""


@dataclass
class Work:
    """What the lanes have in common: the plan, the cases that are left, and the news."""

    plan: Plan
    parts: list[tuple[tuple[bool, int, int], Part]]
    """A heap of the parts of cases that are left."""
    news: queue.SimpleQueue[Sequence[News]] = field(default_factory=queue.SimpleQueue)
    lock: threading.Lock = field(default_factory=threading.Lock)
    has_ended: bool = False

    @classmethod
    def of(cls, plan: Plan) -> Work:
        """Return the work of a plan."""
        parts = [
            Part.of(number, suite, case, (suite, case.name) in plan.first)
            for number, (suite, case) in enumerate(plan.cases)
        ]
        return cls(plan, sorted((part.order, part) for part in parts))

    def put(self, part: Part) -> None:
        """Add a part of a case. Each case has one at most, so that no two lanes work on it."""
        with self.lock:
            heapq.heappush(self.parts, (part.order, part))

    def next(self, most: int, nodes: int = 0) -> list[Part]:
        """Return the next part, and up to `most` while their counts are small, or have no more leaf nodes together.

        Returns none once there is nothing to do.
        """
        taken: list[Part] = []
        with self.lock:
            while self.parts and not self.has_ended and len(taken) < most:
                part = self.parts[0][1]
                if taken and not _go_together(taken, part, nodes):
                    break
                taken.append(heapq.heappop(self.parts)[1])
        return taken

    def settled(self, part: Part, item: Item, result: CaseResult) -> CaseDone:
        """Take in the result of what came next of a part, and return what there is to tell."""
        if self.plan.fail_fast and result.verdict.is_failure:
            self.has_ended = True  # before anybody takes the next case
        rest = part.rest(item.case, result)
        if rest is not None:
            self.put(rest)
        return CaseDone(part.number, result, is_whole=rest is None)

    def tell(self, *news: News) -> None:
        """Send messages, all at once: to wake the thread that waits for them takes longer than to read one."""
        self.news.put(news)


def _go_together(taken: Sequence[Part], part: Part, nodes: int) -> bool:
    """Tell whether a part may join others: all are small, or have no more leaf nodes together."""
    if taken[0].is_small and part.is_small:
        return True
    return nodes > 0 and sum(one.nodes for one in taken) + part.nodes <= nodes


class _Batch(NamedTuple):
    """Parts, and what comes next of each."""

    parts: Sequence[Part]
    items: Sequence[Item]


_NO_PARTS = _Batch((), ())


class Lane(threading.Thread):
    """Works off cases one after another, until none is left or it is stopped."""

    def __init__(self, work: Work) -> None:
        super().__init__(daemon=True, name="engine lane")
        self._work = work
        self._desk = Desk(work.plan.asking, self._tell)

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""
        return self._desk.names

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way."""
        return self._desk.nodes

    @property
    def asked(self) -> str:
        """What the engine is asked now."""
        return self._desk.caller.asked

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""
        return self._desk.use

    def run(self) -> None:
        """Work off cases. A failure of ours is told as well: a lane that ends in silence would leave its cases out."""
        error: BaseException | None = None
        try:
            self._desk.start()
            batch = self._begun()
            while batch.parts:
                # Large counts are left to other lanes.
                following = self._begun() if len(batch.parts) > 1 else _NO_PARTS
                self._check_all(batch)
                batch = following if following.parts else self._begun()
        except Interrupted:
            pass
        except BaseException as failure:
            error = failure
        finally:
            self._work.tell(LaneEnded(self, error))

    def check_time(self) -> None:
        """End the count under way if it takes too long."""
        self._desk.caller.task.enforce_deadline()

    def stop(self) -> None:
        """End as soon as that can be."""
        self._desk.caller.stop()

    def close(self) -> None:
        """Close the engines, once the lane has ended."""
        self._desk.close()

    def _begun(self) -> _Batch:
        """Return the next parts, about which the engine is asked ahead if it can be; none at the end."""
        parts = self._work.next(self._desk.most)
        batch = _Batch(parts, [Item.of(part) for part in parts])
        if parts:
            self._desk.begin(batch.items)
        return batch

    def _check_all(self, batch: _Batch) -> None:
        """Check parts, and tell many at once of those whose counts are known ahead."""
        told: list[News] = [_started(batch.parts[0])]
        self._tell_all(told)
        try:
            for part, item, ahead in zip(*batch, self._desk.ahead(batch.items), strict=True):
                if self._work.has_ended:
                    break
                if not ahead.seconds and part is not batch.parts[0]:  # this one takes its time
                    told.append(_started(part))
                    self._tell_all(told)
                told.append(self._work.settled(part, item, self._desk.result(item, ahead)))
                if len(told) >= MOST_TOLD:
                    self._tell_all(told)
        finally:
            self._tell_all(told)

    def _tell_all(self, told: list[News]) -> None:
        """Send messages that are kept, and forget them."""
        self._work.tell(*told)
        told.clear()

    def _tell(self, line: str) -> None:
        self._work.tell(Notice(line))


def _started(part: Part) -> CaseStarted:
    return CaseStarted(part.case.name, part.suite)


OpensLanes = Callable[[Work], Sequence[AnyLane]]


def lanes_here(work: Work) -> Sequence[AnyLane]:
    """Return the lanes of a run on this machine, as many as its plan says, if there are cases for them."""
    return [Lane(work) for _ in range(max(1, min(work.plan.jobs, len(work.parts))))]
