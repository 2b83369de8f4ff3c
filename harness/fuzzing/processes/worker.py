"""A fuzzing process: it takes jobs from a pipe, one after another, and sends its answers back.

A thread listens to the pipe, so that a question to an engine can be stopped before it is answered.
A broken pipe says that the parent is gone, and ends the process.
"""

from __future__ import annotations

import gc
import logging
import os
import queue
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from typing import Any

from ....errors import UsageError
from ....generator.drawing.known import known_block
from ....generator.events import events_of
from ....generator.kernels.machine.folders import log
from ....generator.line import Line
from ....generator.position import Position
from ...engines import cpu_time
from ...engines.base import EngineError
from ...engines.capabilities import NotAhead, asks_ahead
from ...engines.kinds.own import compile_notice
from ...engines.our_processes import GRACE_SECONDS, become_ours
from ...model.shutdown import InternalError, Interrupted, exit_at_once
from ..ahead.batch import AheadBatch
from ..ahead.engine import AheadEngine
from ..ahead.sweep import AheadSweepBatch
from ..batch import Batch
from ..building import build_examiner
from ..course.meeting import News
from ..model import Hit
from ..plan import FuzzPlan
from ..reduction.reducing import reduce
from ..resuming.again import AgainBatch
from ..resuming.state import KeptFind
from ..sweep import SweepBatch
from .messages import (
    BatchDone,
    DrawBatch,
    Examined,
    Failed,
    HitReduced,
    Job,
    Met,
    ReduceHit,
    SoFar,
    Spent,
    Started,
    StopJob,
    Waiting,
)

TELL_SECONDS = 0.1
"""The least time between two answers that only say how far a batch is."""
SPENT_SECONDS = 0.5
"""The least time between two looks at the processes of the engines, which cost more."""
SO_FAR_SECONDS = 10.0
"""The least time between two answers that have all that is to be kept of a batch which is not done."""

CENSUS, DRAWERS = "census", ("draw_block", "write_answers", "write_lines", "tally")
"""The kernels of the events of a position, and of blocks of drawn positions, which take seconds to compile."""

AnyBatch = Batch | AheadBatch | AgainBatch | SweepBatch | AheadSweepBatch


def work(plan: FuzzPlan, pipe: Connection, copies: list[Connection]) -> None:
    """Do jobs until the pipe is closed. `copies` are the parent's own ends of pipes, which a fork has as well."""
    for copy in copies:
        copy.close()
    become_ours(GRACE_SECONDS)
    log.addHandler(_ToParent(pipe))
    with suppress(OSError):  # the parent is gone
        try:
            with closing(Worker(plan, pipe)) as worker:
                threading.Thread(target=_end_after, args=(worker.dismissed,), daemon=True, name="end").start()
                worker.run()
        except (UsageError, EngineError) as error:
            pipe.send(Failed(error))
        except BaseException:
            pipe.send(Failed(InternalError(traceback.format_exc())))


