"""Run suites: request every count from the engine, compare it, and yield events.

A run consists of rounds with two phases. In the first phase, threads count cases in parallel, each with its own
engines. In the second phase, the failures of the round are explained one by one in the order of the cases, so that the
report does not depend on the number of threads. Events are yielded in the thread that called `run`, so that it can be
interrupted while other threads are busy.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future, wait
from functools import partial, reduce
from math import inf

from .... import __version__
from ....errors import UserError
from ...garbage_collection import seldom_collecting
from ...model.capabilities import Capability, CapabilityUse
from ...model.results.events import (
    CaseFailed,
    CaseFinished,
    CaseResult,
    CaseStarted,
    Event,
    Notice,
    Progress,
    RunFinished,
    RunStarted,
)
from ...model.results.verdict import Verdict
from ...shutdown import POLL_SECONDS, Interrupt, Interrupted
from .counter import CaseCounter, Outcome
from .explainer import Explainer
from .plan import RunPlan
from .record import CaseRecord, Failure
from .reproducer import Retries
from .schedule import Schedule

ADVICE = {
    Capability.LISTS: "use a suite",
    Capability.COUNTS: "use a suite with counts at depth 2, without --max-depth 1",
    Capability.UNDO: "use a suite with counts at depth 2, without --max-depth 1",
    Capability.MOVES: "use perft-check fuzz",
    Capability.STARTPOS: "use perft-check fuzz",
    Capability.FEN: "use perft-check fuzz",
    Capability.CHESS960: "use -s chess960",
    Capability.GENTYPES: "use perft-check fuzz",
}
"""For each capability, how a user can include it in a run of suites."""
PATIENCE_SECONDS = 0.4
"""Time to wait for interrupted threads before the report is written without them."""
EXPLAINING_FRACTION, EXPLAINING_SECONDS = 0.25, 60.0
"""Fraction of a run's time that is reserved for explaining failures, if there are any, and its maximum in seconds."""

CountedCase = tuple[CaseRecord, Outcome]
"""The record of a case, and the outcome of its counts."""


def run(plan: RunPlan, interrupt: Interrupt) -> Iterator[Event]:
    """Run a plan and yield events, from `RunStarted` to `RunFinished` with all results.

    If it is interrupted or the plan's time runs out, the run ends early with the results so far. Raises EngineError if
    an engine cannot be started.
    """
    with seldom_collecting():
        yield from _RunUnderWay(plan, interrupt).events()


