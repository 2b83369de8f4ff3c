"""A lane: a thread with engines of its own that works off the cases of a run."""

from __future__ import annotations

import heapq
import queue
import threading
from dataclasses import dataclass, field

from ...engines.asker import Caller
from ...model.results.events import CaseResult, CaseStarted, Notice
from ...model.shutdown import Interrupted
from .engines import Engines
from .parts import Part
from .plan import Plan


@dataclass(frozen=True)
class CaseDone:
    """A message of a lane: a case is checked, or as much of it as comes now."""

    number: int
    result: CaseResult
    is_whole: bool = True


@dataclass(frozen=True)
class LaneEnded:
    """The last message of a lane."""

    lane: Lane
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
    news: queue.SimpleQueue[News] = field(default_factory=queue.SimpleQueue)
    lock: threading.Lock = field(default_factory=threading.Lock)
    has_ended: bool = False

    @classmethod
    def of(cls, plan: Plan) -> Work:
        """Return the work of a plan."""
        work = cls(plan, [])
        for number, (suite, case) in enumerate(plan.cases):
            work.put(Part(number, suite, case, is_first=(suite, case.name) in plan.first))
        return work

    def put(self, part: Part) -> None:
        """Add a part of a case. Each case has one at most, so that no two lanes work on it."""
        with self.lock:
            heapq.heappush(self.parts, (part.order, part))

    def next(self) -> Part | None:
        """Return the next part, or None once there is nothing more to do."""
        with self.lock:
            return None if self.has_ended or not self.parts else heapq.heappop(self.parts)[1]


class Lane(threading.Thread):
    """Works off cases one after another, until none is left or it is stopped."""

    def __init__(self, work: Work) -> None:
        super().__init__(daemon=True, name="engine lane")
        self._work = work
        self.caller = Caller()
        """Carries out the lane's questions, one at a time."""
        self._engines = Engines(work.plan, self.caller, self._tell)

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""
        return self._engines.names

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way."""
        return self.caller.task.nodes if self._engines.checker.is_counting else 0

    def run(self) -> None:
        """Work off cases. A failure of ours is told as well: a lane that ends in silence would leave its cases out."""
        error: BaseException | None = None
        try:
            self._engines.start()
            while (part := self._work.next()) is not None:
                self._check(part)
        except Interrupted:
            pass
        except BaseException as failure:
            error = failure
        finally:
            self._work.news.put(LaneEnded(self, error))

    def close(self) -> None:
        """Close the engines."""
        self._engines.close()

    def _check(self, part: Part) -> None:
        self._work.news.put(CaseStarted(part.case.name, part.suite))
        result = self._engines.checker.check(part.now, part.suite, part.before)
        if self._work.plan.fail_fast and result.verdict.is_failure:
            self._work.has_ended = True  # before this lane takes the next case
        rest = part.rest(result)
        if rest is not None:
            self._work.put(rest)
        self._work.news.put(CaseDone(part.number, result, is_whole=rest is None))

    def _tell(self, line: str) -> None:
        self._work.news.put(Notice(line))
