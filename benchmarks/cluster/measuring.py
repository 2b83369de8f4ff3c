"""What the simulation needs to know, measured on this machine: pieces, orders on a Dask cluster, a ledger.

Pieces take a minute of CPU time, orders half a minute, the others a second. The cluster is a scheduler and a worker of
this machine, and its orders have next to nothing to count: what is left is what an order costs.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import signal
import tempfile
import time
import tracemalloc
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

import distributed
import numpy as np
from helpers.clusters import ClusterHere, Process
from perft_check.generator.counting.distinct import distinct
from perft_check.generator.counting.records import RECORD_BYTES, Records, bytes_of, ply_of
from perft_check.generator.kernels.machine.memory import Control
from perft_check.generator.position import Position
from perft_check.harness.cluster.client import LOOK_SECONDS, Cluster
from perft_check.harness.cluster.executor import DaskExecutor
from perft_check.harness.cluster.remote import resource
from perft_check.harness.counting.ledger import make_ledger, open_ledger
from perft_check.harness.counting.model import Count, CountedPiece, Order, Piece, ResultOrigin
from perft_check.harness.counting.piece_counter import PieceCounter, carry_out, count_pieces, open_counter
from perft_check.harness.counting.piece_scheduler import AHEAD, SLOW_SECONDS, PieceScheduler
from perft_check.harness.engines.kinds.own import ALONE, KernelOptions
from perft_check.harness.model.machine import machine, usable_threads
from perft_check.harness.model.shutdown import Interrupt
from perft_check.harness.work.executor import Done, Message
from perft_check.harness.work.pool import LOOKED_SECONDS

from .measured import MachineFigures

ENGINE = "own:two-plies"
PLY = 5
"""Where positions are taken from start."""
BELOW, DRAWN = 5, 500
"""Plies below them, and how many of them are counted for the seconds of pieces: one position is a piece."""
NEIGHBORS = {5: 800, 6: 64, 7: 16}
"""Plies below them, and how many are counted for the rates."""
PLACES = 8
"""Where these are taken, the same number beside one another each time: the first ones warm caches and table."""
TABLE = 1 << 30
TOGETHER, SAMPLED = (1, 32, 1_024), 2_048
"""Positions that a worker would cut two plies further together, and of how many that is measured."""
WARMING, ORDERS, AT_ONCE = 200, 640, 64
"""Orders before anything is measured, those of a round, and how many are out."""
WAITING = 4_000
"""Orders that are out while the memory of the scheduler is measured."""
ROUNDS = 8
"""The least of them counts: others use this machine, too."""
MESSAGES = 3
"""Of an order, to the scheduler."""
PIECES, BATCHES = 100_000, 2_000
FEW_WORKERS, MANY_WORKERS = 8, 136
LOOKS = 60
OUT, OUT_SECONDS = 10_000, SLOW_SECONDS - LOOKED_SECONDS
"""Orders that are out while it is looked for slow ones, and for how long: none is slow yet."""
IN_ONE_PROCESS: dict[str, Any] = {
    "threads_per_worker": 1,
    "processes": False,
    "protocol": "tcp",
    "dashboard_address": None,
    "memory_limit": 0,
    "silence_logs": logging.CRITICAL,
    "resources": {resource(): 1},
}
"""How these are started: the scheduler has one thread with its workers, the client another one."""


def measured(parts: Sequence[str], before: MachineFigures) -> MachineFigures:
    """Measure parts, or all of them; the others stay as they were."""
    found: dict[str, Any] = {"machine": machine()}
    for part in parts or PARTS:
        found |= PARTS[part]()
    return replace(before, **found)


def piece_costs() -> dict[str, Any]:
    """Return how the seconds of pieces are distributed, and how many leaf nodes a second are counted."""
    records = alike(positions(PLY))
    some = np.sort(np.random.default_rng(1).choice(len(records), DRAWN, replace=False))
    seconds, _ = counted(open_counter(ENGINE, ALONE, inf), records[some], BELOW, 1)
    plain, tabled = ALONE, KernelOptions(1, TABLE)
    return {
        "quantiles": [round(one, 4) for one in np.quantile(seconds / seconds.mean(), np.linspace(0, 1, 101)).tolist()],
        "rates": {below: rate(plain, records, below, NEIGHBORS[below]) for below in NEIGHBORS if below < 7},
        "rates_with_table": {below: rate(tabled, records, below, number) for below, number in NEIGHBORS.items()},
        "alone": {number: alone(records, number) for number in TOGETHER},
    }


def positions(ply: int) -> Records:
    """Return the positions of a ply of start."""
    return distinct(Position.start().board, ply)


def alike(records: Records) -> Records:
    """Return records to each of which one game leads, so that nodes are those that are counted."""
    alone = records.copy()
    alone[:, -1] = 1
    return alone


def counted(counter: PieceCounter, records: Records, below: int, threads: int) -> tuple[Any, float]:
    """Return the seconds of each position, and the leaf nodes a second of CPU time, of so many threads."""
    counter.ready()
    orders = [made(number, [record[None]], below) for number, record in enumerate(records)]
    began = time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        deliveries = list(pool.map(lambda order: carry_out(counter, order, "here"), orders))
    seconds = time.process_time() - began
    results = [one for delivery in deliveries for one in delivery.counted]
    return np.array([one.seconds for one in results]), sum(one.nodes for one in results) / seconds


def made(number: int, records: Sequence[Records], below: int) -> Order:
    """Return an order."""
    pieces = [Piece(number, bytes_of(one)) for number, one in enumerate(records, number)]
    return Order(pieces, below, True, False, ENGINE)


def rate(means: KernelOptions, records: Records, below: int, number: int) -> float:
    """Return the leaf nodes a second of a thread, while all threads are busy with positions beside one another."""
    counter = open_counter(ENGINE, means, inf)
    firsts = np.linspace(0, len(records), PLACES, endpoint=False, dtype=np.int64).tolist()
    warming, *places = (records[first : first + number // PLACES] for first in firsts)
    counted(counter, warming, below, usable_threads())
    _, nodes = counted(counter, np.concatenate(places), below, usable_threads())
    return rounded(nodes)


def alone(records: Records, number: int) -> float:
    """Return how many positions are two plies below a position, if only those of so many beside it are merged."""
    runs = np.array_split(records, len(records) // number)
    chosen = np.random.default_rng(1).choice(len(runs), SAMPLED // number, replace=False).tolist()
    plies = [ply_of(runs[place], 2).below(Control()).below(Control()) for place in chosen]
    return rounded(sum(map(len, plies)) / sum(len(runs[place]) for place in chosen))


def order_costs() -> dict[str, Any]:
    """Return what an order costs client, scheduler, worker and network."""
    with tempfile.TemporaryDirectory() as folder:
        return _order_costs(Path(folder))


def _order_costs(folder: Path) -> dict[str, Any]:
    here = ClusterHere(folder)
    try:
        scheduler, worker = here.scheduler(), here.worker("worker")
        with closing(DaskExecutor(Cluster(here.address, {}), count_pieces, None)) as workers:
            carry_out_all(workers, WARMING)
            least = np.min([timed(workers, scheduler, worker) for _ in range(ROUNDS)], axis=0).tolist()
            costs = dict(zip(("submit", "take", "message", "work"), map(rounded, least), strict=False))
            return costs | {
                "orders_a_second": round(1 / least[-2]),
                "order_bytes": len(pickle.dumps(made(1, [np.zeros((1, 4), dtype=np.uint64)], 1))),
                "network_bytes": round(least[-1]),
                "scheduler_memory": scheduler_memory(workers, scheduler, worker),
            }
    finally:
        here.end()


def timed(workers: DaskExecutor, scheduler: Process, worker: Process) -> list[float]:
    """Return what an order takes, of a round: `submit`, `take`, `message`, `work`, seconds in all, bytes sent."""
    before = [time.process_time(), busy(scheduler), busy(worker), time.perf_counter(), float(loopback())]
    submitting = carry_out_all(workers, ORDERS) / ORDERS
    after = [time.process_time(), busy(scheduler), busy(worker), time.perf_counter(), float(loopback())]
    spent = [(ended - began) / ORDERS for began, ended in zip(before, after, strict=True)]
    client, scheduling, *others = spent
    return [submitting, client - submitting, scheduling / MESSAGES, *others]


def carry_out_all(workers: DaskExecutor, number: int) -> float:
    """Have orders carried out, some of which are always out. Return the seconds of CPU time to submit them."""
    orders, submitting, done = next_orders(number), 0.0, 0
    room = AT_ONCE
    while done < number:
        before = time.thread_time()
        for order in islice(orders, room):
            workers.submit(order.pieces[0].number, order)
        submitting += time.thread_time() - before
        deliveries = workers.receive(1.0)
        assert all(one.value.origin is not None for one in deliveries)
        room = len(deliveries)
        done += room
    return submitting


def rounded(figure: float) -> float:
    """Return a figure with the digits that a measurement has."""
    return float(f"{figure:.3g}")


def next_orders(number: int) -> Iterator[Order]:
    """Yield orders that are done at once."""
    record = alike(positions(1))[:1]
    return (made(place, [record], 1) for place in range(number))


def scheduler_memory(workers: DaskExecutor, scheduler: Process, worker: Process) -> int:
    """Return the bytes of the scheduler for each order that is out. The worker is good for nothing afterwards."""
    worker.send_signal(signal.SIGSTOP)
    before = resident(scheduler)
    for order in next_orders(WAITING):
        workers.submit(order.pieces[0].number, order)
    spent = -1.0
    while busy(scheduler) > spent + 0.2:  # it takes them in
        spent = busy(scheduler)
        time.sleep(1)
    return round((resident(scheduler) - before) / WAITING)


def busy(process: Process) -> float:
    """Return the seconds of CPU time that a process has taken."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: Process) -> int:
    """Return the bytes of memory of a process."""
    return int(Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def loopback() -> int:
    """Return the bytes that were sent within this machine."""
    lines = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.strip().startswith("lo:")).split()[1])


