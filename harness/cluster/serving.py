"""A worker of a cluster. It joins a scheduler, and exits when the connection to it is lost."""

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
from .address import ClusterError, loopback_of, no_certificates, no_scheduler
from .remote import resource

LOOPBACK = "127.0.0.1"
"""Where a worker serves its own page: what it counts is seen on that of the scheduler."""
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}
"""What Dask looks at within a worker, else up to a hundred times a second, takes its time from what it counts."""
JOIN_SECONDS = 10
"""So long a scheduler may take to answer."""


def serve(address: str, threads: int, tell: Callable[[str], None]) -> None:
    """Carry out tasks until Ctrl-C, under the name of this worker. Raises UsageError, ClusterError."""
    for logger in (
        "distributed.worker",
        "distributed.core",
        "distributed.comm",
        "distributed.batched",
        "distributed.utils",
    ):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # we report it in our words
    dask.config.set(QUIET)
    with tempfile.TemporaryDirectory(prefix="perft-check-") as folder, suppress(asyncio.CancelledError):
        asyncio.run(_serve(address, threads, folder, tell))


async def _serve(address: str, threads: int, folder: str, tell: Callable[[str], None]) -> None:
    _end_at_signals()
    tell(f"{WORKER.name}: joining {address}")
    try:
        async with Worker(
            address,
            host=loopback_of(address),
            dashboard_address=f"{LOOPBACK}:0",
            nthreads=threads,
            name=WORKER.name,
            resources={resource(): threads},
            memory_limit=0,
            local_directory=folder,
            death_timeout=JOIN_SECONDS,
        ) as worker:
            tell(f"{WORKER.name}: {threads} thread{'s' * (threads != 1)} for {address}")
            await worker.finished()
    except (OSError, RuntimeError) as error:  # the latter where it could not begin
        if isinstance(error.__cause__, TypeError):
            raise no_certificates(address) from None
        raise no_scheduler(address) from None
    finally:
        WORKER.end_all()
    raise ClusterError(f"the scheduler at {address} is gone, and {WORKER.name} with it")


def _end_at_signals() -> None:
    """Have the signals that end the program leave the cluster first."""
    task = asyncio.current_task()
    assert task is not None
    for number in STOP_SIGNALS:
        with suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
