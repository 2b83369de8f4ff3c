"""A worker of a cluster: it joins a scheduler, and again where that was lost."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable
from contextlib import suppress

from distributed import Worker

from ...engines.kinds.own import Means
from ...model.shutdown import STOP_SIGNALS
from ..model import CountError
from .address import no_certificates
from .remote import STATION, resource

FASTEST = "own:two-plies"
"""The kernel that is loaded, or compiled, beforehand."""
AGAIN_SECONDS = 1.0
JOIN_SECONDS = 10
"""So long a scheduler may take to answer."""


def serve(address: str, name: str, threads: int, means: Means, tell: Callable[[str], None]) -> None:
    """Carry out orders until Ctrl-C. Raises CountError where the client has sent this worker away."""
    STATION.name, STATION.means = name, means
    STATION.hand(FASTEST).ready()  # before the first order comes
    for logger in ("distributed.worker", "distributed.core", "distributed.comm", "distributed.utils"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # what they say is told in our words
    with tempfile.TemporaryDirectory(prefix="perft-check-") as folder, suppress(asyncio.CancelledError):
        asyncio.run(_serve(address, name, threads, folder, tell))


async def _serve(address: str, name: str, threads: int, folder: str, tell: Callable[[str], None]) -> None:
    _end_at_signals()
    is_waiting = False
    tell(f"{name}: joining {address}")
    while True:
        try:
            async with Worker(
                address,
                nthreads=threads,
                name=name,
                resources={resource(): threads},
                memory_limit=0,
                local_directory=folder,
                death_timeout=JOIN_SECONDS,
                metrics={"perft_check": lambda _worker: STATION.metrics()},
            ) as worker:
                tell(f"{name}: {threads} thread{'s' * (threads != 1)} for {address}")
                is_waiting = False
                await worker.finished()
        except (OSError, RuntimeError) as error:  # the latter where it could not begin
            if isinstance(error.__cause__, TypeError):
                raise no_certificates(address) from None
        if STATION.is_dismissed:
            raise CountError(f"{name} was sent away: it counts wrong; look for the fault here: perft-check run")
        if not is_waiting:
            tell(f"{name}: the scheduler at {address} does not answer: waiting for it")
        is_waiting = True
        await asyncio.sleep(AGAIN_SECONDS)


def _end_at_signals() -> None:
    """Have the signals that end the program leave the cluster first, and stop what is counted."""
    task = asyncio.current_task()
    assert task is not None

    def end() -> None:
        STATION.stop()
        task.cancel()

    for number in STOP_SIGNALS:
        with suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(number, end)