class _ToParent(logging.Handler):
    """Lets the parent tell what would otherwise be told by every process, in the middle of a display."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        self._pipe.send(Waiting(record.getMessage()))


def _end_after(dismissed: threading.Event) -> None:
    """End this process and its engines, even if a compiler that cannot be stopped is still at work."""
    dismissed.wait()
    time.sleep(GRACE_SECONDS)
    exit_at_once(1)


class Worker:
    """Does the jobs of one fuzzing process."""

    def __init__(self, plan: FuzzPlan, pipe: Connection) -> None:
        self._plan, self._pipe = plan, pipe
        self.dismissed = threading.Event()
        """Set when the pipe is closed."""
        self._examiner, self._is_ready = build_examiner(plan), False
        self._ahead: AheadEngine | None = None
        self._jobs: queue.SimpleQueue[Job | Exception | None] = queue.SimpleQueue()
        """Ended by None, or by what keeps us from hearing of more."""
        self._is_tidy = False
        """Whether a batch is done, and all that was loaded for it is left alone."""
        self._told = self._looked = 0.0
        self._told_all = time.monotonic()
        self._news = News()

    def run(self) -> None:
        """Answer jobs until the pipe is closed."""
        threading.Thread(target=self._listen, daemon=True, name="orders").start()
        while (job := self._jobs.get()) is not None:
            if isinstance(job, Exception):
                raise job
            self._get_ready()
            answer = self._draw(job) if isinstance(job, DrawBatch) else self._reduce(job)
            self._tell_spent()
            self._pipe.send(answer)

    def close(self) -> None:
        """End the engines."""
        self._examiner.close()
        if self._ahead is not None:
            self._ahead.close()

    def _get_ready(self) -> None:
        """Start the engines before the first job. A stop ends only this job; the next one starts new engines."""
        if self._is_ready:
            return
        for notice in self._compile_notices():
            self._pipe.send(Waiting(notice, compiles=True))
        try:
            self._examiner.start()
            if True in self._plan.variants and (insisting := self._examiner.check_chess960()) is not None:
                self._pipe.send(Waiting(insisting))
            for remark in self._examiner.remarks():
                self._pipe.send(Waiting(remark))
            # Kernels compile at their first use, which must not be taken from the time of the plan.
            self._examiner.examine(Line(Position.start()), 1)
            self._ahead = self._opened_ahead()
            if self._ahead is not None:
                castles_to_rook = self._ahead.castles_to_rook(False)
                known_block([Position.start()], [1], chess960=False, castles_to_rook=castles_to_rook)
            limits = self._examiner.limits()
        except Interrupted:  # an engine cannot be started twice
            self._examiner.close()
            self._examiner = build_examiner(self._plan, self._examiner.caller)
            return
        events_of(Position.start())
        self._is_ready = True
        for limit in limits:
            self._pipe.send(Waiting(limit))
        self._pipe.send(Started(self._ahead is not None))

    def _compile_notices(self) -> Iterable[str]:
        """Return what is to be compiled first: for engines of ours, for the events, and for what is drawn ahead."""
        is_ahead = self._plan.may_ask_ahead and asks_ahead(self._examiner.subject)
        kernels = [CENSUS, *(DRAWERS if is_ahead else ())]
        notices = [*self._examiner.notices(), *filter(None, map(compile_notice, kernels))]
        return dict.fromkeys(notices)

    def _opened_ahead(self) -> AheadEngine | None:
        """Return the engine as it is asked ahead, or None where that cannot be."""
        engine = self._examiner.subject
        if not (self._plan.may_ask_ahead and asks_ahead(engine)):
            return None
        try:
            chess960 = True in self._plan.variants
            return AheadEngine(engine, self._examiner.caller, self._plan.timeout, chess960=chess960)
        except NotAhead as objection:
            self._pipe.send(Waiting(f"{self._plan.engine} is asked one question at a time: {objection}"))
            return None

    def _listen(self) -> None:
        while True:
            try:
                order: Any = self._pipe.recv()
            except (EOFError, OSError):
                self._jobs.put(None)
                self._examiner.caller.stop()
                self.dismissed.set()
                return
            except Exception as error:
                self._jobs.put(error)
                return
            if isinstance(order, StopJob):
                self._examiner.caller.stop()
            else:
                self._examiner.caller.resume()
                self._jobs.put(order)

    def _draw(self, job: DrawBatch) -> BatchDone:
        batch = self._batch(job, lambda new: self._tell(batch, new))
        is_stopped = False
        try:
            batch.run()
        except Interrupted:
            is_stopped = True
        self._tell_met(batch)
        self._tidy()
        return BatchDone(batch.result, batch.learned(), is_stopped, self._examiner.use)

    def _tidy(self) -> None:
        """Free the cycles that Hypothesis leaves: hundreds of megabytes until Python would look at all objects.

        What the first batch has loaded stays, and is not looked at again.
        """
        gc.collect()
        if not self._is_tidy:
            gc.freeze()
            self._is_tidy = True

    def _batch(self, job: DrawBatch, tell: Callable[[list[Hit]], None]) -> AnyBatch:
        if job.again:
            return AgainBatch(job.share, job.again, self._examiner, tell, self._tell_gone)
        if job.share.questions and self._ahead is not None:
            return AheadSweepBatch(self._plan, job.share, self._examiner, self._ahead, tell)
        if job.share.questions:
            return SweepBatch(self._plan, job.share, self._examiner, tell)
        if job.share.is_ahead and self._ahead is not None:
            return AheadBatch(self._plan, job.share, self._examiner, self._ahead, tell, job.before)
        return Batch(self._plan, job.share, self._examiner, tell)

    def _tell(self, batch: AnyBatch, new: list[Hit]) -> None:
        now = time.monotonic()
        if new or now - self._told > TELL_SECONDS:
            self._told = now
            so_far = self._so_far(batch, now) if self._plan.is_kept else None
            self._pipe.send(Examined(batch.result.number, batch.result.examples, tuple(new), so_far))
            self._tell_met(batch)
        if now - self._looked > SPENT_SECONDS:
            self._tell_spent()

    def _tell_met(self, batch: AnyBatch) -> None:
        events, pairs = self._news.of(batch.result.events, batch.pairs_met)
        if events or pairs:
            self._pipe.send(Met(events, pairs))

    def _tell_spent(self) -> None:
        self._looked = time.monotonic()
        spent = time.process_time() + cpu_time.used_by_all()
        self._pipe.send(Spent(os.getpid(), spent, cpu_time.used_by(self._examiner.subject.name)))

    def _so_far(self, batch: AnyBatch, now: float) -> SoFar | None:
        if now - self._told_all <= SO_FAR_SECONDS:
            return None
        self._told_all = now
        return SoFar(batch.result.counts(), batch.learned())

    def _tell_gone(self, find: KeptFind) -> None:
        self._pipe.send(Waiting(f"found before, and right now: {find.line}"))

    def _reduce(self, job: ReduceHit) -> HitReduced:
        return HitReduced(job.hit, *reduce(job.hit.discrepancy, max(self._plan.depth, job.hit.depth), self._examiner))
