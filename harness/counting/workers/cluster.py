"""A Dask cluster: its scheduler hands orders out to workers, and again where one dies.

Orders that are out are kept here, so that a scheduler that is started anew gets them all.
"""

from __future__ import annotations

import logging
import queue
import secrets
import time
from contextlib import suppress
from itertools import count
from typing import Any, TypeAlias

import distributed

from ....errors import UsageError
from ..model import Delivery, Order
from .address import no_certificates
from .remote import PREFIX, be_dismissed, carry_out, resource

Client: TypeAlias = Any
Future: TypeAlias = Any
"""Those of `distributed`, which has types in parts only."""

CONNECT_SECONDS = 10.0
LOOKED_SECONDS = 3.0
"""So long a scheduler may take to say who is there."""
AGAIN_SECONDS = 1.0
"""So long a lost scheduler is tried, again and again."""
LOOK_SECONDS = 1.0
"""How often the workers are looked at."""
LOST = ("cancelled", "lost")
NO_WORKER = "no worker of this version is there: start one with perft-check worker {}"


def no_scheduler(address: str) -> UsageError:
    """Return what to raise where there is none."""
    return UsageError(f"no scheduler answers at {address}: start one with dask scheduler")


class Cluster:
    """Hands orders out to the workers of a cluster that have this version of perft-check."""

    is_here = False

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address, such as tcp://host:8786. Raises UsageError."""
        self._address, self._resource = address, resource()
        for name in ("distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what they say is told in our words
        try:
            self._client: Client | None = self._connected(CONNECT_SECONDS)
        except (OSError, ValueError):
            raise no_scheduler(address) from None
        except TypeError:  # Dask has no certificates
            raise no_certificates(address) from None
        self._delivered: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._orders: dict[int, Order] = {}
        """Those that are out."""
        self._futures: dict[str, tuple[Future, Order]] = {}
        """What this scheduler has of them, by its keys."""
        self._run, self._numbers = secrets.token_hex(4), count()
        self._capacity, self._looked = 0, 0.0
        self._news: list[str] = []
        self._refused: set[str] = set()
        self._dismissed: set[str] = set()
        self._is_deserted = self._has_dashboard = False
        self._workers: dict[str, dict[str, Any]] = {}
        self._look()
        if self._client is not None and self._has_dashboard:
            self._news.append(f"dashboard: {self._client.dashboard_link}")

    def _connected(self, seconds: float) -> Client:
        connect: Any = distributed.Client
        return connect(self._address, timeout=seconds, set_as_default=False, name="perft-check")

    def capacity(self) -> int:
        """Return how many threads the workers have that are given something."""
        return self._capacity

    def submit(self, order: Order) -> None:
        """Hand out an order."""
        self._orders[order.number] = order
        self._send(order)

    def _send(self, order: Order) -> None:
        """Have the scheduler hand out an order, under a key that was never used: else it knows the result already."""
        if self._client is None:
            return
        key = f"perft-check-{self._run}-{next(self._numbers)}"
        with suppress(OSError):  # a scheduler that is lost is noticed soon
            future = self._client.submit(carry_out, order, key=key, pure=False, resources={self._resource: 1})
            self._futures[key] = future, order
            future.add_done_callback(self._delivered.put)

    def deliveries(self, seconds: float) -> list[Delivery]:
        """Return what has been delivered; connect again where the scheduler was lost."""
        if self._client is None and not self._connect_again():
            return []
        found = []
        with suppress(queue.Empty):
            found.append(self._delivered.get(timeout=seconds))
            while True:
                found.append(self._delivered.get_nowait())
        current = [future for future in found if str(future.key) in self._futures]
        if any(future.status in LOST for future in current):
            self._let_go()  # Dask's client may have found another scheduler there, which knows none of our orders
            return []
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._look()
        return [self._delivery(future) for future in current if str(future.key) in self._futures]

    def _delivery(self, future: Future) -> Delivery:
        """Return what has become of an order."""
        _, order = self._futures.pop(str(future.key))
        self._orders.pop(order.number, None)
        try:
            delivery: Delivery = future.result(timeout=AGAIN_SECONDS)
        except Exception as error:  # whatever goes wrong there
            return Delivery(order.number, failure=f"{type(error).__name__}: {' '.join(str(error).split())}")
        return delivery

    def _look(self) -> None:
        """Look who is there; let go of a scheduler that does not answer."""
        self._looked = time.monotonic()
        assert self._client is not None
        try:
            if self._client.status != "running":
                raise OSError(self._client.status)
            told: dict[str, Any] = self._client.sync(
                self._client.scheduler.identity, n_workers=-1, callback_timeout=LOOKED_SECONDS
            )
        except (OSError, AttributeError, TimeoutError):
            self._let_go()
            return
        self._has_dashboard = "dashboard" in told["services"]
        self._workers = told["workers"]
        workers = list(self._workers.values())
        for worker in workers:
            self._greet(worker)
        ours = [worker for worker in workers if self._is_ours(worker)]
        self._capacity = sum(worker["nthreads"] for worker in ours)
        if not ours and not self._is_deserted:
            self._news.append(NO_WORKER.format(self._address))
        self._is_deserted = not ours

    def _is_ours(self, worker: dict[str, Any]) -> bool:
        return self._resource in worker["resources"] and str(worker["name"]) not in self._dismissed

    def _greet(self, worker: dict[str, Any]) -> None:
        """Say so where a worker is of another version."""
        name, versions = str(worker["name"]), [one for one in worker["resources"] if one.startswith(PREFIX)]
        if self._resource not in versions and name not in self._refused:
            self._refused.add(name)
            other = f"of another version ({versions[0].removeprefix(PREFIX)})" if versions else "no perft-check worker"
            self._news.append(f"worker {name} is {other}: it gets no pieces")

    def _let_go(self) -> None:
        self._news.append(
            f"the scheduler at {self._address} does not answer: waiting for it; all results are in the ledger"
        )
        client, self._client = self._client, None
        self._futures.clear()
        self._capacity = 0
        if client is not None:
            with suppress(Exception):
                client.close(timeout=AGAIN_SECONDS)

    def _connect_again(self) -> bool:
        """Try to connect, and hand out again all that was out."""
        try:
            self._client = self._connected(AGAIN_SECONDS)
        except OSError:
            time.sleep(AGAIN_SECONDS / 4)
            return False
        self._news.append(f"the scheduler at {self._address} answers again")
        for order in self._orders.values():
            self._send(order)
        self._look()
        return self._client is not None

    def news(self) -> list[str]:
        """Return what the user should know."""
        news, self._news = self._news, []
        return news

    def dismiss(self, worker: str) -> None:
        """Send a worker away."""
        self._dismissed.add(worker)
        if self._client is not None:
            places = [place for place, one in self._workers.items() if str(one["name"]) == worker]
            retire = self._client.scheduler.retire_workers
            for call, words in ((self._client._run, (be_dismissed,)), (retire, ())):
                with suppress(OSError, TimeoutError):  # it hangs, or is gone
                    self._client.sync(call, *words, workers=places, callback_timeout=LOOKED_SECONDS)

    def close(self) -> None:
        """Take back what is out, and disconnect."""
        if self._client is not None:
            with suppress(Exception):
                self._client.cancel([future for future, _ in self._futures.values()], force=True)
            with suppress(Exception):
                self._client.close(timeout=AGAIN_SECONDS)
