"""The worker inside a fuzzing process, which starts the engines, runs the jobs and reports progress."""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from ....generator.events import events_of
from ....generator.game import Game
from ....generator.kernels.counting.walk import count_leaves
from ....generator.kernels.events.census import census
from ....generator.kernels.fen import write_lines
from ....generator.kernels.generate import generate
from ....generator.kernels.machine.folders import log
from ....generator.kernels.machine.jit import Specialization, specializations_of, uncompiled
from ....generator.kernels.play import board_after
from ....generator.kernels.sampling.answers import write_answers
from ....generator.kernels.sampling.block import sample_block
from ....generator.kernels.sampling.schedule import tally
from ....generator.kernels.tables import tables
from ....generator.position import Position
from ....generator.sampling.position_batch import batch_with_answers
from ...checking.covering import measured_coverage, without_counters
from ...coverage.model import CoverageSource
from ...engines.asking.pipelined import PipelinedSession
from ...engines.asking.runner import CallRunner
from ...engines.base import CannotPipeline
from ...engines.opening import open_session
from ...shutdown import Interrupted
from ..batch import Batch, BatchContext
from ..examining import Examiner, build_examiner, deepest_depth
from ..guidance import Guidance
from ..hypothesis_batch import HypothesisBatch
from ..model import Hit
from ..pipelined_batch import PipelinedBatch
from ..plan import FuzzPlan
from ..reducing import reduce
from ..sweep_batches import PipelinedSweepBatch, SweepBatch
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
"""Minimum time between two messages that only report progress."""


