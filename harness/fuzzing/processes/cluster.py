"""Processes of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...cluster.client import Cluster
from ...cluster.executor import DaskExecutor
from ...engines.base import EngineCrash
from ...model.shutdown import POLL_SECONDS
from ...work.executor import Done
from ...work.pool import TaskPool, value_of
from ..plan import FuzzPlan
from .messages import Answer, DrawBatch, Failed, Job, ReduceHit, Spent, Waiting
from .remote import do_job


class InCluster:
    """Hands jobs out to the workers of a cluster."""

    is_alive = True

    def __init__(self, plan: FuzzPlan, cluster: Cluster) -> None:
        """Take a cluster, which is closed in the end."""
        self._pool: TaskPool[Job] = TaskPool(DaskExecutor(cluster, do_job, plan))
        self._stopped: set[int] = set()
        """Tasks that were asked to end."""
        self._processes: dict[tuple[str, int], int] = {}
        """Numbers of the processes that have told what they have spent."""

    @property
    def is_busy(self) -> bool:
        """Whether any job is out."""
        return self._pool.is_busy

    @property
    def is_reducing(self) -> bool:
        """Whether some process reduces a hit."""
        return any(isinstance(job, ReduceHit) for job in self._pool.tasks())

    def give_out(self, next_job: Callable[[], Job | None]) -> None:
        """Hand out jobs for all threads of the workers; at the end those again that take long."""
        self._pool.give(next_job)

    def answers(self) -> Iterator[Answer]:
        """Yield the answers that come within a moment.

        Raises ClusterError where all workers were refused, and whatever has ended a process.
        """
        done = list(self._pool.results(POLL_SECONDS))
        yield from map(Waiting, self._pool.news())
        for message in self._pool.messages():
            yield from self._of(message.worker, message.value)
        for _, one in sorted(done, key=_has_failed):  # a failure ends the run: what others have done comes first
            yield from self._of(one.worker, value_of(one, EngineCrash))

    def _of(self, worker: str, answers: Sequence[Answer]) -> Iterator[Answer]:
        """Yield the answers of a worker as those of a process here. Raises what it failed by."""
        for answer in answers:
            match answer:
                case Failed():
                    raise answer.error
                case Spent():
                    yield replace(answer, process=self._process(worker, answer.process))
                case Waiting():
                    yield Waiting(f"{worker}: {answer.notice}")
                case _:
                    yield answer

    def _process(self, worker: str, process: int) -> int:
        return self._processes.setdefault((worker, process), len(self._processes))

    def stop(self) -> None:
        """Ask all to end their jobs early."""
        self._pool.stop()

    def stop_batches(self, are_needless: Callable[[int], bool]) -> None:
        """Ask for those batches to be ended early that are no longer needed."""
        batches = {number: job.batch for number, job in self._pool.out().items() if isinstance(job, DrawBatch)}
        needless = {number for number, batch in batches.items() if are_needless(batch)} - self._stopped
        if needless:
            self._stopped |= needless
            self._pool.stop_some(frozenset(needless))

    def close(self) -> None:
        """Take back what is out, and disconnect."""
        self._pool.close()


def _has_failed(done: tuple[Job, Done]) -> bool:
    _, one = done
    return bool(one.failure) or any(isinstance(answer, Failed) for answer in one.value)