def look_costs() -> dict[str, Any]:
    """Return what grows with the workers, for each of them: to look who is there, and to choose one for an order."""
    few, many = (np.array(of_workers(number)) for number in (FEW_WORKERS, MANY_WORKERS))
    of_one = ((many - few) / (MANY_WORKERS - FEW_WORKERS)).tolist()
    return dict(zip(("look", "told", "choose"), map(rounded, of_one), strict=False)) | {"look_bytes": round(of_one[-1])}


def of_workers(number: int) -> list[float]:
    """Return the seconds of the client and of the scheduler for a look, those to choose a worker, and the bytes."""
    dask: Any = distributed  # it has types in parts only
    with dask.LocalCluster(n_workers=number, **IN_ONE_PROCESS) as local:
        address = local.scheduler_address
        greeting = greeted(address, number)
        with dask.Client(address) as client:
            looks = [look(client, local) for _ in range(LOOKS)]
            size = len(json.dumps(client.sync(client.scheduler.identity, n_workers=-1), default=str))
            asked, told = (min(times) for times in zip(*looks, strict=True))
            return [greeting + asked, told, chosen(client, local), size]


def greeted(address: str, number: int) -> float:
    """Return the seconds that the client takes for the answer, in the thread that hands out."""
    spent = []
    with closing(Cluster(address, {})) as cluster:
        until = time.monotonic() + 3 * LOOK_SECONDS
        while time.monotonic() < until:
            before = time.thread_time()
            cluster.done(LOOK_SECONDS / 50)
            spent.append(time.thread_time() - before)
        assert cluster.capacity() == number
    return sorted(spent)[-2]  # there were two looks or more, and any of them may have been disturbed