class FuzzWorker:
    """Runs jobs one at a time with the engines and checks of one process."""

    def __init__(self, plan: FuzzPlan) -> None:
        self._plan = plan
        self._examiner, self._is_ready = self._build_examiner(), False
        self._pipelined: PipelinedSession | None = None
        self._guidance: Guidance | None = None
        """Coverage guidance, if coverage is measured."""
        self._send: Callable[[WorkerMessage], None] = lambda _message: None
        """Sends a message about the current job to the parent."""
        self._is_frozen = False
        """Whether the objects of the first batch are excluded from garbage collection."""
        self._reported_at = 0.0
        self._log = _ToParent(lambda line: self._send(WorkerNotice(line)))
        log.addHandler(self._log)

    def do(self, job: Job, report: Callable[[WorkerMessage], None], /) -> WorkerMessage:
        """Run a job and return its result; messages are passed to `report`. Raises UsageError, EngineError."""
        self._send = report
        self._get_ready()
        return self._examine(job) if isinstance(job, ExamineBatch) else self._reduce(job)

    def stop(self) -> None:
        """Stop the current job early; called from another thread."""
        self._examiner.caller.stop()

    def resume(self) -> None:
        """Allow another job to run after `stop`."""
        self._examiner.caller.resume()

    def close(self) -> None:
        """Close the engines."""
        log.removeHandler(self._log)
        self._examiner.close()
        if self._pipelined is not None:
            self._pipelined.close()

    def _get_ready(self) -> None:
        """Start the engines before the first job. If that job is stopped, the next one starts new engines."""
        if self._is_ready:
            return
        for notice in self._examiner.notices():
            self._send(WorkerNotice(notice))
        try:
            self._compile()
            source = measured_coverage(self._examiner.subject) if self._plan.measures_coverage else None
            self._examiner.start()
            self._examiner.find_limits(deepest_depth(self._plan), chess960=True in self._plan.variants)
            self._examiner.examine(Game(Position.start()), 1)
            if source is not None:
                self._begin_guidance(source)
            self._pipelined = self._open_pipelined()
            if self._pipelined is not None:
                castles_to_rook = self._pipelined.castles_to_rook(False)
                batch_with_answers([Position.start()], [1], chess960=False, castles_to_rook=castles_to_rook)
            self._examiner.find_refused_setups()
        except Interrupted:  # an engine cannot be started twice
            self._examiner.close()
            self._examiner = self._build_examiner(self._examiner.caller)
            return
        events_of(Position.start())
        self._is_ready = True
        self._send(EnginesReady(self._pipelined is not None))

    def _build_examiner(self, caller: CallRunner | None = None) -> Examiner:
        examiner = build_examiner(self._plan, caller)
        examiner.notify = lambda notice: self._send(WorkerNotice(notice))
        return examiner

    def _begin_guidance(self, source: CoverageSource) -> None:
        """Start coverage guidance. Raises UsageError if the engine has no counters."""
        places = source.locations()
        if not places:
            raise without_counters(self._examiner.subject)
        self._guidance = Guidance(source, places)
        self._send(CoverageReached(places, ()))

    def _report_reached(self) -> None:
        """Report new coverage of the engine's code."""
        if self._guidance is not None and (firsts := self._guidance.collect_new()):
            self._send(CoverageReached((), firsts))

    def _report_places(self) -> None:
        """Report the source locations of branches if new ones are known."""
        if self._guidance is not None and (places := self._guidance.find_more_locations()):
            self._send(CoverageReached(places, ()))

    def _compile(self) -> None:
        """Compile the kernels that the parent could not pass on: those of a new process without a cache."""
        for form in uncompiled(list(kernels_for(self._plan))):
            self._examiner.caller.check()
            form.get_ready()

    def _open_pipelined(self) -> PipelinedSession | None:
        """Return a pipelined session with the engine, or None if it does not support pipelining."""
        engine = self._examiner.subject
        if not (self._plan.may_pipeline and engine.can_pipeline and self._examiner.counts_all_depths):
            return None
        try:
            if not self._examiner.accepts_all_fen_fields:
                raise CannotPipeline("not all positions are asked about")
            chess960 = True in self._plan.variants
            return PipelinedSession(
                engine, self._examiner.caller, self._plan.timeout, chess960=chess960, is_brief=self._plan.is_brief
            )
        except CannotPipeline as objection:
            self._examiner.caller.check()  # a trial that was stopped says nothing about the engine
            self._send(WorkerNotice(f"{self._examiner.subject.name} is asked one question at a time: {objection}"))
            return None

    def _examine(self, job: ExamineBatch) -> BatchDone:
        if self._guidance is not None:
            self._guidance.adopt(job.reached)
        batch = self._batch(job, lambda new: self._report_progress(batch, new))
        with suppress(Interrupted):
            batch.run()
        self._report_reached()
        self._report_places()
        self._collect_garbage()
        return BatchDone(batch.result, self._examiner.use)

    def _collect_garbage(self) -> None:
        """Free the reference cycles that Hypothesis leaves behind, which can reach hundreds of megabytes.

        After the first batch all loaded objects are frozen, so that later collections are fast.
        """
        gc.collect()
        if not self._is_frozen:
            gc.freeze()
            self._is_frozen = True

    def _batch(self, job: ExamineBatch, report: Callable[[list[Hit]], None]) -> Batch:
        context = BatchContext(self._plan, job.assignment, self._examiner, report, self._guidance)
        session = self._pipelined
        if job.assignment.sweep_cases:
            return SweepBatch(context) if session is None else PipelinedSweepBatch(context, session)
        if job.assignment.is_pipelined and session is not None:
            return PipelinedBatch(context, session)
        return HypothesisBatch(context)

    def _report_progress(self, batch: Batch, new: list[Hit]) -> None:
        now = time.monotonic()
        if new or now - self._reported_at > REPORT_SECONDS:
            self._reported_at = now
            result = batch.result
            self._send(BatchProgress(result.number, result.examples, tuple(new), result.events))
            self._report_reached()

    def _reduce(self, job: ReduceHit) -> HitReduced:
        return HitReduced(job.hit, *reduce(job.hit.discrepancy, max(self._plan.depth, job.hit.depth), self._examiner))


def kernels_for(plan: FuzzPlan) -> Iterator[Specialization]:
    """Yield the kernels that are needed for counting, perft-check's engines, rare events and generated positions.

    They are compiled before the time limit of a run starts. Raises UsageError if an engine cannot be opened.
    """
    subject, *references = (open_session(spec).engine for spec in (plan.engine, *plan.references))
    best = [type(tables())]
    # Recursive kernels come first, because compiling them as part of another kernel takes twice as long.
    yield from specializations_of(best, count_leaves, board_after, generate, census)
    for engine in (subject, *references):
        if engine.uses_kernels:
            yield from engine.kernels(Position.start(), 1)
    if plan.may_pipeline and subject.can_pipeline:
        yield from specializations_of(best, *subject.pipeline_kernels(), write_lines, write_answers, tally)
        if not plan.is_brief:  # this kernel takes half of the compilation time
            yield from specializations_of(best, sample_block)


class _ToParent(logging.Handler):
    """Sends log records to the parent, which prints them without disturbing the display."""

    def __init__(self, report: Callable[[str], None]) -> None:
        super().__init__()
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        self._report(record.getMessage())
