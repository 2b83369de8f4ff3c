"""What a worker of a cluster does with a task, and what it is asked beside that."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import Any

from distributed import Reschedule, get_worker

from ... import __version__
from ...errors import Complaint
from ...generator.kernels.machine.folders import source_digest
from ..engines.files import build_of
from ..model.shutdown import Interrupted
from ..work.executor import TaskContext, TaskFunction
from ..work.worker_state import WORKER

PREFIX = "perft-check-"

LARGEST = 1 << 14
"""Bytes of a report that is sent without being asked for: the scheduler remembers a thousand of them."""

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
class WorkerMessage:
    """What a worker tells of a task by itself: before it ends, or its report."""

    run: str
    number: int
    key: str
    """That of Dask's task."""
    worker: str
    value: Any


class DaskContext(TaskContext):
    """Where a task is done: in a thread of a worker."""

    def __init__(self, run: str, number: int) -> None:
        """Take the run and the number of the task."""
        super().__init__(run, number, self._send)  # a message before the end may get lost
        self._worker = get_worker()
        self._key = str(self._worker.get_current_task())

    def deliver(self, report: Report) -> None:
        """Send a report to the client, which else has to ask for it; a large one waits until it is asked for."""
        self._send(report, LARGEST)

    def _send(self, value: object, most: float = inf) -> None:
        message = pickle.dumps(WorkerMessage(self.run, self._number, self._key, WORKER.name, value))
        if len(message) <= most:
            self._worker.log_event(resource(), message)

    def _is_wanted(self) -> bool:
        """Tell whether anybody waits for the task."""
        task = self._worker.state.tasks.get(self._key)
        return task is not None and task.state == "executing"


def carry_out(run: str, number: int, engines: Digests, work: TaskFunction[...], words: tuple[Any, ...]) -> Report:
    """Carry out a task in a worker, if that has the same engines as others.

    Raises Reschedule where the worker is ended meanwhile: what it has done is not whole.
    """
    with WORKER.working(run, number):
        context = DaskContext(run, number)
        try:
            report = _report(context, engines, work, words)
        finally:
            if WORKER.is_ending:
                raise Reschedule
        context.deliver(report)
        return report


def _report(context: DaskContext, engines: Digests, work: TaskFunction[...], words: tuple[Any, ...]) -> Report:
    try:
        digests = {spec: _build(context.run, spec) for spec in engines}
        for spec, wanted in engines.items():
            if wanted not in (None, digests[spec]):
                return Report(WORKER.name, refusal=f"has another build of {spec}")
        return Report(WORKER.name, work(context, *words), digests)
    except Interrupted:  # which Dask would take for Ctrl-C
        return Report(WORKER.name, is_stopped=True)
    except Complaint as error:
        return Report(WORKER.name, refusal=f"cannot take part: {error}")


@cache
def _build(run: str, spec: str) -> str:
    """Return the digest of an engine, which is looked at once for each run. Raises UsageError."""
    return build_of(spec)


def stop(run: str, numbers: frozenset[int] | None) -> None:
    """End tasks of a run early."""
    WORKER.stop(run, numbers)


async def end(run: str) -> None:
    """Close what a run has opened. Processes may take seconds to end: Dask goes on meanwhile."""
    await asyncio.to_thread(WORKER.end, run)


def be_dismissed() -> None:
    """Have a worker not come back when it is sent away."""
    WORKER.is_dismissed = True
