"""A fuzzing run: processes examine batches and then reduce the hits, and the run yields events.

Processes run their jobs in any order, but the report depends only on the seed, not on the number or speed of the
processes. Several engines can be fuzzed at the same time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from math import inf

from ... import __version__
from ...errors import UserError
from ...generator.reachability.classification import reachability_of
from ..coverage.code import CodeCoverage
from ..coverage.model import CoverageMap, SourceLocation
from ..coverage.source_files import source_folders
from ..engines.base import EngineCrash
from ..engines.child_processes import GRACE_SECONDS
from ..engines.files import files_of
from ..engines.spec import short_name
from ..model.capabilities import Capability, CapabilityUse
from ..model.results.events import Notice
from ..shutdown import POLL_SECONDS, Interrupt
from ..worker_processes import ENDED_EARLY, Done, ProcessPool, value_of
from .batch import BatchResult
from .corpus import CorpusWriter
from .examining import build_examiner, replay_command
from .model import (
    Discrepancy,
    DiscrepancySeen,
    DiscrepancySettled,
    FuzzEvent,
    FuzzFinding,
    FuzzFinished,
    FuzzProgress,
    FuzzStarted,
    Hit,
    Signature,
    causes_of_findings,
)
from .plan import FuzzPlan
from .processes.messages import (
    BatchDone,
    BatchProgress,
    CoverageReached,
    EnginesReady,
    ExamineBatch,
    HitReduced,
    Job,
    ReduceHit,
    WorkerMessage,
    WorkerNotice,
)
from .processes.schedule import BatchSchedule, ReductionQueue
from .processes.worker import FuzzWorker


class JobPool(ProcessPool[Job]):
    """Gives each process one job at a time, and yields their messages and results."""

    def __init__(self, plan: FuzzPlan) -> None:
        """Start the processes of a plan."""
        super().__init__(plan.jobs, partial(FuzzWorker, plan), forks=True, grace_seconds=GRACE_SECONDS)

    @property
    def is_reducing(self) -> bool:
        """Whether a process is reducing a hit."""
        return any(isinstance(job, ReduceHit) for job in self.tasks)

    def answers(self) -> Iterator[WorkerMessage]:
        """Yield the messages that arrive within a short time.

        Raises EngineError, UsageError or InternalError if a process fails; that process gets no more jobs.
        """
        done: list[tuple[Job, Done]] = []
        for job, answer in self.receive(POLL_SECONDS):
            if isinstance(answer, Done):
                done.append((job, answer))
            else:
                yield answer
        for job, one in sorted(done, key=_has_failed):  # results come first, because a failure ends the run
            if one.failure != ENDED_EARLY:
                yield _result_of(job, one)

    def stop_batches(self, is_needless: Callable[[int], bool]) -> None:
        """Stop the batches that are no longer needed."""
        self.stop(lambda job: isinstance(job, ExamineBatch) and is_needless(job.batch))


def _has_failed(done: tuple[Job, Done]) -> bool:
    _, one = done
    return bool(one.failure) or one.error is not None


def _result_of(job: Job, done: Done) -> WorkerMessage:
    """Return the result of a job.

    Raises EngineCrash, which names the job, if its process died. Any other error of the job is raised unchanged.
    """
    if done.exit_status is not None:
        raise EngineCrash(
            f"a fuzzing process died at {_describe(job)}, with exit status {done.exit_status}: "
            "one of the engines that run in it has brought it down"
        )
    result: WorkerMessage = value_of(done, _describe(job))
    return result


def _describe(job: Job) -> str:
    return f"batch {job.batch}" if isinstance(job, ExamineBatch) else f"reducing {job.hit.discrepancy.game}"


ADVICE = {
    Capability.LISTS: "a longer run",
    Capability.COUNTS: "fuzz without --depth 1",
    Capability.UNDO: "fuzz without --depth 1",
    Capability.MOVES: "fuzz with all strategies, without --depth 1",
    Capability.STARTPOS: "fuzz with all strategies",
    Capability.FEN: "fuzz with all strategies, without --depth 1",
    Capability.CHESS960: "use fuzz --chess960",
    Capability.GENTYPES: "a longer run",
}
"""How the user can include a capability that the run did not use."""
PATIENCE_SECONDS = 1.5
"""How long batches may take to stop, and how long reductions may continue after the user stops the run."""
REDUCING_SHARE = 0.2
"""Share of a run's time that is reserved for reductions if there are findings."""
LATE_SECONDS = 1.0
"""How long reductions may take to stop."""


