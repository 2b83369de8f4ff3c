"""Has the workers of a cluster check cases: each of their threads has a checker of its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from ...cluster.client import Cluster
from ...cluster.executor import DaskExecutor
from ...engines.base import EngineCrash
from ...model.capabilities import CapabilityUse
from ...model.results.events import CaseResult, CaseStarted, Notice
from ...model.shutdown import POLL_SECONDS
from ...work.executor import Done, TaskContext
from ...work.pool import RunningMean, TaskPool, TaskSizing, value_of
from ...work.worker_state import WORKER
from .checker import Checker
from .failures import Judgment, PartOutcome, UnjudgedFailure
from .known_causes import KnownFaults
from .parts import CasePart
from .plan import EngineSetup
from .work import Work

BLOCK_SECONDS = 1.0
"""How long a block takes, unless it is one large count."""
FEWEST, MOST = 8, 2_048
"""Cases of a block."""
AHEAD = 2
"""Blocks for each thread, so that none waits for the next one."""


@dataclass(frozen=True, eq=False)
class _Assignment:
    """What a worker does next: parts that it counts, or a failure that it judges."""

    known: KnownFaults
    parts: Sequence[CasePart] = ()
    failure: UnjudgedFailure | None = None


@dataclass(frozen=True)
class _Checked:
    """What a worker has found about a block."""

    outcomes: Sequence[PartOutcome]
    judgment: Judgment | None
    seconds: float
    use: CapabilityUse
    """What the engine of the worker has been asked until then."""


class ClusterDispatcher:
    """Hands out the cases of a run, until none is left or it is stopped."""

    nodes = 0
    asked = ""

    def __init__(self, work: Work, cluster: Cluster) -> None:
        """Take the work, and a cluster, which is closed in the end. Raises UsageError."""
        self._work = work
        with closing(Checker(work.plan.engine_setup, self._tell)) as checker:
            self.names = checker.names
        self._pool: TaskPool[_Assignment] = TaskPool(DaskExecutor(cluster, _do_assignment, work.plan.engine_setup))
        self._sizing = TaskSizing(BLOCK_SECONDS, FEWEST, MOST, AHEAD)
        self._speed = RunningMean()
        """Leaf nodes a second."""
        self._told: set[str] = set()
        self.use = CapabilityUse()

    def work_off(self) -> None:
        """Hand out cases, and tell of their results."""
        while not self._work.is_done:
            self._pool.give(self._next, AHEAD)
            for block, done in self._pool.results(POLL_SECONDS):
                self._settle(block, done)
            self._tell_news()

    def check_time(self) -> None:
        """Do nothing: each worker looks at the time of its own counts."""

    def stop(self) -> None:
        """Do nothing: its thread looks whether the work has ended."""

    def close(self) -> None:
        """Take back what is out, and disconnect."""
        self._pool.close()

    def _next(self) -> _Assignment | None:
        """Return a failure to be judged, or else the next cases: few until it is known how long they take, fewer
        towards the end.
        """
        if (next_failure := self._work.next_failure()) is not None:
            failure, known = next_failure
            return _Assignment(known, failure=failure)
        size = self._sizing.size(self._work.left, self._pool.capacity())
        parts = self._work.next(size, int(BLOCK_SECONDS * (self._speed.value or 0.0)))
        if not parts:
            return None
        self._work.tell(CaseStarted(parts[0].case.name, parts[0].suite))
        return _Assignment(self._work.known, parts)

    def _settle(self, block: _Assignment, done: Done) -> None:
        """Take in the results of a block. Raises EngineCrash where there are none."""
        checked: _Checked = value_of(done, EngineCrash)
        self.use = self.use.join(checked.use)
        if block.failure is not None and checked.judgment is not None:
            self._work.tell(*self._work.settle_failure(block.failure, checked.judgment))
            return
        self._sizing.learn(checked.seconds, len(checked.outcomes))
        self._speed.add(sum(part.case.nodes for part in block.parts) / max(checked.seconds, 1e-6))
        for part, outcome in zip(block.parts, checked.outcomes, strict=True):
            self._work.tell(*self._work.settle(part, outcome))

    def _tell_news(self) -> None:
        """Tell what is new of the cluster, and what workers have to say, each line once."""
        for message in self._pool.messages():
            if message.value not in self._told:
                self._told.add(message.value)
                self._tell(f"{message.worker}: {message.value}")
        for line in self._pool.news():
            self._tell(line)

    def _tell(self, line: str) -> None:
        self._work.tell(Notice(line))


def _do_assignment(context: TaskContext, setup: EngineSetup, block: _Assignment) -> _Checked:
    """Do a block in a worker. Raises EngineError where an engine cannot be started there."""
    with context.using("checkers", lambda: _open_checker(setup, context), Checker.stop) as checker:
        began = time.monotonic()
        checker.runner.resume()
        checker.known = block.known
        judgment = None if block.failure is None else checker.judge(block.failure, block.known)
        checker.begin(block.parts)
        pairs = zip(block.parts, checker.ahead(block.parts), strict=True)
        outcomes = [checker.count(part, ahead) for part, ahead in pairs]
        nodes = sum(one.nodes if isinstance(one, CaseResult) else one.tally.nodes for one in outcomes)
        WORKER.note(positions=len(outcomes), nodes=nodes)
        return _Checked(outcomes, judgment, time.monotonic() - began, checker.use)


def _open_checker(setup: EngineSetup, context: TaskContext) -> Checker:
    checker = Checker(setup, context.tell)
    try:
        checker.start()
    except BaseException:
        checker.close()
        raise
    return checker
