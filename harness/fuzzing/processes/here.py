"""Processes of this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait

from ....errors import Complaint
from ...model.shutdown import POLL_SECONDS, InternalError
from ..plan import FuzzPlan
from .member import GOODBYE_SECONDS, Member
from .messages import Answer, DrawBatch, Job, ReduceHit


class Here:
    """All processes of a run."""

    def __init__(self, plan: FuzzPlan) -> None:
        self.members = [Member(plan) for _ in range(plan.jobs)]
        """The processes that live, as far as is known."""

    @property
    def idle(self) -> list[Member]:
        """Idle processes."""
        return [member for member in self.members if member.job is None]

    @property
    def busy(self) -> list[Member]:
        """Processes that have a job."""
        return [member for member in self.members if member.job is not None]

    @property
    def is_alive(self) -> bool:
        """Whether any process lives."""
        return bool(self.members)

    @property
    def is_busy(self) -> bool:
        """Whether any process has a job."""
        return bool(self.busy)

    @property
    def is_reducing(self) -> bool:
        """Whether some process reduces a hit."""
        return any(isinstance(member.job, ReduceHit) for member in self.members)

    def give_out(self, next_job: Callable[[], Job | None]) -> None:
        """Give idle processes a job each, until `next_job` returns None."""
        for member in self.idle:
            job = next_job()
            if job is None:
                return
            member.give(job)

    def answers(self) -> Iterator[Answer]:
        """Yield the answers that come within a moment. Raises as `Member.answer` does, and drops that process."""
        by_pipe: dict[object, Member] = {member.pipe: member for member in self.members}
        for pipe in wait([member.pipe for member in self.members], POLL_SECONDS):
            assert isinstance(pipe, Connection)
            member = by_pipe[pipe]
            try:
                answer = member.answer()
            except (Complaint, InternalError):
                self.members.remove(member)
                member.close()
                raise
            yield answer

    def stop(self) -> None:
        """Ask all processes to end their jobs early."""
        for member in self.busy:
            member.stop()

    def stop_batches(self, are_needless: Callable[[int], bool]) -> None:
        """Ask the processes to end those batches early that are no longer needed."""
        for member in self.busy:
            if isinstance(member.job, DrawBatch) and are_needless(member.job.batch):
                member.stop()

    def close(self) -> None:
        """End all processes, which have their time to end side by side."""
        end = time.monotonic() + GOODBYE_SECONDS
        for member in self.members:
            member.dismiss()
        for member in self.members:
            member.close(end - time.monotonic())