def look(client: Any, local: Any) -> tuple[float, float]:
    """Return the seconds of CPU time that a look takes the client and the scheduler, each in its thread."""
    before = client.sync(thread_seconds), local.sync(thread_seconds)
    client.sync(client.scheduler.identity, n_workers=-1)
    after = client.sync(thread_seconds), local.sync(thread_seconds)
    return after[0] - before[0], after[1] - before[1]


async def thread_seconds() -> float:
    """Return the CPU time of a thread."""
    return time.thread_time()


def chosen(client: Any, local: Any) -> float:
    """Return the seconds that the scheduler takes to choose a worker for an order."""
    order = client.submit(time.sleep, 1, resources={resource(): 1}, key="order", pure=False)

    async def choosing() -> float:
        while "order" not in local.scheduler.tasks:
            await asyncio.sleep(0.01)
        state, spent = local.scheduler.tasks["order"], []
        for _ in range(LOOKS):
            before = time.thread_time()
            local.scheduler.decide_worker_non_rootish(state)
            spent.append(time.thread_time() - before)
        return min(spent)

    seconds: float = local.sync(choosing)
    order.release()
    return seconds


def ledger_costs() -> dict[str, Any]:
    """Return what a ledger takes for a batch and for a piece, on the disk and in the memory of the client."""
    with tempfile.TemporaryDirectory() as folder:
        return _ledger_costs(Path(folder))


