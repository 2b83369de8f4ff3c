"""A lane: a thread with engines of its own that works off the cases of a run."""

from __future__ import annotations

import heapq
import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ....suites.case import Case
from ...engines.ahead import NotAhead, asks_ahead
from ...engines.asker import Caller
from ...model.results.events import CaseResult, CaseStarted, Notice
from ...model.shutdown import Interrupted
from .ahead import Ahead, AsksCases, OneByOne, Together, counts_together, pays
from .engines import Engines
from .parts import Part
from .plan import Plan

MOST_TOLD = 128
"""Messages that are sent at once, so that the user sees a run go on."""


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
    news: queue.SimpleQueue[Sequence[News]] = field(default_factory=queue.SimpleQueue)
    lock: threading.Lock = field(default_factory=threading.Lock)
    has_ended: bool = False

    @classmethod
    def of(cls, plan: Plan) -> Work:
        """Return the work of a plan."""
        cases = enumerate(plan.cases)
        parts = [
            Part(number, suite, case, is_first=(suite, case.name) in plan.first) for number, (suite, case) in cases
        ]
        return cls(plan, sorted((part.order, part) for part in parts))

    def put(self, part: Part) -> None:
        """Add a part of a case. Each case has one at most, so that no two lanes work on it."""
        with self.lock:
            heapq.heappush(self.parts, (part.order, part))

    def next(self, most: int) -> list[Part]:
        """Return the next part, and up to `most` while their counts are small; none once there is nothing to do."""
        taken: list[Part] = []
        with self.lock:
            while self.parts and not self.has_ended and len(taken) < most:
                if taken and not (taken[0].is_small and self.parts[0][1].is_small):
                    break
                taken.append(heapq.heappop(self.parts)[1])
        return taken

    def tell(self, *news: News) -> None:
        """Send messages, all at once: to wake the thread that waits for them takes longer than to read one."""
        self.news.put(news)


class _Batch(NamedTuple):
    """Parts, and the cases that they are now."""

    parts: Sequence[Part]
    cases: Sequence[Case]


_NO_PARTS = _Batch((), ())


class Lane(threading.Thread):
    """Works off cases one after another, until none is left or it is stopped."""

    def __init__(self, work: Work) -> None:
        super().__init__(daemon=True, name="engine lane")
        self._work = work
        self.caller = Caller()
        """Carries out the lane's questions, one at a time."""
        self._engines = Engines(work.plan, self.caller, self._tell)
        self._ahead: AsksCases = OneByOne()

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
            self._ahead = self._opened_ahead()
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

    def close(self) -> None:
        """Close the engines."""
        self._ahead.close()
        self._engines.close()

    def _opened_ahead(self) -> AsksCases:
        """Return how the engine, which has been started, is asked ahead. Raises Interrupted."""
        engine, plan = self._engines.engine, self._work.plan
        if not pays(plan):
            return OneByOne()
        if counts_together(engine):
            return Together(engine)
        kind = engine.engine
        if not asks_ahead(kind):
            return OneByOne()
        from .streamed import Streamed

        try:
            return Streamed(engine, kind, self._engines.checker.note, self._tell)
        except NotAhead as reason:
            self._tell(f"{engine.name} is asked one question at a time: {reason}")
            return OneByOne()

    def _begun(self) -> _Batch:
        """Return the next parts, about which the engine is asked ahead if it can be; none at the end."""
        parts = self._work.next(self._ahead.most)
        batch = _Batch(parts, [part.now for part in parts])
        if parts:
            self._ahead.begin(batch.cases)
        return batch

    def _check_all(self, batch: _Batch) -> None:
        """Check parts, and tell many at once of those whose counts are known ahead."""
        told: list[News] = [_started(batch.parts[0])]
        self._tell_all(told)
        try:
            answers = self._ahead.answers(batch.cases)
            for part, case, ahead in zip(*batch, answers, strict=True):
                if self._work.has_ended:
                    break
                if not ahead.seconds and part is not batch.parts[0]:  # this one takes its time
                    told.append(_started(part))
                    self._tell_all(told)
                told.append(self._checked(part, case, ahead))
                if len(told) >= MOST_TOLD:
                    self._tell_all(told)
        finally:
            self._tell_all(told)

    def _checked(self, part: Part, case: Case, ahead: Ahead) -> CaseDone:
        result = self._engines.checker.check(case, part.suite, part.before, ahead)
        if self._work.plan.fail_fast and result.verdict.is_failure:
            self._work.has_ended = True  # before this lane takes the next case
        rest = part.rest(case, result)
        if rest is not None:
            self._work.put(rest)
        return CaseDone(part.number, result, is_whole=rest is None)

    def _tell_all(self, told: list[News]) -> None:
        """Send messages that are kept, and forget them."""
        self._work.tell(*told)
        told.clear()

    def _tell(self, line: str) -> None:
        self._work.tell(Notice(line))


def _started(part: Part) -> CaseStarted:
    return CaseStarted(part.case.name, part.suite)
