"""A thread with engines of its own that checks the cases of a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from ...model.capabilities import CapabilityUse
from ...model.results.events import CaseStarted, Notice
from ...model.shutdown import Interrupted
from .checker import Checker
from .parts import CasePart
from .work import CaseWorker, News, Work, WorkerEnded

MOST_TOLD = 128
"""Messages that are sent at once, so that the user sees a run go on."""


class WorkerThread(threading.Thread):
    """Works off cases one after another, until none is left or it is stopped."""

    def __init__(self, work: Work) -> None:
        super().__init__(daemon=True, name="engine worker")
        self._work = work
        self._checker = Checker(work.plan.engine_setup, self._tell)

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""
        return self._checker.names

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way."""
        return self._checker.nodes

    @property
    def asked(self) -> str:
        """What the engine is asked now."""
        return self._checker.runner.asked

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""
        return self._checker.engine.use

    def run(self) -> None:
        """Check cases. A failure of ours is told as well: a worker that ends in silence would leave its cases out."""
        error: BaseException | None = None
        try:
            self._checker.start()
            parts = self._begin_next()
            while parts:
                # Large counts are left to other workers.
                following = self._begin_next() if len(parts) > 1 else []
                self._check_all(parts)
                parts = following or self._begin_next()
        except Interrupted:
            pass
        except BaseException as failure:
            error = failure
        finally:
            self._work.tell(WorkerEnded(self, error))

    def check_time(self) -> None:
        """End the count under way if it takes too long."""
        self._checker.runner.task.enforce_deadline()

    def stop(self) -> None:
        """End as soon as that can be."""
        self._checker.runner.stop()

    def close(self) -> None:
        """Close the engines, once the thread has ended."""
        self._checker.close()

    def _begin_next(self) -> Sequence[CasePart]:
        """Return the next parts, about which the engine is asked ahead if it can be; none at the end."""
        parts = self._work.next(self._checker.most)
        if parts:
            self._checker.begin(parts)
        return parts

    def _check_all(self, parts: Sequence[CasePart]) -> None:
        """Check parts, and tell many at once of those whose counts are known ahead."""
        told: list[News] = [_announce(parts[0])]
        self._tell_all(told)
        try:
            for part, ahead in zip(parts, self._checker.ahead(parts), strict=True):
                if self._work.has_ended:
                    break
                if not ahead.seconds and part is not parts[0]:  # this one takes its time
                    told.append(_announce(part))
                    self._tell_all(told)
                told.append(self._work.settle(part, self._checker.check(part, ahead)))
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


def _announce(part: CasePart) -> CaseStarted:
    return CaseStarted(part.case.name, part.suite)


OpensWorkers = Callable[[Work], Sequence[CaseWorker]]


def local_workers(work: Work) -> Sequence[CaseWorker]:
    """Return the threads of this machine that check the cases: as many as the plan says, or as there are cases."""
    return [WorkerThread(work) for _ in range(max(1, min(work.plan.jobs, work.left)))]
