"""A worker of a cluster: it joins a scheduler, and again where that was lost."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable
from contextlib import suppress

import dask.config
from distributed import Worker

from ...platforms.processes import STOP_SIGNALS
from ..work.worker_state import WORKER
from .address import ClusterError, loopback_of, no_certificates
from .remote import resource

LOOPBACK = "127.0.0.1"
"""Where a worker serves its own page: what it counts is seen on that of the scheduler."""
AGAIN_SECONDS = 1.0
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}
"""What Dask looks at within a worker, else up to a hundred times a second, takes its time from what it counts."""
JOIN_SECONDS = 10
"""So long a scheduler may take to answer."""
SWEPT_SECONDS = 5.0
"""How often tasks and runs are ended whose client is gone."""


def serve(address: str, threads: int, tell: Callable[[str], None]) -> None:
    """Carry out tasks until Ctrl-C, under the name of this worker.

    Raises UsageError, and ClusterError where the client has sent this worker away.
    """
    for logger in ("distributed.worker", "distributed.core", "distributed.comm", "distributed.utils"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # we report it in our words
    dask.config.set(QUIET)
    with tempfile.TemporaryDirectory(prefix="perft-check-") as folder, suppress(asyncio.CancelledError):
        asyncio.run(_serve(address, threads, folder, tell))


async def _serve(address: str, threads: int, folder: str, tell: Callable[[str], None]) -> None:
    _end_at_signals()
    sweeping = asyncio.create_task(_sweep())  # named: asyncio keeps no reference to a task
    name, is_waiting = WORKER.name, False
    tell(f"{name}: joining {address}")
    while True:
        try:
            async with Worker(
                address,
                host=loopback_of(address),
                dashboard_address=f"{LOOPBACK}:0",
                nthreads=threads,
                name=name,
                resources={resource(): threads},
                memory_limit=0,
                local_directory=folder,
                death_timeout=JOIN_SECONDS,
                metrics={"perft_check": lambda _worker: WORKER.metrics()},
            ) as worker:
                tell(f"{name}: {threads} thread{'s' * (threads != 1)} for {address}")
                is_waiting = False
                await worker.finished()
        except (OSError, RuntimeError) as error:  # the latter where it could not begin
            if isinstance(error.__cause__, TypeError):
                raise no_certificates(address) from None
        if WORKER.is_dismissed:
            sweeping.cancel()
            raise ClusterError(f"{name} was sent away: it counts wrong; look for the fault here: perft-check run")
        if not is_waiting:
            tell(f"{name}: the scheduler at {address} does not answer: waiting for it")
        is_waiting = True
        await asyncio.sleep(AGAIN_SECONDS)


async def _sweep() -> None:
    """End tasks and runs whose client is gone."""
    while True:
        await asyncio.sleep(SWEPT_SECONDS)
        await asyncio.to_thread(WORKER.sweep)


def _end_at_signals() -> None:
    """Have the signals that end the program leave the cluster first, and stop what is counted."""
    task = asyncio.current_task()
    assert task is not None

    def end() -> None:
        WORKER.end_all()
        task.cancel()

    for number in STOP_SIGNALS:
        with suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(number, end)
