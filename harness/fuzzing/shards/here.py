"""Threads of this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from ....generator.kernels.machine.control import Control
from ....generator.soaking import SoakResult
from ...model.shutdown import POLL_SECONDS
from ..plan import Plan
from .base import Shard, play


class Here:
    """Plays in threads."""

    is_here = True

    def __init__(self, plan: Plan) -> None:
        """Start as many threads as the plan says."""
        self._jobs = plan.jobs
        self._threads = ThreadPoolExecutor(plan.jobs)
        self._out: dict[Future[SoakResult], tuple[Shard, Control]] = {}

    @property
    def are_busy(self) -> bool:
        """Whether any shard is under way."""
        return bool(self._out)

    @property
    def positions(self) -> int:
        """Positions of the shards under way that were met so far."""
        return sum(control.nodes for _, control in self._out.values())

    def give(self, next_shard: Callable[[], Shard | None]) -> None:
        """Give idle threads a shard each."""
        while len(self._out) < self._jobs and (shard := next_shard()) is not None:
            control = Control()
            self._out[self._threads.submit(play, shard, control)] = shard, control

    def done(self) -> Iterator[tuple[Shard, SoakResult]]:
        """Yield the shards that are done within a moment."""
        for future in wait(self._out, POLL_SECONDS, FIRST_COMPLETED).done:
            shard, _ = self._out.pop(future)
            yield shard, future.result()

    def news(self) -> list[str]:
        """Return nothing."""
        return []

    def stop(self) -> None:
        """End the shards under way early."""
        for _, control in self._out.values():
            control.stop()

    def close(self) -> None:
        """End the threads."""
        self.stop()
        self._threads.shutdown()
