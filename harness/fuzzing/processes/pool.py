"""The jobs of a run, handed out to processes of this machine or to the workers of a cluster.

In a worker each thread has a process of ours do one job at a time. What the process answers on the way is told to the
client at once where it is news, else now and then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ....errors import Complaint
from ...engines.base import EngineCrash
from ...engines.our_processes import GRACE_SECONDS
from ...model.shutdown import POLL_SECONDS, InternalError
from ...work.executor import ENDED_EARLY, Done, Executor, TaskContext
from ...work.pool import TaskPool, value_of
from ...work.processes import LocalProcesses
from ...work.worker_state import WORKER
from ..course import Met, Spent
from ..plan import FuzzPlan
from .messages import Answer, BatchDone, DrawBatch, Examined, Failed, HitReduced, Job, ReduceHit, Started, Waiting
from .worker import do_job


def processes_here(plan: FuzzPlan) -> LocalProcesses:
    """Start as many processes of this machine as a plan says, which do jobs; those that are lost are not replaced."""
    return LocalProcesses(plan.jobs, do_job, plan, forks=True, grace_seconds=GRACE_SECONDS, replaces=False)


class JobPool(TaskPool[Job]):
    """Hands jobs out, each process has one at a time, and yields what is answered on the way and in the end."""

    def __init__(self, executor: Executor[Job]) -> None:
        """Take what does the jobs, by `do_job` or a function that has it called; it is closed in the end."""
        super().__init__(executor)
        self._stopped: set[int] = set()
        """Tasks that were asked to end."""
        self._processes: dict[tuple[str, int], int] = {}
        """Numbers of the processes that have told what they have spent."""

    @property
    def is_alive(self) -> bool:
        """Whether there is anybody to do a job; to a cluster somebody may come."""
        return not self.is_here or self.capacity() > 0

    @property
    def is_reducing(self) -> bool:
        """Whether some process reduces a hit."""
        return any(isinstance(job, ReduceHit) for job in self.tasks())

    def answers(self) -> Iterator[Answer]:
        """Yield the answers that come within a moment.

        Raises EngineError, UsageError, InternalError where a process cannot go on, which gets no more jobs, and
        ClusterError where all workers were refused.
        """
        done = list(self.results(POLL_SECONDS))
        yield from map(Waiting, self.news())
        for message in self.messages():
            yield from self._of(message.worker, message.value)
        for job, one in sorted(done, key=_has_failed):  # a failure ends the run: what others have done comes first
            yield from self._of(one.worker, last_answers(job, one))

    def _of(self, worker: str, answers: Sequence[Answer]) -> Iterator[Answer]:
        """Yield answers, in which processes are numbered. Raises what a process has failed by."""
        for answer in answers:
            match answer:
                case Failed():
                    raise answer.error
                case Spent():
                    yield replace(answer, process=self._process(worker, answer.process))
                case Waiting() if not self.is_here:
                    yield Waiting(f"{worker}: {answer.notice}")
                case _:
                    yield answer

    def _process(self, worker: str, process: int) -> int:
        return self._processes.setdefault((worker, process), len(self._processes))

    def stop_batches(self, are_needless: Callable[[int], bool]) -> None:
        """Ask for those batches to be ended early that are no longer needed."""
        batches = {number: job.batch for number, job in self.out().items() if isinstance(job, DrawBatch)}
        needless = {number for number, batch in batches.items() if are_needless(batch)} - self._stopped
        if needless:
            self._stopped |= needless
            self.stop_some(frozenset(needless))


def _has_failed(done: tuple[Job, Done]) -> bool:
    _, one = done
    return bool(one.failure) or one.error is not None or any(isinstance(answer, Failed) for answer in one.value)


def last_answers(job: Job, done: Done) -> Sequence[Answer]:
    """Return the answers with which a job ends, none where it was not begun.

    Raises EngineCrash with the job where its process has died, and what else a process has failed by.
    """
    if done.failure == ENDED_EARLY:
        return []
    if done.exit_status is not None:
        raise EngineCrash(
            f"a fuzzing process died at {_describe(job)}, with exit status {done.exit_status}: "
            "one of the engines that run in it has brought it down"
        )
    answers: Sequence[Answer] = value_of(done, EngineCrash)
    return answers


def _describe(job: Job) -> str:
    return f"batch {job.batch}" if isinstance(job, DrawBatch) else f"reducing {job.hit.discrepancy.line}"


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
                new = (replace(hit, discrepancy=replace(hit.discrepancy, history=())) for hit in answer.new)
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


class _ProcessFailure(Exception):
    """A process could not go on with its job."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def do_job_in_process(context: TaskContext, plan: FuzzPlan, job: Job) -> Sequence[Answer]:
    """Do a job; return its last answers. Raises UsageError, EngineError where the engines cannot be started here."""
    try:
        with context.using("processes", lambda: _JobProcess(plan), _JobProcess.stop) as process:
            return _relay(context, process, job)
    except _ProcessFailure as ended:
        return [Failed(ended.error)]


def _relay(context: TaskContext, process: _JobProcess, job: Job) -> Sequence[Answer]:
    """Have a job done, and tell of it. Raises Complaint where engines could not be started, _ProcessFailure later."""
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
        raise _ProcessFailure(error) from None
    return [*told.so_far(), *last]
