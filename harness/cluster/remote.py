"""What a worker of a cluster does with a task."""

from __future__ import annotations

import asyncio
from typing import Any

from ... import __version__
from ...generator.kernels.machine.folders import source_digest
from ..work.executor import TaskContext, TaskFunction
from ..work.worker_state import WORKER


def resource() -> str:
    """Return what workers of this version have, and tasks of it need: another version gets none of them."""
    return f"perft-check-{__version__}-{source_digest()}"


def carry_out(run: str, number: int, work: TaskFunction[...], words: tuple[Any, ...], task: object) -> Any:
    """Carry out a task of a run in a worker, and return what `work` returns."""
    with WORKER.working(run, number):
        return work(TaskContext(run, number, lambda _message: None), *words, task)


async def end(run: str) -> None:
    """Close what a run has opened. Processes may take seconds to end: Dask goes on meanwhile."""
    await asyncio.to_thread(WORKER.end, run)