def fuzz(plan: FuzzPlan, interrupt: Interrupt, corpus: CorpusWriter | None = None) -> Iterator[FuzzEvent]:
    """Run a plan, and store the findings in `corpus`. The first event is `FuzzStarted`, the last `FuzzFinished`.

    Raises UsageError or EngineError if an engine cannot be opened or started.
    """
    started = FuzzStarted(
        version=__version__,
        engine=plan.engine,
        references=plan.references,
        checks=build_examiner(plan).checks,
        seed=plan.seed,
        strategies=plan.reported_strategies,
        examples=plan.examples,
        possible_events=plan.possible_events,
        sweep=len(plan.sweep),
    )
    # The processes must start before a display starts a thread, because they cannot be forked afterwards.
    campaign = _Campaign(plan, interrupt, corpus, JobPool(plan))
    try:
        yield started
        yield from campaign.run(started)
    finally:
        campaign.close()


class _Campaign:
    def __init__(self, plan: FuzzPlan, interrupt: Interrupt, corpus: CorpusWriter | None, pool: JobPool) -> None:
        self._plan, self._interrupt, self._corpus = plan, interrupt, corpus
        self._began = time.monotonic()
        self._pool = pool
        self._batches = BatchSchedule(plan)
        self._ready_at: float | None = None
        """When the first process was ready."""
        self._stored: dict[Signature, Discrepancy] = {}
        """The first discrepancy of each signature, as stored before its reduction."""
        self._notices: set[str] = set()
        """The notices already reported, because every process may send the same ones."""
        self._use = CapabilityUse()
        """The capabilities of the engine under test that were used."""
        self._coverage = CoverageMap()
        """Coverage of the engine's code, if measured."""
        self._locations: tuple[SourceLocation | None, ...] = ()
        self._failure = ""
        """The error of the first process that failed."""

    def run(self, started: FuzzStarted) -> Iterator[FuzzEvent]:
        with self._interrupt.failing():
            yield from self._examine()
        whole = self._batches.merge()
        findings = yield from self._reduce(whole)
        self.close()
        coverage = whole.coverage()
        yield FuzzFinished(
            started,
            findings,
            coverage,
            time.monotonic() - self._began,
            interrupted=self._interrupt.requested,
            internal_error=self._interrupt.fault is not None,
            is_cut_short=whole.is_cut_short,
            failure=self._failure,
            depends_on_time=self._plan.seconds is not None or self._batches.used_pipelining,
            require_all=self._plan.require_all,
            untried=self._use.list_untried(ADVICE),
            code=self._code_coverage(),
        )

    def close(self) -> None:
        """Terminate all processes."""
        self._pool.close()

    def _examine(self) -> Iterator[FuzzEvent]:
        """Run batches until none are left, time runs out, or the user stops the run."""
        stopped_at: float | None = None
        while True:
            if stopped_at is None:
                self._pool.give(self._next_batch)
            if not self._pool.tasks:
                return
            for answer in self._answers():
                yield from self._events_of(answer)
            yield self._progress("fuzzing")
            if stopped_at is None:
                if self._is_over():
                    stopped_at = time.monotonic()
                    self._pool.stop()
                    if not (self._batches.examples or self._interrupt.requested or self._failure):
                        yield Notice(f"{short_name(self._plan.engine)} {self._lateness}: give it more with --time")
            elif self._ready_at is None or time.monotonic() - stopped_at > PATIENCE_SECONDS:
                return  # do not wait for a process that is still starting its engines

    @property
    def _lateness(self) -> str:
        """Why no position was examined before time ran out, as the predicate of a sentence about the engine."""
        if self._ready_at is None:
            return "was not ready in time"
        return "was still counting its first position when time ran out"

    def _next_batch(self) -> ExamineBatch | None:
        """Return the next batch, if any, with the coverage of all processes."""
        job = self._batches.next()
        return replace(job, reached=tuple(self._coverage.firsts.values())) if job and self._coverage.firsts else job

    def _note_reached(self, answer: CoverageReached) -> None:
        self._locations = answer.locations or self._locations
        self._coverage.note_firsts(answer.firsts)

    def _code_coverage(self) -> CodeCoverage | None:
        """Return the coverage of the engine's code and its source; None if nothing was examined."""
        if not self._locations or not self._batches.examples:
            return None
        folders = source_folders(files_of(self._plan.engine))
        return CodeCoverage.read(self._coverage.summary(self._locations), folders)

    def _reduce(self, whole: BatchResult) -> Generator[FuzzEvent, None, tuple[FuzzFinding, ...]]:
        """Reduce the simplest hit of each signature, and more hits if the result is still large.

        A hit is reported unreduced if time ran out or its process died.
        """
        reductions = ReductionQueue(whole.hits, whole.first)
        findings: list[FuzzFinding] = []
        stop_at = self._ends_at
        while self._pool.size and (reductions.are_waiting or self._pool.is_reducing):
            if time.monotonic() < stop_at:
                self._pool.give(reductions.next)
            reduced = [answer for answer in self._answers() if isinstance(answer, HitReduced)]
            settled = [best for answer in reduced if (best := reductions.add(answer)) is not None]
            for best in settled:
                findings.append(self._store_reduced(best, whole))
                yield DiscrepancySettled(findings[-1])
            yield self._progress("reducing")
            if self._interrupt.requested:
                stop_at = min(stop_at, time.monotonic() + PATIENCE_SECONDS)
            late = time.monotonic() - stop_at
            if late > 0:
                reductions.give_up()
                self._pool.stop()
            if late > LATE_SECONDS:
                break
        findings += [self._store_reduced(reduced, whole) for reduced in reductions.best_of_unsettled(self._plan.depth)]
        return tuple(finding for group in causes_of_findings(findings) for finding in group.members)

    def _answers(self) -> Iterator[WorkerMessage]:
        """Yield the messages that arrive within a short time. Raises UserError only if there is nothing to report."""
        try:
            yield from self._pool.answers()
        except UserError as failure:
            if not self._batches.seen:
                raise
            self._failure = self._failure or str(failure)
        except Exception as fault:
            self._interrupt.fail(fault)

    def _is_over(self) -> bool:
        if self._interrupt.requested or self._failure:
            return True
        kept = (self._plan.seconds or 0) * REDUCING_SHARE if self._batches.seen else 0
        return time.monotonic() > self._ends_at - kept

    @property
    def _ends_at(self) -> float:
        """When the time limit of the plan, which includes reductions, expires."""
        return inf if self._plan.seconds is None else self._began + self._plan.seconds

    def _events_of(self, answer: WorkerMessage) -> Iterator[FuzzEvent]:
        """Process a message about a batch, and yield events."""
        match answer:
            case WorkerNotice() if answer.notice not in self._notices:
                self._notices.add(answer.notice)
                yield Notice(answer.notice)
            case EnginesReady():
                self._ready_at = self._ready_at or time.monotonic()
                self._batches.is_pipelined = answer.is_pipelined
            case CoverageReached():
                self._note_reached(answer)
            case BatchProgress():
                yield from self._seen(self._batches.note(answer))
            case BatchDone():
                self._use = self._use.join(answer.use)
                yield from self._seen(self._batches.finish(answer))
                self._pool.stop_batches(self._batches.is_after_end)

    def _seen(self, hits: list[Hit]) -> Iterator[FuzzEvent]:
        """Store hits and then report them, so that no reported hit can be lost."""
        for hit in hits:
            if self._corpus is not None:
                self._corpus.keep(hit.discrepancy, self._plan.depth)
            self._stored[hit.discrepancy.signature] = replace(hit.discrepancy, history=())  # histories are long
            yield DiscrepancySeen(hit)

    def _store_reduced(self, reduced: HitReduced, whole: BatchResult) -> FuzzFinding:
        """Store a reduced discrepancy, and return the finding."""
        signature = reduced.hit.discrepancy.signature
        if self._corpus is not None:
            self._corpus.keep_reduced(reduced.discrepancy, reduced.depth, self._stored.get(signature))
        return FuzzFinding(
            discrepancy=reduced.discrepancy,
            first=whole.first[signature],
            times=whole.hit_counts[signature],
            pieces_before=reduced.hit.discrepancy.pieces,
            replay=replay_command(self._plan, reduced.discrepancy, reduced.depth),
            reproducible=reduced.reproducible,
            label=reachability_of(reduced.discrepancy.game.base),
            plausible_count=whole.plausible_counts[signature],
        )

    def _progress(self, doing: str) -> FuzzProgress:
        seconds = time.monotonic() - self._began
        batches = self._batches
        return FuzzProgress(batches.examples, seconds, len(batches.seen), doing, batches.events)
