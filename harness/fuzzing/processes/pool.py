"""The pool that distributes the jobs of a run among its processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ...engines.base import EngineCrash
from ...engines.child_processes import GRACE_SECONDS
from ...shutdown import POLL_SECONDS
from ...worker_processes import ENDED_EARLY, Done, ProcessPool, value_of
from ..plan import FuzzPlan
from .messages import ExamineBatch, Job, ReduceHit, WorkerMessage
from .worker import FuzzWorker


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
