"""Workers of a Dask cluster.

If a worker dies, Dask reassigns its orders. If the scheduler is lost, the run ends with ClusterError; results received
before that are kept, and a new run can count the rest.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, cast

import distributed

from .dask_worker import ClusterError, count_in_worker, end_run, no_certificates, no_scheduler, resource
from .model import Delivery, Order

CONNECT_SECONDS = 10.0
LOOK_SECONDS = 1.0
"""Time in seconds between requests for the list of workers."""
SILENT_SECONDS = 10.0
"""Time in seconds without an answer to such a request after which the scheduler is considered lost."""
GOODBYE_SECONDS = 1.0
NO_WORKER = "no worker of this version has joined yet: start one with perft-check worker {}"


class ClusterWorkers:
    """The workers of a cluster that run this version of perft-check."""

    def __init__(self, address: str, timeout: float) -> None:
        """Connect to the scheduler at an address, such as tcp://host:8786. Raises UsageError.

        `timeout` limits each question to an engine.
        """
        for name in ("distributed.client", "distributed.core", "distributed.comm", "distributed.scheduler"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # perft-check reports these errors itself
        self._address, self._timeout = address, timeout
        self._run = secrets.token_hex(8)
        self._capacity, self._is_deserted, self._is_closed = 0, False, False
        self._news: list[str] = []
        self._looked = time.monotonic()
        client: Any = distributed.Client  # its type annotations are incomplete
        try:
            self._client: Any = client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="perft-check")
        except (OSError, ValueError):
            raise no_scheduler(address) from None
        except TypeError:  # Dask has no certificates
            raise no_certificates(address) from None
        self._pool: Any = self._client.get_executor(pure=False, resources={resource(): 1})
        threading.Thread(target=self._watch, daemon=True, name="workers").start()

    def _watch(self) -> None:
        """Fetch the list of workers every second. This runs in its own thread because a hanging scheduler blocks it."""
        with suppress(Exception):  # the scheduler is lost, or the client closed
            while not self._is_closed:
                self._look(self._client.scheduler_info(n_workers=-1)["workers"])
                self._looked = time.monotonic()
                time.sleep(LOOK_SECONDS)

    def _look(self, workers: Mapping[str, Mapping[str, Any]]) -> None:
        """Update the capacity from the list of workers; report once if none has this version."""
        usable = [worker for worker in workers.values() if resource() in worker["resources"]]
        self._capacity = sum(worker["nthreads"] for worker in usable)
        if not usable and not self._is_deserted:
            self._news.append(NO_WORKER.format(self._address))
        self._is_deserted = not usable

    def capacity(self) -> int:
        """Return the total number of threads of all workers."""
        return self._capacity

    def submit(self, order: Order) -> Future[Delivery]:
        """Schedule an order. Raises ClusterError if the scheduler is lost."""
        try:
            return cast(Future[Delivery], self._pool.submit(count_in_worker, self._run, self._timeout, order))
        except Exception:  # Dask may raise anything here
            raise self._lost() from None

    def delivery(self, future: Future[Delivery]) -> Delivery:
        """Return the outcome of an order. Dask re-raises exceptions of workers, which count as failures."""
        try:
            return future.result()
        except CancelledError:
            return Delivery(failure="it was ended early")
        except Exception as error:
            said = " ".join(str(error).split())
            return Delivery(failure=f"a worker failed: {type(error).__name__}: {said}")

    def news(self) -> list[str]:
        """Return new notices for the user. Raises ClusterError if the scheduler is lost."""
        if self._client.status != "running" or time.monotonic() - self._looked > SILENT_SECONDS:
            raise self._lost()
        news, self._news = self._news, []
        return news

    def _lost(self) -> ClusterError:
        return ClusterError(
            f"the scheduler at {self._address} no longer answers: run the same command again to continue; all results "
            "are kept"
        )

    def close(self) -> None:
        """Cancel all orders, tell workers to release the resources of this run, and disconnect."""
        self._is_closed = True
        goodbye = threading.Thread(target=self._say_goodbye, daemon=True, name="goodbye")
        goodbye.start()
        goodbye.join(2 * GOODBYE_SECONDS)

    def _say_goodbye(self) -> None:
        with suppress(Exception):  # the scheduler is lost
            self._pool.shutdown(wait=False)
            self._client.run(end_run, self._run, on_error="ignore")
        with suppress(Exception):
            self._client.close(timeout=GOODBYE_SECONDS)
