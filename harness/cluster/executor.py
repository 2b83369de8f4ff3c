"""An executor whose tasks are done by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..work.executor import Done, Message, TaskFunction
from .client import Cluster


class DaskExecutor:
    """Has tasks done by the workers of a cluster."""

    is_here = False

    def __init__(self, cluster: Cluster, work: TaskFunction[...], *words: object) -> None:
        """Take a cluster, and what its workers do: `work`, with these words. The cluster is closed in the end."""
        self._cluster, self._work, self._words = cluster, work, words

    def capacity(self) -> int:
        """Return how many threads the workers have."""
        return self._cluster.capacity()

    def submit(self, number: int, task: object) -> None:
        """Have a task done."""
        self._cluster.submit(number, self._work, *self._words, task)

    def receive(self, seconds: float) -> Sequence[Done]:
        """Return what is done. Raises ClusterError where all workers were refused."""
        return [
            replace(done, failure=f"a worker could not do its work: {done.failure}") if done.failure else done
            for done in self._cluster.done(seconds)
        ]

    def messages(self) -> Sequence[Message]:
        """Return what workers told of their tasks before `receive` was called last."""
        return [Message(one.number, one.worker, one.value) for one in self._cluster.messages()]

    def progress(self) -> int:
        """Return 0: workers do not say how far their tasks are."""
        return 0

    def take_back(self, number: int) -> None:
        """Forget a task: nobody waits for its result any more."""
        self._cluster.take_back(number)

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Have tasks end early."""
        self._cluster.stop(numbers)

    def dismiss(self, worker: str) -> None:
        """Have nothing more done by a worker."""
        self._cluster.dismiss(worker)

    def news(self) -> list[str]:
        """Return what the user should know."""
        return self._cluster.news()

    def close(self) -> None:
        """Take back what is out, and disconnect."""
        self._cluster.close()
