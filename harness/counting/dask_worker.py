"""A Dask worker that joins a scheduler, counts pieces, and exits when the connection is lost.

Addresses of schedulers are checked first, because other machines may run programs in a worker that they can reach.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

import dask.config
from distributed import Worker

from ... import __version__
from ...errors import UsageError, UserError
from ...generator.kernels.machine.folders import source_digest
from ...platforms.processes import STOP_SIGNALS
from ..engines.types.own import ALONE, KernelOptions
from .model import Delivery, Order
from .piece_counter import PieceCounter, carry_out, open_counter

ENCRYPTED = ("tls", "wss")
"""Schemes that require a certificate from every participant."""
_ADDRESS = re.compile(
    r"(?P<scheme>tcp|tls|ws|wss)://(?:(?P<name>[^\s/:]+)|\[(?P<number>[0-9a-fA-F:.]+)\]):(?P<port>\d{1,5})"
)


def check_address(address: str) -> None:
    """Raise UsageError unless `address` has the form of a scheduler address."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise UsageError(f"{address!r} is not the address of a scheduler: write tcp://HOST:8786")


def loopback_of(address: str) -> str | None:
    """Return the loopback address of a scheduler that only this machine can reach, or None."""
    found = _ADDRESS.fullmatch(address)
    assert found is not None, "check_address has accepted it"
    try:
        places = socket.getaddrinfo(found["name"] or found["number"], None, type=socket.SOCK_STREAM)
    except OSError:  # no such host; the connection will report it
        return None
    hosts = [str(place[4][0]) for place in places]
    return hosts[0] if all(ip_address(host.partition("%")[0]).is_loopback for host in hosts) else None


def check_reach(address: str, *, is_insecure: bool) -> None:
    """Raise UsageError if other machines could run code in a worker of this scheduler."""
    if is_insecure or address.partition(":")[0] in ENCRYPTED or loopback_of(address) is not None:
        return
    raise UsageError(
        f"{address} is not encrypted, so anyone who can reach this worker may run programs here: "
        "use tls:// with certificates ('Clusters' in the documentation), or add --insecure in a private network"
    )


class ClusterError(UserError):
    """The connection to the scheduler was lost, which ends a count; the message is one line."""


def no_scheduler(address: str) -> UsageError:
    """Return the error for an address without a scheduler."""
    return UsageError(f"no scheduler responds at {address}; to start one, run: dask scheduler")


def no_certificates(address: str) -> UsageError:
    """Return the error for missing TLS certificates."""
    return UsageError(f"{address} needs certificates: configure TLS of Dask ('Clusters' in the documentation)")


LOOPBACK = "127.0.0.1"
"""The address of a worker's own dashboard, which only this machine can reach."""
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}
"""Settings against Dask's profiling of workers, up to a hundred times a second, which slows down counting."""
JOIN_SECONDS = 10
"""Time in seconds that a scheduler may take to answer."""


class _Worker:
    """The state of this process, in a global variable because Dask calls plain functions."""

    name = ""
    resources = ALONE

    def __init__(self) -> None:
        self.opening = threading.Lock()
        self.counters: dict[tuple[str, str], PieceCounter] = {}
        """The counters by run and engine."""


_WORKER = _Worker()


def resource() -> str:
    """Return the name of the Dask resource that restricts orders to workers of this version."""
    return f"perft-check-{__version__}-{source_digest()}"


def count_in_worker(run: str, timeout: float, order: Order) -> Delivery:
    """Execute an order in this process. Each engine is opened once per run."""
    key = run, order.engine
    with _WORKER.opening:
        try:
            if key not in _WORKER.counters:
                _WORKER.counters[key] = open_counter(order.engine, _WORKER.resources, timeout)
        except UsageError as error:
            return Delivery(failure=f"{_WORKER.name} cannot take part: {error}")
    return carry_out(_WORKER.counters[key], order, _WORKER.name)


async def end_run(run: str) -> None:
    """Release the resources of a run without blocking Dask, because processes may take seconds to end."""
    for key in [key for key in _WORKER.counters if key[0] == run]:
        await asyncio.to_thread(_WORKER.counters.pop(key).close)


def serve(address: str, name: str, threads: int, resources: KernelOptions, tell: Callable[[str], None]) -> None:
    """Execute orders until Ctrl-C. Raises UsageError, ClusterError."""
    _WORKER.name, _WORKER.resources = name, resources
    for logger in (
        "distributed.worker",
        "distributed.core",
        "distributed.comm",
        "distributed.batched",
        "distributed.utils",
    ):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # perft-check reports these errors itself
    dask.config.set(QUIET)
    with tempfile.TemporaryDirectory(prefix="perft-check-") as folder, suppress(asyncio.CancelledError):
        asyncio.run(_serve(address, threads, folder, tell))


async def _serve(address: str, threads: int, folder: str, tell: Callable[[str], None]) -> None:
    _end_at_signals()
    tell(f"{_WORKER.name}: joining {address}")
    try:
        async with Worker(
            address,
            host=loopback_of(address),
            dashboard_address=f"{LOOPBACK}:0",
            nthreads=threads,
            name=_WORKER.name,
            resources={resource(): threads},
            memory_limit=0,
            local_directory=folder,
            death_timeout=JOIN_SECONDS,
        ) as worker:
            tell(f"{_WORKER.name}: joined {address} with {threads} thread{'s' * (threads != 1)}")
            await worker.finished()
    except (OSError, RuntimeError) as error:  # RuntimeError if the worker could not start
        if isinstance(error.__cause__, TypeError):
            raise no_certificates(address) from None
        raise no_scheduler(address) from None
    finally:
        for counter in _WORKER.counters.values():
            counter.close()
    raise ClusterError(f"{_WORKER.name}: lost the scheduler at {address}")


def _end_at_signals() -> None:
    """Disconnect from the cluster properly on signals that end the program."""
    task = asyncio.current_task()
    assert task is not None
    for number in STOP_SIGNALS:
        with suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
