"""The pool that distributes the jobs of a run among its processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...engines.base import EngineCrash
from ...engines.child_processes import GRACE_SECONDS
from ...shutdown import POLL_SECONDS
from ...work.pool import TaskPool, value_of
from ...work.processes import LocalProcesses
from ...work.tasks import ENDED_EARLY, Done
from ..plan import FuzzPlan
from .messages import ExamineBatch, Job, ReduceHit, WorkerMessage
from .worker import do_job


def processes_here(plan: FuzzPlan) -> LocalProcesses:
    """Start the processes of a plan on this machine; those that die are not replaced."""
    return LocalProcesses(plan.jobs, do_job, plan, forks=True, grace_seconds=GRACE_SECONDS)


class JobPool(TaskPool[Job]):
    """Gives each process one job at a time, and yields their messages and results."""

    def __init__(self, processes: LocalProcesses) -> None:
        super().__init__(processes)
        self._stopped: set[int] = set()
        """Tasks that were told to stop."""

    @property
    def is_alive(self) -> bool:
        """Whether any process is left to run jobs."""
        return self.capacity() > 0

    @property
    def is_reducing(self) -> bool:
        """Whether a process is reducing a hit."""
        return any(isinstance(job, ReduceHit) for job in self.out().values())

    def answers(self) -> Iterator[WorkerMessage]:
        """Yield the messages that arrive within a short time.

        Raises EngineError, UsageError or InternalError if a process fails; that process gets no more jobs.
        """
        done = list(self.results(POLL_SECONDS))
        for message in self.messages():
            yield from message.value
        for job, one in sorted(done, key=_has_failed):  # results come first, because a failure ends the run
            yield from last_answers(job, one)

    def stop_batches(self, is_needless: Callable[[int], bool]) -> None:
        """Stop the batches that are no longer needed."""
        batches = {number: job.batch for number, job in self.out().items() if isinstance(job, ExamineBatch)}
        needless = {number for number, batch in batches.items() if is_needless(batch)} - self._stopped
        if needless:
            self._stopped |= needless
            self.stop_some(frozenset(needless))


def _has_failed(done: tuple[Job, Done]) -> bool:
    _, one = done
    return bool(one.failure) or one.error is not None


def last_answers(job: Job, done: Done) -> Sequence[WorkerMessage]:
    """Return the results of a job; none if it was not started.

    Raises EngineCrash, which names the job, if its process died. Any other error of the job is raised unchanged.
    """
    if done.failure == ENDED_EARLY:
        return []
    if done.exit_status is not None:
        raise EngineCrash(
            f"a fuzzing process died at {_describe(job)}, with exit status {done.exit_status}: "
            "one of the engines that run in it has brought it down"
        )
    answers: Sequence[WorkerMessage] = value_of(done, EngineCrash)
    return answers


def _describe(job: Job) -> str:
    return f"batch {job.batch}" if isinstance(job, ExamineBatch) else f"reducing {job.hit.discrepancy.game}"
