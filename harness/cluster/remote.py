"""What a worker of a cluster does with a task, and what it is asked beside that."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import Any, Concatenate, ParamSpec

from distributed import Reschedule, get_worker

from ... import __version__
from ...errors import Complaint
from ...generator.kernels.machine.folders import source_digest
from ..engines.files import build_of
from ..model.shutdown import Interrupted
from .reused import Reused
from .station import STATION, T, UnderWay

PREFIX = "perft-check-"

LARGEST = 1 << 14
"""Bytes of a report that is sent without being asked for: the scheduler remembers a thousand of them."""

Words = ParamSpec("Words")
Digests = Mapping[str, str | None]
"""Of the engines of a run, by their SPECs: what a worker must have, None where anything will do."""


def resource() -> str:
    """Return what workers of this version have, and tasks of it need: another version gets none of them.

    It is also the topic under which Dask passes on what workers tell by themselves.
    """
    return f"{PREFIX}{__version__}-{source_digest()}"


@dataclass(frozen=True)
class Report:
    """What has become of a task."""

    worker: str
    value: Any = None
    digests: Mapping[str, str] = field(default_factory=dict)
    is_stopped: bool = False
    """Whether it was ended early, and has no value."""
    refusal: str = ""
    """Why this worker cannot do it, nor any other one of the run."""


@dataclass(frozen=True)
class Message:
    """What a worker tells of a task by itself: before it ends, or its report."""

    run: str
    number: int
    key: str
    """That of Dask's task."""
    worker: str
    value: Any


class Site:
    """Where a task is done: in a thread of a worker."""

    def __init__(self, run: str, number: int) -> None:
        """Take the run and the number of the task."""
        self.run, self._number = run, number
        self._worker = get_worker()
        self._key = str(self._worker.get_current_task())

    def kept(self, what: Hashable, make: Callable[[], T]) -> T:
        """Return what is opened once for the run. Raises what `make` raises."""
        return STATION.kept(self.run, what, make)

    def stopping(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        """Have the task end early by `stop` in this block, if the client wants that, or is gone."""
        return STATION.stopping(self.run, UnderWay(self._number, stop, self._is_wanted))

    @contextmanager
    def using(self, what: Hashable, make: Callable[[], T], stop: Callable[[T], None]) -> Iterator[T]:
        """Use something in this block that the tasks of the run use again, and whose doing `stop` ends.

        It may have been stopped when it was used before. Raises what `make` raises.
        """
        reused = self.kept(what, lambda: Reused(make, stop))
        with reused.taken() as one, self.stopping(lambda: stop(one)):
            yield one

    def tell(self, value: object) -> None:
        """Tell the client something before the task ends; it may get lost."""
        self._send(value)

    def deliver(self, report: Report) -> None:
        """Send a report to the client, which else has to ask for it; a large one waits until it is asked for."""
        self._send(report, LARGEST)

    def _send(self, value: object, most: float = inf) -> None:
        message = pickle.dumps(Message(self.run, self._number, self._key, STATION.name, value))
        if len(message) <= most:
            self._worker.log_event(resource(), message)

    def _is_wanted(self) -> bool:
        """Tell whether anybody waits for the task."""
        task = self._worker.state.tasks.get(self._key)
        return task is not None and task.state == "executing"


Work = Callable[Concatenate[Site, Words], Any]
"""A function that does a task. A Complaint that it raises says that this worker cannot take part."""


def carry_out(run: str, number: int, engines: Digests, work: Work[...], words: tuple[Any, ...]) -> Report:
    """Carry out a task in a worker, if that has the same engines as others.

    Raises Reschedule where the worker is ended meanwhile: what it has done is not whole.
    """
    with STATION.working(run):
        site = Site(run, number)
        try:
            report = _reported(site, engines, work, words)
        finally:
            if STATION.is_ending:
                raise Reschedule
        site.deliver(report)
        return report


def _reported(site: Site, engines: Digests, work: Work[...], words: tuple[Any, ...]) -> Report:
    try:
        digests = {spec: _build(site.run, spec) for spec in engines}
        for spec, wanted in engines.items():
            if wanted not in (None, digests[spec]):
                return Report(STATION.name, refusal=f"has another build of {spec}")
        return Report(STATION.name, work(site, *words), digests)
    except Interrupted:  # which Dask would take for Ctrl-C
        return Report(STATION.name, is_stopped=True)
    except Complaint as error:
        return Report(STATION.name, refusal=f"cannot take part: {error}")


@cache
def _build(run: str, spec: str) -> str:
    """Return the digest of an engine, which is looked at once for each run. Raises UsageError."""
    return build_of(spec)


def stop(run: str, numbers: frozenset[int] | None) -> None:
    """End tasks of a run early."""
    STATION.stop(run, numbers)


async def end(run: str) -> None:
    """Close what a run has opened. Processes may take seconds to end: Dask goes on meanwhile."""
    await asyncio.to_thread(STATION.end, run)


def be_dismissed() -> None:
    """Have a worker not come back when it is sent away."""
    STATION.is_dismissed = True
