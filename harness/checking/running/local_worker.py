"""What checks the cases of a run on this machine, side by side with others of its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.results.events import CaseStarted, Notice
from .checker import Checker
from .parts import CasePart
from .work import CaseWorker, News, Work

MOST_TOLD = 128
"""Messages that are sent at once, so that the user sees a run go on."""


class LocalWorker(Checker):
    """Checks the cases of a run with engines of its own, in the thread that calls `work_off`."""

    def __init__(self, work: Work) -> None:
        """Open the engines of a run. Raises UsageError."""
        super().__init__(work.plan.engine_setup, lambda line: work.tell(Notice(line)))
        self._work = work

    def work_off(self) -> None:
        """Check one case after another. Raises EngineError where an engine cannot be started, Interrupted."""
        self.start()
        parts = self._begin_next()
        while parts:
            # Large counts are left to other workers.
            following = self._begin_next() if len(parts) > 1 else []
            self._check_all(parts)
            parts = following or self._begin_next()

    def _begin_next(self) -> Sequence[CasePart]:
        """Return the next parts, about which the engine is asked ahead if it can be; none at the end."""
        parts = self._work.next(self.most)
        if parts:
            self.begin(parts)
        return parts

    def _check_all(self, parts: Sequence[CasePart]) -> None:
        """Check parts, and tell many at once of those whose counts are known ahead."""
        told: list[News] = [_announce(parts[0])]
        self._tell_all(told)
        try:
            for part, ahead in zip(parts, self.ahead(parts), strict=True):
                if self._work.has_ended:
                    break
                if not ahead.seconds and part is not parts[0]:  # this one takes its time
                    told.append(_announce(part))
                    self._tell_all(told)
                told.append(self._work.settle(part, self.check(part, ahead)))
                if len(told) >= MOST_TOLD:
                    self._tell_all(told)
        finally:
            self._tell_all(told)

    def _tell_all(self, told: list[News]) -> None:
        """Send messages that are kept, and forget them."""
        self._work.tell(*told)
        told.clear()


def _announce(part: CasePart) -> CaseStarted:
    return CaseStarted(part.case.name, part.suite)


OpensWorkers = Callable[[Work], Sequence[CaseWorker]]


def local_workers(work: Work) -> Sequence[CaseWorker]:
    """Return the workers of this machine that check the cases: as many as the plan says, or as there are cases."""
    return [LocalWorker(work) for _ in range(max(1, min(work.plan.jobs, work.left)))]
