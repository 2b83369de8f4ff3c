"""The processes of a run, each busy with at most one job."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from ...engines.base import EngineCrash, EngineError
from ...engines.our_processes import signals_held_back
from ...model.shutdown import POLL_SECONDS
from ..plan import Plan
from .worker import Answer, Draw, Drawn, Failed, Job, Reduced, StopJob, work

GOODBYE_SECONDS = 3.0
"""How long a process may take to end; longer than it gives itself, so that it ends its engines first."""


class Member:
    """One process, seen from outside."""

    def __init__(self, plan: Plan) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(target=work, args=(plan, theirs), daemon=True)
        with signals_held_back():
            self._process.start()
        theirs.close()
        self.job: Job | None = None
        """What it is busy with."""

    def give(self, job: Job) -> None:
        """Give it a job; it has none."""
        self.job = job
        with suppress(OSError):  # if it is gone, the next answer says so
            self.pipe.send(job)

    def stop(self) -> None:
        """Let it end its job early."""
        if self.job is not None:
            with suppress(OSError):
                self.pipe.send(StopJob())

    def answer(self) -> Answer:
        """Return the answer that is waiting. Raises EngineError, UsageError, RuntimeError where it has failed."""
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

    def close(self) -> None:
        """Let the process end, and see that it does."""
        self.pipe.close()
        self._process.join(GOODBYE_SECONDS)
        if self._process.is_alive():
            self._process.kill()


def _described(job: Job) -> str:
    return f"batch {job.batch}" if isinstance(job, Draw) else f"reducing {job.hit.fault.place}"


class Pool:
    """All processes of a run."""

    def __init__(self, plan: Plan) -> None:
        self.members = [Member(plan) for _ in range(plan.jobs)]
        """Those that live, as far as is known."""

    @property
    def idle(self) -> list[Member]:
        """Who has no job."""
        return [member for member in self.members if member.job is None]

    @property
    def busy(self) -> list[Member]:
        """Who has one."""
        return [member for member in self.members if member.job is not None]

    def answers(self) -> Iterator[tuple[Member, Answer]]:
        """Yield the answers that come within a moment. Raises as `Member.answer` does; who cannot go on is dropped."""
        by_pipe: dict[object, Member] = {member.pipe: member for member in self.members}
        for pipe in wait([member.pipe for member in self.members], POLL_SECONDS):
            assert isinstance(pipe, Connection)
            member = by_pipe[pipe]
            try:
                answer = member.answer()
            except EngineError:
                self.members.remove(member)
                member.close()
                raise
            yield member, answer

    def stop(self) -> None:
        """Let all end their jobs early."""
        for member in self.busy:
            member.stop()

    def close(self) -> None:
        """End all processes."""
        for member in self.members:
            member.close()
