"""Work on many things that know nothing of each other, spread over the processes of a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from ..engines.base import EngineCrash
from ..engines.our_processes import ProcessPool
from ..model.shutdown import POLL_SECONDS, Interrupt
from .client import Cluster
from .handing import Handing, value_of
from .remote import Site

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def spread(
    work: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    interrupt: Interrupt,
    doing: Callable[[_Task], str],
    *,
    cluster: Cluster,
    tell: Callable[[str], None],
) -> Iterator[tuple[_Task, _Result | None]]:
    """Do the work of each task in a process of a worker, as `our_processes.side_by_side` does it on this machine.

    `tell` is called with what the user should know. Raises ClusterError, and EngineCrash with `doing` a task that has
    failed.
    """
    left = deque(tasks)
    begun: list[_Task] = []

    def following() -> _Task | None:
        if not left:
            return None
        begun.append(left.popleft())
        return begun[-1]

    handing: Handing[_Task] = Handing(cluster, _done, work)
    while (left or handing.is_busy) and not interrupt.requested:
        handing.give(following)
        yield from [(task, None) for task in begun]
        begun.clear()
        for task, done in handing.done(POLL_SECONDS):
            yield task, value_of(done, partial(_failed, doing(task)))
        for line in cluster.news():
            tell(line)


def _failed(doing: str, failure: str) -> EngineCrash:
    return EngineCrash(f"{doing}: {failure}")


def _done(site: Site, work: Callable[[_Task], _Result], task: _Task) -> _Result:
    with site.using("processes", partial(ProcessPool, 1), ProcessPool.close) as pool:
        return pool.submit(work, task).result()
