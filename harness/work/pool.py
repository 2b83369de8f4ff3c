"""A pool of tasks: hands them out to an executor, and at the end those again that take long.

`spread` does so for tasks that know nothing of each other.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from ..engines.base import EngineCrash
from ..model.shutdown import POLL_SECONDS, Interrupt
from .executor import Done, Executor, Message, TaskContext
from .processes import LocalProcesses

SLOW = 4
"""What takes so many times as long as others is handed out again, once there is nothing else."""
SLOW_SECONDS = 10.0
"""... if it has been out for so long."""
UNKNOWN_SECONDS = 60.0
"""... or for so long, as long as nothing is done and it is not known how long it takes."""
LOOKED_SECONDS = 0.5
"""How often slow tasks are counted: there may be thousands."""
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


@dataclass(frozen=True, eq=False)
class _PendingTask(Generic[T]):
    """A task that is handed out, each time that it is."""

    task: T
    since: float
    numbers: list[int]
    """Of all times that it is handed out; they share the list."""


class TaskPool(Generic[T]):
    """The tasks of one run; of one that is out twice, the first result counts."""

    def __init__(self, executor: Executor[T], patience: Callable[[T], float] | None = None) -> None:
        """Take what does the tasks, which is closed in the end, and after how many seconds a task is slow.

        Without `patience` a task is slow that has been out for much longer than the mean.
        """
        self._executor, self._patience = executor, patience or self._usual_patience
        self._out: dict[int, _PendingTask[T]] = {}
        self._kept: T | None = None
        """What goes out first once a worker is there."""
        self._number = 0
        self._messages: list[Message] = []
        self._mean = RunningMean()
        """Seconds that a task takes."""
        self._slow_seen, self._looked = 0, 0.0
        """How many tasks were slow, and when that was looked at."""

    @property
    def is_here(self) -> bool:
        """Whether all tasks are done on this machine."""
        return self._executor.is_here

    @property
    def is_busy(self) -> bool:
        """Whether any task is out, or waits for a worker."""
        return bool(self._out) or self._kept is not None

    def capacity(self) -> int:
        """Return how many tasks are done at once; 0 while no worker is there."""
        return self._executor.capacity()

    def out(self) -> dict[int, T]:
        """Return what is out, by the numbers of the tasks."""
        return {number: out.task for number, out in self._out.items()}

    def tasks(self) -> list[T]:
        """Return what is out, or waits for a worker."""
        return [*self.out().values(), *([] if self._kept is None else [self._kept])]

    def progress(self) -> int:
        """Return how far the tasks under way are, all together, as far as that is known."""
        return self._executor.progress()

    def give(self, next_task: Callable[[], T | None], ahead: int = 1) -> None:
        """Hand out tasks until `ahead` of them are out for each that can be done at once, or there are no more."""
        most = ahead * self.capacity()
        # A worker that has a slow task may hang, so another task goes out in its place. No more than `most` go out in
        # the place of slow ones, though: all of these may only wait for their turn.
        while len(self._out) - min(self._slow(), most, len(self._out)) < most:
            task = self._next(next_task)
            if task is None:
                self._give_again()
                return
            self._give(task, [])
        if not most:
            self._kept = self._next(next_task)

    def _next(self, next_task: Callable[[], T | None]) -> T | None:
        kept, self._kept = self._kept, None
        return next_task() if kept is None else kept

    def _give(self, task: T, numbers: list[int]) -> None:
        self._number += 1
        numbers.append(self._number)
        self._out[self._number] = _PendingTask(task, time.monotonic(), numbers)
        self._executor.submit(self._number, task)

    def _slow(self) -> int:
        """Return how many tasks are slow, as it was seen a moment ago."""
        if not self.is_here and time.monotonic() - self._looked > LOOKED_SECONDS:
            self._slow_seen, self._looked = sum(map(self._is_slow, self._out.values())), time.monotonic()
        return self._slow_seen

    def _is_slow(self, out: _PendingTask[T]) -> bool:
        return time.monotonic() - out.since > self._patience(out.task)

    def _usual_patience(self, _task: T) -> float:
        return UNKNOWN_SECONDS if self._mean.value is None else max(SLOW_SECONDS, SLOW * self._mean.value)

    def _give_again(self) -> None:
        """Hand out slow tasks again, as long as a worker is idle; not those that are out again and not slow yet."""
        if self.is_here:
            return
        slow = [out for out in self._out.values() if self._is_slow(out)]
        idle = self.capacity() - (len(self._out) - len(slow))
        latest = [out for out in slow if self._out[out.numbers[-1]] is out]
        for out in latest[: max(0, idle)]:
            self._give(out.task, out.numbers)

    def results(self, seconds: float) -> Iterator[tuple[T, Done]]:
        """Yield what is done, waiting so long for the first. Raises as `Executor.receive` does."""
        received = self._executor.receive(seconds)
        self._messages = [message for message in self._executor.messages() if message.number in self._out]
        for done in received:
            if (out := self._out.pop(done.number, None)) is None:
                continue
            self._mean.add(time.monotonic() - out.since)
            for number in out.numbers:
                if self._out.pop(number, None) is not None:
                    self._executor.take_back(number)
            yield out.task, done

    def messages(self) -> list[Message]:
        """Return what workers had told, when it was looked for results, of the tasks that were out."""
        return self._messages

    def news(self) -> list[str]:
        """Return what the user should know, each line once."""
        return self._executor.news()

    def stop(self) -> None:
        """Have all tasks end early, with what they have, and hand out none that waits."""
        self._kept = None
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
