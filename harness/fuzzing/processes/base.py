"""What all who do the jobs of a run have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from .messages import Answer, Job


class JobPool(Protocol):
    """Processes that do jobs, each one at a time."""

    @property
    def is_alive(self) -> bool:
        """Whether there is anybody to do a job."""

    @property
    def is_busy(self) -> bool:
        """Whether some job is under way."""

    @property
    def is_reducing(self) -> bool:
        """Whether some process reduces a hit."""

    def give_out(self, next_job: Callable[[], Job | None]) -> None:
        """Give idle processes a job each, until `next_job` returns None."""

    def answers(self) -> Iterator[Answer]:
        """Yield the answers that come within a moment.

        Raises EngineError, UsageError, InternalError, ClusterError where somebody cannot go on, who gets no more jobs.
        """

    def stop(self) -> None:
        """Ask all to end their jobs early."""

    def stop_batches(self, are_needless: Callable[[int], bool]) -> None:
        """Ask for those batches to be ended early that are no longer needed."""

    def close(self) -> None:
        """End all processes."""