class _RunUnderWay:
    """A run in progress. Threads count and explain; only the caller's thread changes results and yields events."""

    def __init__(self, plan: RunPlan, interrupt: Interrupt) -> None:
        self._plan, self._interrupt = plan, interrupt
        self._began = self._counting_since = time.monotonic()
        self._schedule, retries = Schedule(plan), Retries()
        self._news: queue.SimpleQueue[Event | CountedCase | Future[None]] = queue.SimpleQueue()
        """Messages from the threads, and finished tasks."""
        self._counters = [
            CaseCounter(plan, lambda line: self._news.put(Notice(line)), retries=retries)
            for _ in range(max(1, min(plan.jobs, len(self._schedule))))
        ]
        self._explainer = Explainer(self._counters[0])
        self._busy: dict[Future[None], CaseCounter] = {}
        """The current tasks, each with the counter whose engines it uses."""
        self._waiting: list[CountedCase] = []
        """Cases that were counted in this round but cannot be finished before its end."""
        self._reserved_seconds = 0.0
        """Time reserved for explaining the failures of this round."""
        self._verdicts: Counter[Verdict] = Counter()
        """The verdicts of finished cases."""
        self._nodes = 0
        """Leaf nodes of finished counts."""
        self._stopped_at: float | None = None
        """When the threads were asked to stop."""
        self._has_ended = False
        """Whether the last round has begun."""

    def events(self) -> Iterator[Event]:
        started = RunStarted(__version__, *self._counters[0].names, self._plan.totals)
        yield started
        try:
            yield from self._do({counter: counter.start for counter in self._counters})
            self._counting_since = time.monotonic()  # excludes compiling and starting
            while not self._has_ended and self._schedule.begin_round():
                yield from self._do({counter: partial(self._count, counter) for counter in self._counters})
                yield from self._settle()
        finally:
            self._stop()
            self._close()
        results, not_begun = self._schedule.end()
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
        """The capabilities that were used, and those that the choice of suites left out."""
        of_counters = (counter.engine.use for counter in self._counters)
        return reduce(CapabilityUse.join, of_counters, CapabilityUse(lacks=self._plan.left_out))

    def _count(self, counter: CaseCounter) -> None:
        """Count cases one by one until the round ends, or end it at an urgent failure. Called in a thread."""
        while (record := self._schedule.take()) is not None:
            self._news.put(CaseStarted(record.case.name, record.suite))
            outcome = counter.count(record)
            if isinstance(outcome, Failure) and (self._plan.fail_fast or self._explainer.is_urgent(outcome)):
                self._schedule.pause()
            self._news.put((record, outcome))

    def _settle(self) -> Iterator[Event]:
        """Explain the failures of a round and finish all waiting cases, in the order of the cases."""
        waiting, self._waiting = sorted(self._waiting, key=lambda counted: counted[0].number), []
        self._reserved_seconds = 0.0
        if waiting and not self._busy and not self._is_over():
            self._resume()
        for record, outcome in waiting:
            result = (yield from self._explain(outcome)) if isinstance(outcome, Failure) else outcome
            yield from self._finish_case(record, result)
            if self._plan.fail_fast and result.verdict.is_failure:
                self._has_ended = True
                return

    def _explain(self, failure: Failure) -> Generator[Event, None, CaseResult]:
        """Explain a failure, using another thread, unless the run is stopped; yield events and return the result."""
        results: list[CaseResult] = []
        if self._stopped_at is None:
            yield CaseStarted(failure.record.case.name, failure.record.suite)
            yield from self._do({self._counters[0]: lambda: results.append(self._explainer.explain(failure))})
        return results[0] if results else failure.as_counted(failure.record)

    def _do(self, tasks: Mapping[CaseCounter, Callable[[], None]]) -> Iterator[Event]:
        """Run one task per counter in threads, and yield events until all tasks have ended.

        Do not wait for threads that do not react to being stopped. User errors in a task are raised; any other error
        ends the run.
        """
        under_way = {_start(task, self._news.put): counter for counter, task in tasks.items()}
        self._busy |= under_way
        while under_way.keys() & self._busy.keys() and not self._is_out_of_patience():
            with self._interrupt.failing():
                yield from self._next_events()
            if self._stopped_at is None and self._is_over():
                self._stop()

    def _next_events(self) -> Iterator[Event]:
        """Wait for the next message from the threads, and yield the resulting events."""
        try:
            news = self._news.get(timeout=POLL_SECONDS)
        except queue.Empty:
            for counter in self._busy.values():
                counter.runner.latest.enforce_deadline()
            yield self._progress()
            return
        match news:
            case Future():
                del self._busy[news]
                error = news.exception()
                if isinstance(error, UserError):
                    raise error
                if error is not None and not isinstance(error, Interrupted):
                    self._interrupt.fail(error)
            case (CaseRecord() as record, outcome):
                yield from self._take_outcome(record, outcome)
            case _:
                yield news

    def _take_outcome(self, record: CaseRecord, outcome: Outcome) -> Iterator[Event]:
        """Finish a case, or keep it until the end of the round if it cannot be finished yet; yield events."""
        for count in record.new_counts:
            if count.got is not None:
                self._nodes += count.got
        if isinstance(outcome, Failure):
            if self._plan.seconds is not None:
                self._reserved_seconds = min(EXPLAINING_FRACTION * self._plan.seconds, EXPLAINING_SECONDS)
            yield CaseFailed(record.case.name, record.suite)
        if isinstance(outcome, Failure) or self._plan.fail_fast:
            self._waiting.append((record, outcome))
            yield self._progress()
        else:
            yield from self._finish_case(record, outcome)

    def _finish_case(self, record: CaseRecord, result: CaseResult) -> Iterator[CaseFinished]:
        finished = self._schedule.settle(record, result)
        if finished is not None:
            self._verdicts[finished.verdict] += 1
            yield CaseFinished(finished, self._nodes, time.monotonic() - self._counting_since)

    def _progress(self) -> Progress:
        busy = list(self._busy.values())
        counted = self._nodes + sum(counter.nodes for counter in busy)
        return Progress(counted, time.monotonic() - self._counting_since, busy[0].runner.asked if busy else "")

    def _stop(self) -> None:
        """Ask the threads to end as soon as possible, and begin no more rounds."""
        if self._stopped_at is None:
            self._stopped_at = time.monotonic()
        self._has_ended = True
        self._schedule.pause()
        for counter in self._counters:
            counter.runner.stop()

    def _resume(self) -> None:
        """Continue if only the counting was stopped. More rounds may begin unless a count was interrupted."""
        self._stopped_at, self._has_ended = None, Verdict.UNFINISHED in self._verdicts
        for counter in self._counters:
            counter.runner.resume()

    def _close(self) -> None:
        """Close the engines of all threads that have ended. A thread that is compiling cannot be stopped."""
        wait(self._busy, PATIENCE_SECONDS)
        busy = {counter for future, counter in self._busy.items() if not future.done()}
        for counter in self._counters:
            if counter not in busy:
                counter.close()
        if self._counters[0] not in busy:
            self._explainer.close()

    def _is_out_of_patience(self) -> bool:
        return self._stopped_at is not None and time.monotonic() - self._stopped_at > PATIENCE_SECONDS

    def _is_over(self) -> bool:
        """Return True if the user has requested the end, or the time for the current phase has run out."""
        left = inf if self._plan.seconds is None else self._began + self._plan.seconds - time.monotonic()
        return self._interrupt.requested or left < self._reserved_seconds

    def _is_unfinished(self, started: RunStarted) -> bool:
        """Return True if the plan's time ran out before the last count."""
        failed = any(verdict.is_failure for verdict in self._verdicts)
        stopped_early = self._verdicts.total() < started.positions and not (self._plan.fail_fast and failed)
        return self._plan.seconds is not None and (Verdict.UNFINISHED in self._verdicts or stopped_early)


def _start(task: Callable[[], None], when_done: Callable[[Future[None]], None]) -> Future[None]:
    """Start a task in a daemon thread. Unlike threads of an executor, it does not keep the program alive."""
    future: Future[None] = Future()

    def work() -> None:
        try:
            task()
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(None)

    future.add_done_callback(when_done)
    threading.Thread(target=work, daemon=True, name="engine worker").start()
    return future
