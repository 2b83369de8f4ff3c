"""What a fuzzing process does with its jobs: it starts the engines first, and reports what it finds on the way."""

from __future__ import annotations

import gc
import logging
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from ....generator.events import events_of
from ....generator.game import Game
from ....generator.kernels.machine.folders import log
from ....generator.kernels.machine.preparing import missing_of
from ....generator.position import Position
from ....generator.sampling.known import known_block
from ...coverage.model import CoverageSource
from ...engines.asking.pipelined import PipelinedSession
from ...engines.asking.runner import CallRunner
from ...engines.base import NotAhead
from ...engines.stdio import child
from ...engines.types.own import compile_notice
from ...model.shutdown import Interrupted
from ...work.executor import TaskContext
from ..batch import Batch, BatchContext
from ..examining import Examiner, build_examiner, deepest_depth
from ..guidance import Guidance
from ..hypothesis_batch import HypothesisBatch
from ..model import Hit
from ..needed_kernels import kernels_for
from ..pipelined_batch import PipelinedBatch
from ..plan import FuzzPlan
from ..reducing import reduce
from ..sweep_batches import PipelinedSweepBatch, SweepBatch
from ..timeline import CpuTime, EventsMet, UnreportedEvents
from .messages import (
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

REPORT_SECONDS = 0.1
"""The least time between two answers that only say how far a batch is."""
SPENT_SECONDS = 0.5
"""The least time between two looks at the processes of the engines, which cost more."""
NO_KIND = "engines of this kind have no counters; docs/coverage.md has those that may"
NO_COUNTERS = "it has no counters; include perft_check_coverage.h, and compile as that says (docs/coverage.md)"


def do_job(context: TaskContext, plan: FuzzPlan, job: Job) -> Sequence[WorkerMessage]:
    """Do a job in this process, which does one at a time; return its last answer.

    What it answers before that is reported. Raises UsageError, EngineError if an engine cannot be started.
    """
    worker = context.keep("fuzzing", lambda: FuzzWorker(plan))
    worker.resume()
    with context.stopping(worker.stop):
        return [worker.do(job, context.tell)]


class FuzzWorker:
    """The engines and checks of one fuzzing process, which does the jobs of a run."""

    def __init__(self, plan: FuzzPlan) -> None:
        self._plan = plan
        self._examiner, self._is_ready = self._build_examiner(), False
        self._ahead: PipelinedSession | None = None
        self._guidance: Guidance | None = None
        """What is known of the coverage of the engine's code, if that is measured."""
        self._report: Callable[[Sequence[WorkerMessage]], None] = lambda _answers: None
        """Sends answers of the present job to the parent."""
        self._is_tidy = False
        """Whether a batch is done, and all that was loaded for it is left alone."""
        self._reported_at = self._looked = 0.0
        self._news = UnreportedEvents()
        self._log = _ToParent(lambda line: self._send(WorkerNotice(line)))
        log.addHandler(self._log)

    def do(self, job: Job, report: Callable[[Sequence[WorkerMessage]], None]) -> WorkerMessage:
        """Do a job and return its last answer; `report` is called with those before. Raises UsageError, EngineError."""
        self._report = report
        self._get_ready()
        answer = self._examine(job) if isinstance(job, ExamineBatch) else self._reduce(job)
        self._report_spent()
        return answer

    def stop(self) -> None:
        """End the present job early; another thread calls."""
        self._examiner.caller.stop()

    def resume(self) -> None:
        """Get ready for a job after one that was stopped."""
        self._examiner.caller.resume()

    def close(self) -> None:
        """End the engines."""
        log.removeHandler(self._log)
        self._examiner.close()
        if self._ahead is not None:
            self._ahead.close()

    def _send(self, answer: WorkerMessage) -> None:
        self._report([answer])

    def _get_ready(self) -> None:
        """Start the engines before the first job. A stop ends only this job; the next one starts new engines."""
        if self._is_ready:
            return
        for notice in self._examiner.notices():
            self._send(WorkerNotice(notice))
        try:
            self._compile()
            source = self._measure_coverage()
            self._examiner.start()
            self._examiner.find_limits(deepest_depth(self._plan), chess960=True in self._plan.variants)
            self._examiner.examine(Game(Position.start()), 1)
            if source is not None:
                self._begin_guidance(source)
            self._ahead = self._open_pipelined()
            if self._ahead is not None:
                castles_to_rook = self._ahead.castles_to_rook(False)
                known_block([Position.start()], [1], chess960=False, castles_to_rook=castles_to_rook)
            self._examiner.find_refused_setups()
        except Interrupted:  # an engine cannot be started twice
            self._examiner.close()
            self._examiner = self._build_examiner(self._examiner.caller)
            return
        events_of(Position.start())
        self._is_ready = True
        self._send(EnginesReady(self._ahead is not None))

    def _build_examiner(self, caller: CallRunner | None = None) -> Examiner:
        examiner = build_examiner(self._plan, caller)
        examiner.notify = lambda notice: self._send(WorkerNotice(notice))
        return examiner

    def _measure_coverage(self) -> CoverageSource | None:
        """Have the counters of the engine read, if that is requested and engines of its type may have any."""
        engine = self._examiner.subject
        if not self._plan.measures_coverage:
            return None
        if not engine.has_counters:
            self._send(WorkerNotice(f"{engine.name} is fuzzed without --coverage: {NO_KIND}"))
            return None
        return engine.measure_coverage()

    def _begin_guidance(self, source: CoverageSource) -> None:
        """Let the counters guide what is generated, if there are any."""
        places = source.places()
        if not places:
            self._send(WorkerNotice(f"{self._examiner.subject.name} is fuzzed without --coverage: {NO_COUNTERS}"))
            return
        self._guidance = Guidance(source, places)
        self._send(CoverageReached(places, ()))

    def _report_reached(self) -> None:
        """Report what was reached in the engine's code."""
        if self._guidance is not None and (firsts := self._guidance.collect_new()):
            self._send(CoverageReached((), firsts))

    def _report_places(self) -> None:
        """Report branches whose places have become known."""
        if self._guidance is not None and (places := self._guidance.find_more_places()):
            self._send(CoverageReached(places, ()))

    def _compile(self) -> None:
        """Compile what the run needs, which must not be taken from its time; say so beforehand."""
        forms = list(kernels_for(self._plan))
        if (notice := compile_notice(forms)) is not None:
            self._send(WorkerNotice(notice, compiles=True))
        for form in missing_of(forms):
            self._examiner.caller.check()
            form.get_ready()

    def _open_pipelined(self) -> PipelinedSession | None:
        """Return the engine as it is asked ahead, or None if that cannot be."""
        engine = self._examiner.subject
        if not (self._plan.may_pipeline and engine.can_be_asked_ahead and self._examiner.counts_all_depths):
            return None
        try:
            if not self._examiner.accepts_all_fen_fields:
                raise NotAhead("not all positions are asked about")
            chess960 = True in self._plan.variants
            return PipelinedSession(
                engine, self._examiner.caller, self._plan.timeout, chess960=chess960, is_brief=self._plan.is_brief
            )
        except NotAhead as objection:
            self._examiner.caller.check()  # what a trial that was stopped shows is no fault of the engine
            self._send(WorkerNotice(f"{self._examiner.subject.name} is asked one question at a time: {objection}"))
            return None

    def _examine(self, job: ExamineBatch) -> BatchDone:
        if self._guidance is not None:
            self._guidance.adopt(job.reached)
        batch = self._batch(job, lambda new: self._report_examined(batch, new))
        with suppress(Interrupted):
            batch.run()
        self._report_met(batch)
        self._report_reached()
        self._report_places()
        self._tidy()
        return BatchDone(batch.result, self._examiner.use)

    def _tidy(self) -> None:
        """Free the cycles that Hypothesis leaves: hundreds of megabytes until Python would look at all objects.

        What the first batch has loaded stays, and is not looked at again.
        """
        gc.collect()
        if not self._is_tidy:
            gc.freeze()
            self._is_tidy = True

    def _batch(self, job: ExamineBatch, report: Callable[[list[Hit]], None]) -> Batch:
        context, ahead = BatchContext(self._plan, job.assignment, self._examiner, report, self._guidance), self._ahead
        if job.assignment.sweep_cases:
            return SweepBatch(context) if ahead is None else PipelinedSweepBatch(context, ahead)
        if job.assignment.is_pipelined and ahead is not None:
            return PipelinedBatch(context, ahead)
        return HypothesisBatch(context)

    def _report_examined(self, batch: Batch, new: list[Hit]) -> None:
        now = time.monotonic()
        if new or now - self._reported_at > REPORT_SECONDS:
            self._reported_at = now
            self._send(BatchProgress(batch.result.number, batch.result.examples, tuple(new)))
            self._report_met(batch)
            self._report_reached()
        if now - self._looked > SPENT_SECONDS:
            self._report_spent()

    def _report_met(self, batch: Batch) -> None:
        events, pairs = self._news.of(batch.result.events, batch.pairs_met)
        if events or pairs:
            self._send(EventsMet(events, pairs))

    def _report_spent(self) -> None:
        self._looked = time.monotonic()
        spent = time.process_time() + child.used_by_all()
        self._send(CpuTime(os.getpid(), spent, child.used_by(self._examiner.subject.name)))

    def _reduce(self, job: ReduceHit) -> HitReduced:
        return HitReduced(job.hit, *reduce(job.hit.discrepancy, max(self._plan.depth, job.hit.depth), self._examiner))


class _ToParent(logging.Handler):
    """Has the parent report what every process would otherwise print, in the middle of a display."""

    def __init__(self, report: Callable[[str], None]) -> None:
        super().__init__()
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        self._report(record.getMessage())
