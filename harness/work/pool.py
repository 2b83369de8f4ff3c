"""A pool that hands out tasks to processes, and `spread`, which executes independent tasks in processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, Generic, TypeVar

from ..engines.base import EngineCrash
from ..shutdown import POLL_SECONDS, Interrupt
from .processes import LocalProcesses
from .tasks import Done, Message, TaskContext

T = TypeVar("T")
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class TaskPool(Generic[T]):
    """The tasks of one run and their processes."""

    def __init__(self, processes: LocalProcesses) -> None:
        """Create a pool that uses these processes, which `close` also closes."""
        self._processes = processes
        self._out: dict[int, T] = {}
        self._number = 0
        self._messages: list[Message] = []

    @property
    def is_busy(self) -> bool:
        """Whether any task that was handed out is unfinished."""
        return bool(self._out)

    def capacity(self) -> int:
        """Return the number of processes."""
        return self._processes.capacity()

    def out(self) -> dict[int, T]:
        """Return the unfinished tasks that were handed out, by number."""
        return dict(self._out)

    def give(self, next_task: Callable[[], T | None]) -> None:
        """Hand out tasks until each process has a task or no tasks are left."""
        while len(self._out) < self.capacity() and (task := next_task()) is not None:
            self._number += 1
            self._out[self._number] = task
            self._processes.submit(self._number, task)

    def results(self, seconds: float) -> Iterator[tuple[T, Done]]:
        """Yield finished tasks, waiting at most `seconds` for the first one."""
        self._messages.clear()
        for answer in self._processes.receive(seconds):
            if answer.number not in self._out:
                continue
            if isinstance(answer, Message):
                self._messages.append(answer)
            else:
                yield self._out.pop(answer.number), answer

    def messages(self) -> list[Message]:
        """Return the messages that the last call of `results` received."""
        return list(self._messages)

    def stop(self) -> None:
        """Stop all tasks; they return partial results."""
        self._processes.stop()

    def stop_some(self, numbers: frozenset[int]) -> None:
        """Stop some tasks; they return partial results."""
        self._processes.stop(numbers)

    def close(self) -> None:
        """Stop all tasks and end the processes."""
        self._processes.close()


def value_of(done: Done, failed: Callable[[str], Exception]) -> Any:
    """Return the value of a task. Raises the task's exception, or `failed(message)` if it failed without one."""
    if done.error is not None:
        raise done.error
    if done.failure:
        raise failed(done.failure)
    return done.value


def spread(
    work: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    processes: int,
    interrupt: Interrupt,
    describe: Callable[[_Task], str],
) -> Iterator[tuple[_Task, _Result | None]]:
    """Execute independent tasks in processes. An interrupt drops unfinished tasks.

    Yield each task with None when it begins and with its result when it ends, in any order. Exceptions of `work`
    propagate. Raises EngineCrash with the description of the task if its process dies.
    """
    left = deque(tasks)
    begun: list[_Task] = []

    def following() -> _Task | None:
        if not left:
            return None
        begun.append(left.popleft())
        return begun[-1]

    pool: TaskPool[_Task] = TaskPool(LocalProcesses(processes, do_task, work))
    with closing(pool):
        while (left or pool.is_busy) and not interrupt.requested:
            pool.give(following)
            yield from [(task, None) for task in begun]
            begun.clear()
            for task, done in pool.results(POLL_SECONDS):
                yield task, value_of(done, partial(_crash_of, describe(task)))


def _crash_of(what: str, failure: str) -> EngineCrash:
    return EngineCrash(f"{what}: {failure}")


def do_task(_context: TaskContext, work: Callable[[_Task], _Result], task: _Task) -> _Result:
    """Execute a task in this process."""
    return work(task)
