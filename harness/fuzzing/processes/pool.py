"""The processes of a run. Each has at most one job."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from weakref import WeakSet

from ....errors import Complaint
from ...engines.base import EngineCrash
from ...engines.our_processes import can_fork, starting
from ...model.shutdown import POLL_SECONDS, InternalError
from ..plan import Plan
from .messages import Answer, Draw, Drawn, Failed, Job, Reduce, Reduced, StopJob
from .worker import work

GOODBYE_SECONDS = 3.0
"""How long a process may take to end. It gives itself less time, so that it can end its engines first."""


_pipes: WeakSet[Connection] = WeakSet()
"""Our ends of the pipes to all processes, of whichever run."""


class Member:
    """One process, as its parent sees it."""

    def __init__(self, plan: Plan) -> None:
        """Start a process."""
        forks = can_fork()
        kind: type[BaseProcess] = get_context("fork").Process if forks else get_context("spawn").Process
        self.pipe, theirs = Pipe()
        _pipes.add(self.pipe)
        # A pipe is closed once nobody has an end of it, and a fork has copies of all that we have.
        copies = list(_pipes) if forks else []
        self._process = kind(target=work, args=(plan, theirs, copies), daemon=True)
        with starting():
            self._process.start()
        theirs.close()
        self.job: Job | None = None
        """The job that it is doing."""

    def give(self, job: Job) -> None:
        """Give an idle process a job."""
        self.job = job
        with suppress(OSError):  # `answer` reports a process that is gone
            self.pipe.send(job)

    def stop(self) -> None:
        """Ask the process to end its job early."""
        if self.job is not None:
            with suppress(OSError):
                self.pipe.send(StopJob())

    def answer(self) -> Answer:
        """Return the answer that is waiting. Raises EngineError, UsageError, InternalError where it has failed."""
        try:
            answer: Answer = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join(GOODBYE_SECONDS)
            doing = "" if self.job is None else f" at {_described(self.job)}"
            raise EngineCrash(
                f"a fuzzing process died{doing}, with exit status {self._process.exitcode}: "
                "one of the engines that run in it has brought it down"
            ) from None
        if isinstance(answer, Failed):
            raise answer.error
        if isinstance(answer, Drawn | Reduced):
            self.job = None
        return answer

    def dismiss(self) -> None:
        """Tell the process to end."""
        self.pipe.close()

    def close(self, seconds: float = GOODBYE_SECONDS) -> None:
        """End the process; it has so long to do that by itself."""
        self.dismiss()
        self._process.join(max(0.0, seconds))
        if self._process.is_alive():
            self._process.kill()


def _described(job: Job) -> str:
    return f"batch {job.batch}" if isinstance(job, Draw) else f"reducing {job.hit.discrepancy.line}"


class Pool:
    """All processes of a run."""

    def __init__(self, plan: Plan) -> None:
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
    def is_reducing(self) -> bool:
        """Whether some process reduces a hit."""
        return any(isinstance(member.job, Reduce) for member in self.members)

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
            if isinstance(member.job, Draw) and are_needless(member.job.batch):
                member.stop()

    def close(self) -> None:
        """End all processes, which have their time to end side by side."""
        end = time.monotonic() + GOODBYE_SECONDS
        for member in self.members:
            member.dismiss()
        for member in self.members:
            member.close(end - time.monotonic())
