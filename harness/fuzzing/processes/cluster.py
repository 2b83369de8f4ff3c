"""Jobs in a worker of a cluster: each of its threads has a process of ours do one job at a time.

What the process answers on the way is told to the client at once where it is news, else now and then.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ....errors import Complaint
from ...model.shutdown import POLL_SECONDS, InternalError
from ...work.executor import TaskContext
from ...work.worker_state import WORKER
from ..model import Hit
from ..plan import FuzzPlan
from .messages import Answer, BatchDone, Examined, Failed, HitReduced, Job, Met, Spent, Started, Waiting
from .pool import last_answers, processes_here

TELL_SECONDS = 1.0
"""The least time between two messages that have no news."""


@dataclass
class _Told:
    """What a process has answered during one job."""

    started: list[Answer] = field(default_factory=list)
    examined: Examined | None = None
    """The last one, with the hits of all."""
    spent: Spent | None = None
    events: set[int] = field(default_factory=set)
    """Events and pairs that are still to be told."""
    pairs: set[int] = field(default_factory=set)

    def take(self, answer: Answer) -> None:
        """Note an answer."""
        match answer:
            case Started():
                self.started.append(answer)
            case Examined():
                before = () if self.examined is None else self.examined.new
                new = map(_without_history, answer.new)
                self.examined = replace(answer, new=(*before, *new), so_far=None)  # which may be large
            case Spent():
                self.spent = answer
            case Met():
                self.events.update(answer.events)
                self.pairs.update(answer.pairs)

    def so_far(self) -> list[Answer]:
        """Return what can be told now: all of it each time, as messages may get lost, but each thing met once."""
        met: list[Answer] = [Met(tuple(self.events), tuple(self.pairs))] if self.events or self.pairs else []
        self.events.clear()
        self.pairs.clear()
        latest = [answer for answer in (self.examined, self.spent) if answer is not None]
        return [*self.started, *met, *latest]


class _JobProcess:
    """A process of ours in this worker."""

    def __init__(self, plan: FuzzPlan) -> None:
        self._executor = processes_here(replace(plan, jobs=1))
        self._jobs = 0
        self.has_started = False
        """Whether its engines are ready."""

    def answers(self, job: Job) -> Iterator[Answer]:
        """Do a job; yield the answers as they come. Raises as `last_answers` does."""
        self._jobs += 1
        self._executor.submit(self._jobs, job)
        done = None
        while done is None:
            done = next(iter(self._executor.receive(POLL_SECONDS)), None)
            for message in self._executor.messages():
                self.has_started |= any(isinstance(answer, Started) for answer in message.value)
                yield from message.value
        yield from last_answers(job, done)

    def stop(self) -> None:
        """End the job early."""
        self._executor.stop()

    def close(self) -> None:
        """End the process."""
        self._executor.close()


class _Ended(Exception):
    """A process could not go on with its job."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def do_job_in_process(context: TaskContext, plan: FuzzPlan, job: Job) -> Sequence[Answer]:
    """Do a job; return its last answers. Raises UsageError, EngineError where the engines cannot be started here."""
    try:
        with context.using("processes", lambda: _JobProcess(plan), _JobProcess.stop) as process:
            return _relay(context, process, job)
    except _Ended as ended:
        return [Failed(ended.error)]


def _relay(context: TaskContext, process: _JobProcess, job: Job) -> Sequence[Answer]:
    """Have a job done, and tell of it. Raises Complaint where the engines could not be started, and _Ended later."""
    told, since = _Told(), time.monotonic()
    last: list[Answer] = []
    try:
        for answer in process.answers(job):
            if isinstance(answer, BatchDone):
                WORKER.note(positions=answer.result.examples, finds=len(answer.result.first))
            if isinstance(answer, BatchDone | HitReduced):
                last.append(answer)
                continue
            if isinstance(answer, Waiting):
                context.tell([answer])
            told.take(answer)
            is_news = isinstance(answer, Started) or (isinstance(answer, Examined) and answer.new)
            if is_news or time.monotonic() - since > TELL_SECONDS:
                context.tell(told.so_far())
                since = time.monotonic()
    except (Complaint, InternalError) as error:
        if isinstance(error, Complaint) and not process.has_started:
            raise
        raise _Ended(error) from None
    return [*told.so_far(), *last]


def _without_history(hit: Hit) -> Hit:
    return replace(hit, discrepancy=replace(hit.discrepancy, history=()))
