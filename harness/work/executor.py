"""What does tasks: the one interface of threads, processes and clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from .worker_state import WORKER, T, UnderWay

Words = ParamSpec("Words")
Task = TypeVar("Task", contravariant=True)


ENDED_EARLY = "it was ended early"
"""Why a task has no value that was stopped on request, or not begun."""


@dataclass(frozen=True)
class Done:
    """What has become of a task."""

    number: int
    worker: str
    value: Any = None
    failure: str = ""
    """Why there is no value."""
    exit_status: int | None = None
    """That of the process which has died at the task."""
    error: BaseException | None = None
    """What the task has raised: no failure of one task, but a mistake of the user, or a fault of ours."""


@dataclass(frozen=True)
class Message:
    """What a worker tells of a task before it ends."""

    number: int
    worker: str
    value: Any


class TaskContext:
    """Where a task is done: in which worker, and for which run."""

    def __init__(self, run: str, number: int, tell: Callable[[object], None]) -> None:
        """Take the run, the number of the task, and the function that sends messages before the task ends."""
        self.run, self.tell, self._number = run, tell, number

    def keep(self, what: object, make: Callable[[], T]) -> T:
        """Return what is opened once in this worker for the run. Raises what `make` raises."""
        return WORKER.keep(self.run, what, make)

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Have the task end early by `stop` in this block, if that is wanted."""
        with WORKER.stopping(self.run, UnderWay(self._number, stop)):
            yield


TaskFunction = Callable[Concatenate[TaskContext, Words], Any]
"""A function that does a task: of its context, of words that all tasks have in common, and of the task.

It can be pickled where others than threads are to call it.
"""


class Executor(Protocol, Generic[Task]):
    """Does tasks, as many at once as its capacity."""

    def capacity(self) -> int:
        """Return how many tasks are done at once; 0 while no worker is there."""

    def submit(self, number: int, task: Task, /) -> None:
        """Have a task done, under a number that was not used before."""

    def receive(self, seconds: float) -> Sequence[Done]:
        """Return what is done, waiting so long for the first.

        Raises ClusterError where no worker is left.
        """

    def messages(self) -> Sequence[Message]:
        """Return what workers told of their tasks before `receive` was called last."""

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Have tasks end early, those given or all, with what they have."""

    def news(self) -> list[str]:
        """Return what the user should know, each line once."""

    def close(self) -> None:
        """End all tasks; their results are lost."""
