"""Tasks that know nothing of each other, spread over processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, Protocol, TypeVar

from ..engines.base import EngineCrash
from ..model.shutdown import POLL_SECONDS, Interrupt
from .executor import Executor, TaskContext
from .pool import TaskPool, value_of
from .processes import LocalProcesses

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class Spread(Protocol):
    """Does tasks in several processes, here or elsewhere: `spread` whose executor is known."""

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
    open_executor: Callable[[Callable[[Any], Any]], Executor[Any]],
    tell: Callable[[str], None],
) -> Iterator[tuple[_Task, _Result | None]]:
    """Do the work of each task in a process of its own or of a worker, until an interrupt drops what is under way.

    Yields a task with None when it begins and with its result when it ends, in any order. `tell` is called with what
    the user should know. Raises what `work` does, ClusterError, and EngineCrash with what `describe` says of a task
    that has failed.
    """
    left = deque(tasks)
    begun: list[_Task] = []

    def following() -> _Task | None:
        if not left:
            return None
        begun.append(left.popleft())
        return begun[-1]

    with closing(TaskPool(open_executor(work))) as pool:
        while (left or pool.is_busy) and not interrupt.requested:
            pool.give(following)
            yield from [(task, None) for task in begun]
            begun.clear()
            for task, done in pool.results(POLL_SECONDS):
                yield task, value_of(done, partial(_crash_of, describe(task)))
            for line in pool.news():
                tell(line)


def _crash_of(what: str, failure: str) -> EngineCrash:
    return EngineCrash(f"{what}: {failure}")


def spread_here(processes: int) -> Spread:
    """Return what spreads tasks over so many processes of this machine."""
    return partial(spread, open_executor=partial(LocalProcesses, processes, do_task), tell=lambda _line: None)


def do_task_in_process(context: TaskContext, work: Callable[[_Task], _Result], task: _Task) -> _Result:
    """Do a task in a process of this worker, which does others later."""
    with context.using("processes", partial(LocalProcesses, 1, do_any_task), LocalProcesses.kill) as processes:
        processes.submit(1, (work, task))
        while not (done := processes.receive(POLL_SECONDS)):
            pass
        result: _Result = value_of(done[0], EngineCrash)
        return result


def do_any_task(_context: TaskContext, task: tuple[Callable[[_Task], _Result], _Task]) -> _Result:
    """Do a task in this process by the function that comes with it."""
    work, argument = task
    return work(argument)


def do_task(_context: TaskContext, work: Callable[[_Task], _Result], task: _Task) -> _Result:
    """Do a task in this process."""
    return work(task)
