"""A Dask cluster as one run sees it: its scheduler hands tasks out to workers, and again where one dies.

Tasks that are out are kept here, so that a scheduler that is started anew gets them all.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import queue
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import Future as Awaited
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from threading import Thread
from typing import Any, TypeAlias

import distributed

from ...errors import UsageError
from ..engines.files import build_of
from ..work.executor import ENDED_EARLY, Done, TaskFunction
from . import remote
from .address import ClusterError, has_page, no_certificates, no_scheduler
from .remote import PREFIX, Report, WorkerMessage, resource

Client: TypeAlias = Any
Future: TypeAlias = Any
"""Those of `distributed`, which has types in parts only."""

CONNECT_SECONDS = 10.0
LOOKED_SECONDS = 3.0
"""So long a scheduler may take to say who is there, and a worker to do what it is asked beside its tasks."""
AGAIN_SECONDS = 1.0
"""So long a lost scheduler is tried, again and again."""
LOOK_SECONDS = 1.0
"""How often the workers are looked at."""
LOST = ("cancelled", "lost")
NO_WORKER = "no worker of this version is there: start one with perft-check worker {}"


@dataclass(frozen=True)
class ClusterTask:
    """What is handed out."""

    number: int
    """Chosen by the caller."""
    work: TaskFunction[...]
    words: tuple[Any, ...]


class Cluster:
    """Hands out the tasks of one run to the workers that have this version of perft-check, and the same engines."""

    def __init__(self, address: str, builds: Mapping[str, str | None]) -> None:
        """Connect to the scheduler at an address, such as tcp://host:8786. Raises UsageError.

        `builds` are the digests of the engines that tasks open, by their SPECs: of any other build a worker gets
        nothing. Where there is None, the first worker that answers decides.
        """
        self._address, self._resource = address, resource()
        self._builds = dict(builds)
        for name in ("distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # we report it in our words
        self.run, self._numbers = secrets.token_hex(8), count()
        self._inbox: queue.SimpleQueue[Future | WorkerMessage] = queue.SimpleQueue()
        """Messages of workers, and the tasks that have ended; a report is here before its task."""
        self._told: list[WorkerMessage] = []
        self._ending: dict[str, Future] = {}
        """Tasks that have sent their reports, until they end: Dask cancels a future to which there is no reference."""
        self._out: dict[int, ClusterTask] = {}
        self._futures: dict[str, tuple[Future, ClusterTask]] = {}
        """What this scheduler has of them, by its keys."""
        self._capacity, self._looked = 0, 0.0
        self._looking: Awaited[dict[str, Any]] | None = None
        self._errands: list[Awaited[Any]] = []
        """What the workers are asked to do beside their tasks."""
        self._news: list[str] = []
        self._others: set[str] = set()
        """Workers of another version that were named."""
        self._refused: dict[str, str] = {}
        """Workers that get nothing, and why."""
        self._workers: dict[str, dict[str, Any]] = {}
        self._is_deserted = False
        self._client: Client | None = self._connect_first()
        self._looking = self._begin_looking()
        wait([self._looking], LOOKED_SECONDS)
        self._look(self._looking)
        Thread(target=self._look_for_dashboard, daemon=True, name="dashboard").start()

    def _look_for_dashboard(self) -> None:
        link = self._client.dashboard_link if self._client is not None else ""
        if link and has_page(link):
            self._news.append(f"dashboard: {link}")

    def _connect_first(self) -> Client:
        try:
            return self._connect(CONNECT_SECONDS)
        except (OSError, ValueError):
            raise no_scheduler(self._address) from None
        except TypeError:  # Dask has no certificates
            raise no_certificates(self._address) from None

    def _connect(self, seconds: float) -> Client:
        connect: Any = distributed.Client
        client = connect(self._address, timeout=seconds, set_as_default=False, name="perft-check")
        client.subscribe_topic(resource(), self._take_message)
        return client

    def _take_message(self, event: tuple[float, Any]) -> None:
        """Take what a worker tells; the topic has the messages of other runs, too."""
        message = pickle.loads(event[1])
        if message.run == self.run:
            self._inbox.put(message)

    def capacity(self) -> int:
        """Return how many threads the workers have that are given something."""
        return self._capacity

    def submit(self, number: int, work: TaskFunction[...], *words: object) -> None:
        """Hand out a task: a function of our own, which a worker calls with its context and these words."""
        self._out[number] = ClusterTask(number, work, words)
        self._send(self._out[number])

    def _send(self, task: ClusterTask) -> None:
        """Have the scheduler hand out a task, under a key that was never used: else it knows the result already."""
        if self._client is None:
            return
        key = f"perft-check-{self.run}-{next(self._numbers)}"
        words = self.run, task.number, self._builds, task.work, task.words
        resources, workers = {self._resource: 1}, self._allowed_workers()
        with suppress(OSError):  # a scheduler that is lost is noticed soon
            future = self._client.submit(
                remote.carry_out, *words, key=key, pure=False, resources=resources, workers=workers
            )
            self._futures[key] = future, task
            future.add_done_callback(self._inbox.put)

    def _allowed_workers(self) -> list[str] | None:
        """Return the addresses of those that may get something; None where the resource alone decides."""
        if not self._refused:
            return None
        return [place for place, worker in self._workers.items() if self._is_ours(worker)]

    def take_back(self, number: int) -> None:
        """Forget a task: nobody waits for its result any more."""
        self._out.pop(number, None)
        for key, (future, task) in list(self._futures.items()):
            if task.number == number:
                del self._futures[key]
                self._cancel([future])

    def done(self, seconds: float) -> list[Done]:
        """Return what has been done, waiting so long for the first; connect again where the scheduler was lost.

        Raises ClusterError where all workers were refused.
        """
        if self._client is None and not self._connect_again():
            return []
        found = self._receive(seconds)
        messages = [one for one in found if isinstance(one, WorkerMessage)]
        self._told = [one for one in messages if not isinstance(one.value, Report)]
        reports = {one.key: one.value for one in messages if isinstance(one.value, Report)}
        futures = [one for one in found if not isinstance(one, WorkerMessage)]
        ended = [future for future in futures if str(future.key) in self._futures]
        if any(future.status in LOST for future in ended):
            self._let_go()  # Dask's client may have found another scheduler there, which knows none of our tasks
            return []
        self._look_again()
        if self._client is None:
            return []
        unsent = [future for future in ended if str(future.key) not in reports]
        settled = [self._settle(key, report) for key, report in [*reports.items(), *self._fetch(unsent)]]
        for future in futures:
            self._ending.pop(str(future.key), None)
        return [one for one in settled if one is not None]

    def _receive(self, seconds: float) -> list[Future | WorkerMessage]:
        found = []
        with suppress(queue.Empty):
            found.append(self._inbox.get(timeout=seconds))
            while True:
                found.append(self._inbox.get_nowait())
        return found

    def _fetch(self, futures: list[Future]) -> Iterator[tuple[str, Report | str]]:
        """Yield the reports of tasks by their keys, or why there is none."""
        for future in futures:
            try:
                yield str(future.key), future.result(timeout=LOOKED_SECONDS)
            except Exception as error:  # whatever goes wrong there
                yield str(future.key), f"{type(error).__name__}: {' '.join(str(error).split())}"

    def _settle(self, key: str, report: Report | str) -> Done | None:
        """Return what has become of a task; None where nobody waits for it, or another worker is to do it."""
        future, task = self._futures.pop(key, (None, None))
        if task is None or self._out.get(task.number) is not task:
            return None
        self._ending[key] = future
        if isinstance(report, str):
            del self._out[task.number]
            return Done(task.number, "", failure=report)
        if report.refusal:
            self.refuse(report.worker, report.refusal)
            self._send(task)
            return None
        del self._out[task.number]
        if report.is_stopped:
            return Done(task.number, report.worker, failure=ENDED_EARLY)
        self._builds = {spec: build or report.digests[spec] for spec, build in self._builds.items()}
        return Done(task.number, report.worker, report.value)

    def messages(self) -> list[WorkerMessage]:
        """Return what workers had told of their tasks when it was looked for what is done."""
        return self._told

    def _look_again(self) -> None:
        """Look who is there, without waiting for it."""
        late = time.monotonic() - self._looked
        if self._looking is not None:
            if self._looking.done() or late > LOOKED_SECONDS:
                self._look(self._looking)
        elif late > LOOK_SECONDS:
            self._looking = self._begin_looking()

    def _begin_looking(self) -> Awaited[dict[str, Any]]:
        self._looked = time.monotonic()
        assert self._client is not None
        return self._begin(self._client.scheduler.identity(n_workers=-1))

    def _begin(self, errand: Coroutine[Any, Any, Any]) -> Awaited[Any]:
        """Begin something in the thread of Dask's client."""
        assert self._client is not None
        return asyncio.run_coroutine_threadsafe(errand, self._client.loop.asyncio_loop)

    def _look(self, looking: Awaited[dict[str, Any]]) -> None:
        """Take in who is there; let go of a scheduler that does not say it. Raises ClusterError."""
        self._looking = None
        try:
            told = looking.result(timeout=0)
        except Exception:  # it does not answer, or not as a scheduler does
            looking.cancel()
            self._let_go()
            return
        self._workers = told["workers"]
        for worker in self._workers.values():
            self._greet(worker)
        ours = [worker for worker in self._workers.values() if self._is_ours(worker)]
        self._capacity = sum(worker["nthreads"] for worker in ours)
        self._note_deserted(bool(ours))

    def _note_deserted(self, is_anybody_there: bool) -> None:
        """Say so where no worker is left. Raises ClusterError where all that are there were refused."""
        if not is_anybody_there:
            names = [str(worker["name"]) for worker in self._workers.values()]
            if refused := [name for name in names if name in self._refused]:
                raise ClusterError(f"no worker is left: {refused[0]} {self._refused[refused[0]]}")
            if not self._is_deserted:
                self._news.append(NO_WORKER.format(self._address))
        elif self._is_deserted and self._refused:
            self._send_all()  # what is out waits for those that were allowed then
        self._is_deserted = not is_anybody_there

    def _is_ours(self, worker: Mapping[str, Any]) -> bool:
        return self._resource in worker["resources"] and str(worker["name"]) not in self._refused

    def _greet(self, worker: Mapping[str, Any]) -> None:
        """Say so where a worker is of another version."""
        name, versions = str(worker["name"]), [one for one in worker["resources"] if one.startswith(PREFIX)]
        if self._resource not in versions and name not in self._others:
            self._others.add(name)
            other = f"of another version ({versions[0].removeprefix(PREFIX)})" if versions else "no perft-check worker"
            self._news.append(f"worker {name} is {other}: it gets nothing")

    def _let_go(self) -> None:
        self._news.append(f"the scheduler at {self._address} does not answer: waiting for it; what is done is kept")
        client, self._client = self._client, None
        self._futures.clear()
        self._ending.clear()
        self._errands.clear()
        self._capacity, self._looking = 0, None
        if client is not None:
            with suppress(Exception):
                client.close(timeout=AGAIN_SECONDS)

    def _connect_again(self) -> bool:
        """Try to connect, and hand out again all that was out."""
        try:
            self._client = self._connect(AGAIN_SECONDS)
        except (OSError, ValueError):
            time.sleep(AGAIN_SECONDS / 4)
            return False
        self._news.append(f"the scheduler at {self._address} answers again")
        self._send_all()
        self._looking = self._begin_looking()
        return True

    def _send_all(self) -> None:
        """Hand out again all that is out."""
        before = [future for future, _ in self._futures.values()]
        self._futures.clear()
        self._cancel(before)
        for task in self._out.values():
            self._send(task)

    def news(self) -> list[str]:
        """Return what the user should know."""
        news, self._news = self._news, []
        return news

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Have tasks end early, those given or all, and deliver what they have."""
        self._tell_workers(remote.stop, self.run, numbers)

    def refuse(self, worker: str, why: str) -> None:
        """Hand out nothing more of this run to a worker."""
        if worker not in self._refused:
            self._refused[worker] = why
            self._news.append(f"worker {worker} {why}: it gets nothing")
            ours = [one for one in self._workers.values() if self._is_ours(one)]
            self._capacity = sum(one["nthreads"] for one in ours)

    def dismiss(self, worker: str) -> None:
        """Send a worker away, which counts wrong."""
        self._refused[worker] = "counts wrong"
        places = [place for place, one in self._workers.items() if str(one["name"]) == worker]
        if self._client is not None and places:
            self._errands.append(self._begin(self._dismiss(self._client, places)))

    async def _dismiss(self, client: Client, places: list[str]) -> None:
        with suppress(OSError, TimeoutError):  # it hangs, or is gone
            await asyncio.wait_for(client._run(remote.be_dismissed, workers=places), LOOKED_SECONDS)
        await client.scheduler.retire_workers(workers=places)

    def _tell_workers(self, order: Callable[..., object], *words: object) -> None:
        places = [place for place, worker in self._workers.items() if self._resource in worker["resources"]]
        if self._client is not None and places:
            self._errands = [one for one in self._errands if not one.done()]
            self._errands.append(self._begin(self._client._run(order, *words, workers=places, on_error="ignore")))

    def close(self) -> None:
        """Take back what is out, close what workers have opened for this run, and disconnect."""
        if self._client is None:
            return
        self._cancel([future for future, _ in self._futures.values()])
        self._tell_workers(remote.end, self.run)
        wait(self._errands, AGAIN_SECONDS)
        with suppress(Exception):
            self._client.close(timeout=AGAIN_SECONDS)
        self._client = None

    def _cancel(self, futures: list[Future]) -> None:
        if self._client is not None and futures:
            with suppress(Exception):  # the scheduler is lost
                self._client.cancel(futures, force=True)


def builds_here(engines: Iterable[str]) -> dict[str, str | None]:
    """Return the digests of engines, None of those that are not on this machine."""
    return {spec: _build_here(spec) for spec in engines}


def _build_here(spec: str) -> str | None:
    try:
        return build_of(spec)
    except UsageError:
        return None
