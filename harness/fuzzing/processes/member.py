"""One process of a run, as its parent sees it. It has at most one job."""

from __future__ import annotations

from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from weakref import WeakSet

from ...engines.base import EngineCrash
from ...engines.our_processes import can_fork, starting
from ..plan import FuzzPlan
from .messages import Answer, BatchDone, DrawBatch, Failed, HitReduced, Job, Started, StopJob
from .worker import work

GOODBYE_SECONDS = 3.0
"""How long a process may take to end. It gives itself less time, so that it can end its engines first."""


_pipes: WeakSet[Connection] = WeakSet()
"""Our ends of the pipes to all processes, of whichever run."""


class Member:
    """One process, as its parent sees it."""

    def __init__(self, plan: FuzzPlan) -> None:
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
        self.has_started = False
        """Whether its engines are ready."""

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
            doing = "" if self.job is None else f" at {_describe(self.job)}"
            raise EngineCrash(
                f"a fuzzing process died{doing}, with exit status {self._process.exitcode}: "
                "one of the engines that run in it has brought it down"
            ) from None
        if isinstance(answer, Failed):
            raise answer.error
        self.has_started |= isinstance(answer, Started)
        if isinstance(answer, BatchDone | HitReduced):
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


def _describe(job: Job) -> str:
    return f"batch {job.batch}" if isinstance(job, DrawBatch) else f"reducing {job.hit.discrepancy.line}"