def _ledger_costs(folder: Path) -> dict[str, Any]:
    path = folder / "measured.ledger"
    make_one_position_ledger(path)
    results = [CountedPiece(number, 10**12 + number, 1.5) for number in range(1, PIECES + 1)]
    origin = ResultOrigin("here", ENGINE, "1", "abc")
    with open_ledger(path) as ledger:
        tracemalloc.start()
        waiting = deque(ledger.pieces_left())
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(waiting) == PIECES
        began = time.perf_counter()
        for one in results[:BATCHES]:
            ledger.keep([(origin, [one])])
        alone = (time.perf_counter() - began) / BATCHES
        began = time.perf_counter()
        ledger.keep([(origin, results[BATCHES:])])
        row = (time.perf_counter() - began) / (PIECES - BATCHES)
    return {
        "commit": rounded(alone - row),
        "row": rounded(row),
        "ledger_bytes": round(path.stat().st_size / PIECES),
        "client_bytes": round(most / PIECES),
    }


def make_one_position_ledger(path: Path) -> None:
    """Make a ledger with pieces of one position."""
    count = Count(Position.start().fen(), False, 12, 6, ENGINE)
    make_ledger(path, count, PIECES, PIECES, [RECORD_BYTES] * PIECES, iter([bytes(RECORD_BYTES * PIECES)]))


def out_costs() -> dict[str, Any]:
    """Return what an order that is out costs the client at each look for slow ones: its longest round without them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "measured.ledger"
        make_one_position_ledger(path)
        with open_ledger(path) as ledger:
            never: Any = _Never()
            for _ in PieceScheduler(ledger, never).events(never.interrupt):
                pass
    return {"out": rounded(sorted(never.rounds)[-2] / OUT)}


class _Never:
    """Workers that deliver nothing, and measure what the client does meanwhile."""

    is_here = False

    def __init__(self) -> None:
        self.rounds: list[float] = []
        self.interrupt = Interrupt()
        self._since = 0.0
        self._until = 0.0

    def capacity(self) -> int:
        return OUT // AHEAD

    def submit(self, _number: int, _order: Order) -> None:
        pass

    def receive(self, seconds: float) -> list[Done]:
        if self._since:
            self.rounds.append(time.thread_time() - self._since)
        self._until = self._until or time.monotonic() + OUT_SECONDS
        self.interrupt.requested = time.monotonic() > self._until
        time.sleep(seconds)
        self._since = time.thread_time()
        return []

    def messages(self) -> list[Message]:
        return []

    def news(self) -> list[str]:
        return []

    def dismiss(self, worker: str) -> None:
        raise AssertionError(worker)

    def close(self) -> None:
        pass


PARTS = {
    "pieces": piece_costs,
    "orders": order_costs,
    "ledger": ledger_costs,
    "looks": look_costs,
    "out": out_costs,
}
