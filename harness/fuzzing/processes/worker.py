"""A process that works off batches and reductions, one job after another.

It is told what to do through a pipe and answers through it. A thread listens, so that it can be
stopped in the middle of a question; when the pipe breaks, its parent is gone, and it ends.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from contextlib import closing, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from ....errors import UsageError
from ....generator.events import events_of
from ....generator.line import Line
from ....generator.position import Position
from ...engines.base import EngineError
from ...engines.our_processes import GRACE_SECONDS, become_ours
from ...model.interrupt import Interrupted
from ...model.outliving import exit_at_once
from ..batch import Batch, BatchResult
from ..building import build_examiner
from ..model import Fault, Hit
from ..plan import Plan
from ..reduction.reducing import reduce

TELL_SECONDS = 0.1


@dataclass(frozen=True)
class Draw:
    """A job: examine a batch."""

    batch: int


@dataclass(frozen=True)
class Reduce:
    """A job: reduce a fault."""

    hit: Hit


@dataclass(frozen=True)
class StopJob:
    """An order to end the job under way."""


@dataclass(frozen=True)
class Started:
    """An answer: the engines are ready."""


@dataclass(frozen=True)
class Waiting:
    """An answer: what starting waits for."""

    notice: str


@dataclass(frozen=True)
class Examined:
    """An answer: so many examples of the batch are done, and these kinds of faults are new."""

    batch: int
    examples: int
    new: tuple[Hit, ...]


@dataclass(frozen=True)
class Drawn:
    """An answer: a batch is done, or was stopped."""

    result: BatchResult


@dataclass(frozen=True)
class Reduced:
    """An answer: a fault is reduced, or the reduction was stopped."""

    hit: Hit
    fault: Fault
    depth: int
    """At this depth the place of the fault shows it."""
    comes_again: bool
    """Whether it did so."""


@dataclass(frozen=True)
class Failed:
    """An answer: it cannot go on."""

    error: Exception


Job = Draw | Reduce
Answer = Started | Waiting | Examined | Drawn | Reduced | Failed


def work(plan: Plan, pipe: Connection) -> None:
    """Answer jobs until the pipe is closed."""
    become_ours(GRACE_SECONDS)
    with suppress(OSError):  # the parent is gone
        try:
            with closing(Worker(plan, pipe)) as worker:
                threading.Thread(target=_end_after, args=(worker.dismissed,), daemon=True, name="end").start()
                worker.run()
        except (UsageError, EngineError) as error:
            pipe.send(Failed(error))
        except OSError:
            raise
        except Exception:
            pipe.send(Failed(RuntimeError(traceback.format_exc())))


def _end_after(dismissed: threading.Event) -> None:
    """End this process and its engines, should a compiler that heeds nothing keep it from ending by itself."""
    dismissed.wait()
    time.sleep(GRACE_SECONDS)
    exit_at_once(1)


class Worker:
    """Does the jobs of one fuzzing process."""

    def __init__(self, plan: Plan, pipe: Connection) -> None:
        self._plan, self._pipe = plan, pipe
        self.dismissed = threading.Event()
        """Set when the pipe is closed."""
        self._examiner, self._is_ready = build_examiner(plan), False
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._told = 0.0

    def run(self) -> None:
        """Answer jobs until the pipe is closed."""
        threading.Thread(target=self._listen, daemon=True, name="orders").start()
        while (job := self._jobs.get()) is not None:
            self._get_ready()
            self._pipe.send(self._draw(job) if isinstance(job, Draw) else self._reduce(job))

    def close(self) -> None:
        """End the engines."""
        self._examiner.close()

    def _get_ready(self) -> None:
        """Start the engines before the first job; a stop ends this job only, and the next one starts others."""
        if self._is_ready:
            return
        for notice in self._examiner.notices():
            self._pipe.send(Waiting(notice))
        try:
            self._examiner.start()
            # Whatever is still to be compiled must not be taken from the time of the plan.
            self._examiner.examine(Line(Position.start()), 1)
        except Interrupted:  # an engine is started once only
            self._examiner.close()
            self._examiner = build_examiner(self._plan, self._examiner.caller)
            return
        events_of(Position.start())
        self._is_ready = True
        self._pipe.send(Started())

    def _listen(self) -> None:
        while True:
            try:
                order: Any = self._pipe.recv()
            except (EOFError, OSError):
                self._jobs.put(None)
                self._examiner.caller.stop()
                self.dismissed.set()
                return
            if isinstance(order, StopJob):
                self._examiner.caller.stop()
            else:
                self._examiner.caller.resume()
                self._jobs.put(order)

    def _draw(self, job: Draw) -> Drawn:
        batch = Batch(self._plan, job.batch, self._examiner, lambda new: self._tell(batch.result, new))
        with suppress(Interrupted):
            batch.run()
        return Drawn(batch.result)

    def _tell(self, result: BatchResult, new: list[Hit]) -> None:
        if new or time.monotonic() - self._told > TELL_SECONDS:
            self._told = time.monotonic()
            self._pipe.send(Examined(result.number, result.examples, tuple(new)))

    def _reduce(self, job: Reduce) -> Reduced:
        return Reduced(job.hit, *reduce(job.hit.fault, self._plan.depth, self._examiner))
