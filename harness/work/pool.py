"""A pool of tasks: hands them out to an executor.

`spread` does so for tasks that know nothing of each other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from ..engines.base import EngineCrash
from ..model.shutdown import POLL_SECONDS, Interrupt
from .executor import Done, Executor, Message, TaskContext
from .processes import LocalProcesses

WEIGHT = 0.2
"""Of the latest value in a mean."""

T = TypeVar("T")
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class RunningMean:
    """A mean in which what came long ago counts for little."""

    value: float | None = None
    """None before the first value."""

    def add(self, value: float) -> None:
        """Take the latest value in."""
        self.value = value if self.value is None else (1 - WEIGHT) * self.value + WEIGHT * value


class TaskSizing:
    """How many items make a task: few until it is known how long they take, fewer towards the end."""

    def __init__(self, seconds: float, fewest: int, most: int, ahead: int) -> None:
        """Take how long a task is to take, its first and its largest size, and how many are out for each worker."""
        self._seconds, self._fewest, self._most, self._ahead = seconds, fewest, most, ahead
        self.mean = RunningMean()
        """Seconds that an item takes."""

    def learn(self, seconds: float, items: int) -> None:
        """Learn from a task how long its items take."""
        self.mean.add(seconds / max(1, items))

    def size(self, left: int, capacity: int) -> int:
        """Return the size of the next task, of which `left` items are left for all that are to come."""
        mean = self.mean.value
        most = self._fewest if mean is None else int(self._seconds / max(mean, self._seconds / self._most))
        fair = left // (self._ahead * max(1, capacity))
        return max(1, min(most, fair))


class TaskPool(Generic[T]):
    """The tasks of one run, as they are handed out."""

    def __init__(self, executor: Executor[T]) -> None:
        """Take what does the tasks, which is closed in the end."""
        self._executor = executor
        self._out: dict[int, T] = {}
        self._number = 0
        self._messages: list[Message] = []

    @property
    def is_busy(self) -> bool:
        """Whether any task is out."""
        return bool(self._out)

    def capacity(self) -> int:
        """Return how many tasks are done at once; 0 while no worker is there."""
        return self._executor.capacity()

    def out(self) -> dict[int, T]:
        """Return what is out, by the numbers of the tasks."""
        return dict(self._out)

    def give(self, next_task: Callable[[], T | None], ahead: int = 1) -> None:
        """Hand out tasks until `ahead` of them are out for each that can be done at once, or there are no more."""
        most = ahead * self.capacity()
        while len(self._out) < most and (task := next_task()) is not None:
            self._number += 1
            self._out[self._number] = task
            self._executor.submit(self._number, task)

    def results(self, seconds: float) -> Iterator[tuple[T, Done]]:
        """Yield what is done, waiting so long for the first. Raises as `Executor.receive` does."""
        received = self._executor.receive(seconds)
        self._messages = [message for message in self._executor.messages() if message.number in self._out]
        for done in received:
            if done.number in self._out:
                yield self._out.pop(done.number), done

    def messages(self) -> list[Message]:
        """Return what workers had told, when it was looked for results, of the tasks that were out."""
        return self._messages

    def news(self) -> list[str]:
        """Return what the user should know, each line once."""
        return self._executor.news()

    def stop(self) -> None:
        """Have all tasks end early, with what they have."""
        self._executor.stop()

    def stop_some(self, numbers: frozenset[int]) -> None:
        """Have some of the tasks end early that are out."""
        self._executor.stop(numbers)

    def close(self) -> None:
        """End all tasks."""
        self._executor.close()


def value_of(done: Done, failed: Callable[[str], Exception]) -> Any:
    """Return what was done. Raises what the task has raised, and what `failed` makes of a failure."""
    if done.error is not None:
        raise done.error
    if done.failure:
        raise failed(done.failure)
    return done.value


class Spread(Protocol):
    """Does tasks in several processes: `spread`, for a number of them."""

    def __call__(
        self,
        work: Callable[[_Task], _Result],
        tasks: Iterable[_Task],
        interrupt: Interrupt,
        describe: Callable[[_Task], str],
        /,
    ) -> Iterator[tuple[_Task, _Result | None]]:
        """Yield as `spread` does."""


def spread(
    work: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    interrupt: Interrupt,
    describe: Callable[[_Task], str],
    *,
    processes: int,
) -> Iterator[tuple[_Task, _Result | None]]:
    """Do the work of tasks in processes, until an interrupt drops what is under way.

    Yields a task with None when it begins and with its result when it ends, in any order. Raises what `work` does, and
    EngineCrash with what `describe` says of a task that has failed.
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


def spread_here(processes: int) -> Spread:
    """Return what spreads tasks over so many processes of this machine."""
    return partial(spread, processes=processes)


def do_task(_context: TaskContext, work: Callable[[_Task], _Result], task: _Task) -> _Result:
    """Do a task in this process."""
    return work(task)
