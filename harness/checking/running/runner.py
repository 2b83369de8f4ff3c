"""Run suites: ask the engine for every count, compare, and tell what happens as a stream of events.

Workers check the cases, threads with engines of their own; the stream comes from the thread that called `run`,
so that it can be interrupted while the workers are counting.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import reduce

from .... import __version__
from ....errors import Complaint
from ...model.capabilities import Capability, CapabilityUse
from ...model.collecting import seldom_collecting
from ...model.results.events import CaseFinished, CaseStarted, Event, Notice, Progress, RunFinished, RunStarted
from ...model.results.verdict import Verdict
from ...model.shutdown import POLL_SECONDS, Interrupt, Interrupted
from .checker import Checker
from .failures import CaseTally
from .plan import RunPlan
from .work import CaseDone, News, Work, WorkerEnded

ADVICE = {
    Capability.LISTS: "a suite",
    Capability.COUNTS: "a suite with counts at depth 2, without --max-depth 1",
    Capability.UNDO: "a suite with counts at depth 2, without --max-depth 1",
    Capability.MOVES: "perft-check fuzz",
    Capability.STARTPOS: "perft-check fuzz",
    Capability.FEN: "perft-check fuzz",
    Capability.CHESS960: "-s chess960",
    Capability.GENTYPES: "perft-check fuzz",
}
"""How a user has the engine asked for what a run of suites has left out."""
PATIENCE_SECONDS = 0.4
"""How long interrupted workers may take to stop before the report is made without them."""


class LocalWorker(Checker):
    """Checks the cases of a run with engines of its own, in the thread that calls `work_off`."""

    def __init__(self, work: Work) -> None:
        """Open the engines of a run. Raises UsageError."""
        super().__init__(
            work.plan.engine_setup,
            lambda line: work.tell(Notice(line)),
            show=lambda line: work.tell(Notice(line, is_passing=True)),
        )
        self._work = work

    def work_off(self) -> None:
        """Check one case after another. Raises EngineError where an engine cannot be started, Interrupted."""
        self.start()
        while (part := self._work.wait_for_next()) is not None:
            self._work.tell(CaseStarted(part.case.name, part.suite))
            self.known = self._work.known
            self._work.tell(*self._work.settle(part, self.count(part)))
            self._judge_failures()

    def _count(self, tally: CaseTally, depth: int, expected: int) -> int:
        count, plan = super()._count(tally, depth, expected), self._work.plan
        if self._work.pace.note(count, tally.asked_seconds) and plan.seconds is None:
            left = self._work.rest(chess960=self.engine.no_chess960 is None)
            line = self._work.pace.announce(self.engine.name, left, plan.jobs, plan.shorter)
            if line is not None:
                self._work.tell(Notice(line))
        return count

    def _judge_failures(self) -> None:
        """Judge failures, also those that other workers have met, until there is none to be judged now."""
        while (failure := self._work.next_failure()) is not None:
            self._work.tell(*self._work.settle_failure(failure, self.judge(failure, self._work.known)))


def run(plan: RunPlan, interrupt: Interrupt) -> Iterator[Event]:
    """Run a plan: first `RunStarted`, last `RunFinished` with all results.

    An interrupt, or the end of the plan's time, ends the run early with the results so far. Raises EngineError if an
    engine cannot even be started.
    """
    with seldom_collecting():
        yield from _RunUnderWay(plan, interrupt).events()


class _RunUnderWay:
    def __init__(self, plan: RunPlan, interrupt: Interrupt) -> None:
        self._plan, self._interrupt = plan, interrupt
        self._began = self._counting_since = time.monotonic()
        self._work = Work(plan)
        self._workers = [LocalWorker(self._work) for _ in range(max(1, min(plan.jobs, self._work.left)))]
        self._threads = {
            worker: threading.Thread(target=self._work_off, args=(worker,), daemon=True, name="engine worker")
            for worker in self._workers
        }
        self._working: set[Checker] = set(self._workers)
        self._verdicts: Counter[Verdict] = Counter()
        """Those of the cases that are done."""
        self._nodes = 0
        """Leaf nodes of the counts that are made."""
        self._stopped_at: float | None = None
        """When the workers were told to stop."""

    def events(self) -> Iterator[Event]:
        started = RunStarted(__version__, *self._workers[0].names, self._plan.outline.suites)
        yield started
        for thread in self._threads.values():
            thread.start()
        try:
            while self._working and not self._is_out_of_patience():
                with self._interrupt.failing():
                    yield from self._next_events()
                if self._stopped_at is None and (self._interrupt.requested or self._is_out_of_time()):
                    self._stop()
        finally:
            self._stop()
            self._close()
        yield from filter(None, map(self._finish_case, self._work.settle_rest()))
        results, not_begun = self._work.end()
        yield RunFinished(
            started,
            results,
            time.monotonic() - self._began,
            not_begun=not_begun,
            interrupted=self._interrupt.requested,
            internal_error=self._interrupt.fault is not None,
            out_of_time=not self._interrupt.requested and self._is_unfinished(started),
            require_all=self._plan.require_all,
            fails_not_reproduced=self._plan.fails_not_reproduced,
            untried=self._use.list_untried(ADVICE),
        )

    @property
    def _use(self) -> CapabilityUse:
        """What the engine has been asked, and what it was not by the choice of suites."""
        of_workers = (worker.use for worker in self._workers)
        return reduce(CapabilityUse.join, of_workers, CapabilityUse(lacks=self._plan.left_out))

    def _work_off(self, worker: LocalWorker) -> None:
        """Have a worker work, in its thread, and report what ends it: else its cases would be left out in silence."""
        error: BaseException | None = None
        try:
            worker.work_off()
        except Interrupted:
            pass
        except BaseException as failure:
            error = failure
        finally:
            self._work.tell(WorkerEnded(worker, error))

    def _next_events(self) -> Iterator[Event]:
        """Wait for the next news of the workers, and yield what there is to tell."""
        try:
            told = self._work.news.get(timeout=POLL_SECONDS)
        except queue.Empty:
            for worker in self._workers:
                worker.check_time()
            yield self._progress()
        else:
            for news in told:
                event = self._take_news(news)
                if event is not None:
                    yield event

    def _take_news(self, news: News) -> Event | None:
        """Take in a message, and return what there is to tell, if anything."""
        match news:
            case CaseDone():
                return self._finish_case(news)
            case WorkerEnded(worker, error):
                self._working.discard(worker)
                if isinstance(error, Complaint):
                    raise error
                if error is not None:
                    self._interrupt.fail(error)
                return None
            case _:
                if not self._verdicts and self._nodes == 0 and isinstance(news, CaseStarted):
                    self._counting_since = time.monotonic()  # compiling and starting are over
                return news

    def _finish_case(self, news: CaseDone) -> CaseFinished | None:
        self._nodes += news.nodes
        if not news.is_whole:
            return None
        self._verdicts[news.result.verdict] += 1
        if self._plan.fail_fast and news.result.verdict.is_failure:
            self._stop()
        return CaseFinished(news.result, self._nodes, time.monotonic() - self._counting_since)

    def _progress(self) -> Progress:
        working = [worker for worker in self._workers if worker in self._working]
        asked = working[0].asked if working else ""
        counted = self._nodes + sum(worker.nodes for worker in working)
        return Progress(counted, time.monotonic() - self._counting_since, asked)

    def _stop(self) -> None:
        """Let the workers end as soon as they can."""
        if self._stopped_at is None:
            self._stopped_at = time.monotonic()
        self._work.has_ended = True
        for worker in self._workers:
            worker.stop()

    def _close(self) -> None:
        """Close the engines of all workers that have ended; a call to the compiler does not react to being stopped."""
        for worker in self._workers:
            self._threads[worker].join(PATIENCE_SECONDS)
            if not self._threads[worker].is_alive():
                worker.close()

    def _is_out_of_patience(self) -> bool:
        return self._stopped_at is not None and time.monotonic() - self._stopped_at > PATIENCE_SECONDS

    def _is_out_of_time(self) -> bool:
        return self._plan.seconds is not None and time.monotonic() - self._began > self._plan.seconds

    def _is_unfinished(self, started: RunStarted) -> bool:
        """Tell whether the plan's time was over before its last count."""
        failed = any(verdict.is_failure for verdict in self._verdicts)
        stopped_early = self._verdicts.total() < started.positions and not (self._plan.fail_fast and failed)
        return self._plan.seconds is not None and (Verdict.UNFINISHED in self._verdicts or stopped_early)
