"""A worker of a cluster: it joins a scheduler, and again where that was lost."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable

from distributed import Worker

from ...engines.kinds.own import Means
from ..model import CountError
from .remote import STATION, resource

FASTEST = "own:two-plies"
"""The kernel that is loaded, or compiled, beforehand."""
AGAIN_SECONDS = 1.0
JOIN_SECONDS = 10
"""So long a scheduler may take to answer."""


def serve(address: str, name: str, threads: int, means: Means, tell: Callable[[str], None]) -> None:
    """Carry out orders until the scheduler sends this worker away, or Ctrl-C. Raises UsageError."""
    STATION.name, STATION.means = name, means
    STATION.hand(FASTEST).ready()  # before the first order comes
    for logger in ("distributed.worker", "distributed.core", "distributed.comm", "distributed.utils"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # what they say is told in our words
    asyncio.run(_serve(address, name, threads, tell))


async def _serve(address: str, name: str, threads: int, tell: Callable[[str], None]) -> None:
    is_waiting = False
    with tempfile.TemporaryDirectory(prefix="perft-check-") as folder:
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
            except (OSError, TimeoutError) as error:
                reason = str(error)
            else:
                reason = "it has closed the connection"
            if STATION.is_dismissed:
                raise CountError(f"{name} was sent away: it counts wrong; look for the fault here: perft-check")
            if not is_waiting:
                tell(f"{name}: the scheduler at {address} does not answer: waiting for it ({reason})")
            is_waiting = True
            await asyncio.sleep(AGAIN_SECONDS)
