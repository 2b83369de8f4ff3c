"""What the simulation needs to know, measured on this machine: pieces, orders on a Dask cluster, a ledger.

Pieces take a minute of CPU time, orders half a minute, the others a second. The cluster is a scheduler and a worker of
this machine, and its orders have next to nothing to count: what is left is what an order costs.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
import time
import tracemalloc
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

import distributed
import numpy as np
from helpers.clusters import ClusterHere, Process
from perft_check.generator.counting.distinct import distinct
from perft_check.generator.counting.records import RECORD_BYTES, Records, bytes_of, ply_of
from perft_check.generator.kernels.machine.control import Control
from perft_check.generator.position import Position
from perft_check.harness.counting.hand import Hand, carried_out, open_hand
from perft_check.harness.counting.handing_out import _Out
from perft_check.harness.counting.ledger.ledger import make, opened
from perft_check.harness.counting.model import Count, Counted, Delivery, Order, Origin, Piece
from perft_check.harness.counting.workers.cluster import Cluster
from perft_check.harness.engines.kinds.own import ALONE, Means
from perft_check.harness.model.machine import machine, usable_threads

from .measured import Measured

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
WARMING, ORDERS, AT_ONCE = 200, 320, 64
"""Orders before anything is measured, those of a round, and how many are out."""
ROUNDS = 5
"""The quickest one counts: others use this machine, too."""
MESSAGES = 3
"""Of an order, to the scheduler."""
PIECES, BATCHES = 100_000, 2_000
FEW_WORKERS, MANY_WORKERS = 8, 72
LOOKS = 20
IN_ONE_PROCESS: dict[str, Any] = {
    "threads_per_worker": 1,
    "processes": False,
    "protocol": "tcp",
    "dashboard_address": None,
    "memory_limit": 0,
}
"""How these are started: the seconds of a look are those of client and scheduler together."""


def measured(parts: Sequence[str], before: Measured) -> Measured:
    """Measure parts, or all of them; the others stay as they were."""
    found: dict[str, Any] = {"machine": machine()}
    for part in parts or PARTS:
        found |= PARTS[part]()
    return replace(before, **found)


def piece_costs() -> dict[str, Any]:
    """Return how the seconds of pieces are distributed, and how many leaf nodes a second are counted."""
    records = alike(positions(PLY))
    some = np.sort(np.random.default_rng(1).choice(len(records), DRAWN, replace=False))
    seconds, _ = counted(open_hand(ENGINE, ALONE, inf), records[some], BELOW, 1)
    plain, tabled = ALONE, Means(1, TABLE, False)
    return {
        "quantiles": [round(one, 4) for one in np.quantile(seconds / seconds.mean(), np.linspace(0, 1, 101)).tolist()],
        "rates": {below: rate(plain, records, below, NEIGHBORS[below]) for below in NEIGHBORS if below < 7},
        "rates_with_table": {below: rate(tabled, records, below, number) for below, number in NEIGHBORS.items()},
        "alone": {number: alone(records, number) for number in TOGETHER},
    }


def positions(ply: int) -> Records:
    """Return the positions of a ply of start."""
    with distinct(Position.start().board, ply) as found:
        return np.concatenate([block.copy() for block in found.blocks(1 << 16)])


def alike(records: Records) -> Records:
    """Return records to each of which one game leads, so that nodes are those that are counted."""
    alone = records.copy()
    alone[:, -1] = 1
    return alone


def counted(hand: Hand, records: Records, below: int, threads: int) -> tuple[Any, float]:
    """Return the seconds of each position, and the leaf nodes a second of CPU time, of so many threads."""
    hand.ready()
    orders = [made(number, [record[None]], below) for number, record in enumerate(records)]
    began = time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        deliveries = list(pool.map(lambda order: carried_out(hand, order, "here"), orders))
    seconds = time.process_time() - began
    results = [one for delivery in deliveries for one in delivery.counted]
    return np.array([one.seconds for one in results]), sum(one.nodes for one in results) / seconds


def made(number: int, records: Sequence[Records], below: int) -> Order:
    """Return an order."""
    pieces = [Piece(number, bytes_of(one)) for number, one in enumerate(records, number)]
    return Order(number, pieces, below, True, False, ENGINE)


def rate(means: Means, records: Records, below: int, number: int) -> float:
    """Return the leaf nodes a second of a thread, while all threads are busy with positions beside one another."""
    hand = open_hand(ENGINE, means, inf)
    firsts = np.linspace(0, len(records), PLACES, endpoint=False, dtype=np.int64).tolist()
    warming, *places = (records[first : first + number // PLACES] for first in firsts)
    counted(hand, warming, below, usable_threads())
    _, nodes = counted(hand, np.concatenate(places), below, usable_threads())
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
        with closing(Cluster(here.address)) as cluster:
            carry_out_all(cluster, WARMING)
            one_by_one = min((timed(cluster, scheduler, worker) for _ in range(ROUNDS)), key=lambda one: one.seconds)
            together = min(gathered(cluster, scheduler) for _ in range(ROUNDS))
            return {
                "submit": rounded(one_by_one.submitting),
                "fetch": rounded(max(0.0, one_by_one.fetching - one_by_one.message)),
                "fetch_together": rounded(max(0.0, together[0] - together[1])),
                "message": rounded(one_by_one.message),
                "message_together": rounded(together[1]),
                "work": rounded(one_by_one.working),
                "orders_a_second": round(1 / one_by_one.seconds),
                "order_bytes": len(pickle.dumps(made(1, [np.zeros((1, 4), dtype=np.uint64)], 1))),
                "network_bytes": round(one_by_one.sent),
                "scheduler_memory": scheduler_memory(cluster, scheduler),
            }
    finally:
        here.end()


@dataclass(frozen=True)
class Round:
    """What an order takes."""

    seconds: float
    submitting: float
    fetching: float
    message: float
    working: float
    sent: float
    """Bytes."""


def timed(cluster: Cluster, scheduler: Process, worker: Process) -> Round:
    """Return what an order takes, of a round."""
    before = [busy(scheduler), busy(worker), float(loopback())]
    spent = carry_out_all(cluster, ORDERS)
    after = [busy(scheduler), busy(worker), float(loopback())]
    scheduling, working, sent = ((ended - began) / ORDERS for began, ended in zip(before, after, strict=True))
    submitting, fetching, seconds = (one / ORDERS for one in spent)
    return Round(seconds, submitting, fetching, scheduling / MESSAGES, working, sent)


def carry_out_all(cluster: Cluster, number: int) -> tuple[float, float, float]:
    """Have orders carried out, some of which are always out. Return the seconds to submit, to fetch, and in all.

    It does what the client does, by the parts of it that are not public, to time them one by one.
    """
    orders = next_orders(number)
    began = time.perf_counter()
    submitting = fetching = 0.0
    out, left = 0, number
    while left:
        before = time.perf_counter()
        for order in (next(orders) for _ in range(min(AT_ONCE - out, left - out))):
            cluster.submit(order)
            out += 1
        submitting += time.perf_counter() - before
        found = cluster._delivered.get()
        before = time.perf_counter()
        assert cluster._delivery(found).origin is not None
        fetching += time.perf_counter() - before
        out, left = out - 1, left - 1
    return submitting, fetching, time.perf_counter() - began


def rounded(figure: float) -> float:
    """Return a figure with the digits that a measurement has."""
    return float(f"{figure:.3g}")


def next_orders(number: int) -> Iterator[Order]:
    record = alike(positions(1))[:1]
    return (made(place, [record], 1) for place in range(number))


def gathered(cluster: Cluster, scheduler: Process) -> tuple[float, float]:
    """Return the seconds to fetch a result, of `AT_ONCE` that are fetched with one request, and those of a message."""
    client: Any = cluster._client
    orders, rounds, seconds = next_orders(ORDERS), ORDERS // AT_ONCE, 0.0
    before = busy(scheduler)
    for _ in range(rounds):
        for _ in range(AT_ONCE):
            cluster.submit(next(orders))
        futures = [cluster._delivered.get() for _ in range(AT_ONCE)]
        began = time.perf_counter()
        deliveries: list[Delivery] = client.gather(futures)
        seconds += time.perf_counter() - began
        assert all(one.origin is not None for one in deliveries)
        for future in futures:
            cluster._futures.pop(str(future.key))
    number = rounds * AT_ONCE
    return seconds / number, (busy(scheduler) - before) / number / MESSAGES


def scheduler_memory(cluster: Cluster, scheduler: Process) -> int:
    """Return the bytes of the scheduler for each order that is out."""
    before = resident(scheduler)
    number = 10 * ORDERS
    for order in next_orders(number):
        cluster.submit(order)
    futures = [cluster._delivered.get() for _ in range(number)]  # their results are kept as long as these are
    return round((resident(scheduler) - before) / len(futures))


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
    """Return what it takes to look who is there, for each worker: in one process, so it is the work of both sides."""
    dask: Any = distributed  # it has types in parts only
    seconds, size = {}, {}
    for number in (FEW_WORKERS, MANY_WORKERS):
        with dask.LocalCluster(n_workers=number, **IN_ONE_PROCESS) as local, dask.Client(local) as client:
            began = time.perf_counter()
            for _ in range(LOOKS):
                told = client.sync(client.scheduler.identity, n_workers=-1)
            seconds[number] = (time.perf_counter() - began) / LOOKS
            size[number] = len(json.dumps(told, default=str))
    more = MANY_WORKERS - FEW_WORKERS
    return {
        "look": rounded((seconds[MANY_WORKERS] - seconds[FEW_WORKERS]) / more),
        "look_bytes": round((size[MANY_WORKERS] - size[FEW_WORKERS]) / more),
    }


def ledger_costs() -> dict[str, Any]:
    """Return what a ledger takes for a batch and for a piece, on the disk and in the memory of the client."""
    with tempfile.TemporaryDirectory() as folder:
        return _ledger_costs(Path(folder))


def _ledger_costs(folder: Path) -> dict[str, Any]:
    path = folder / "measured.ledger"
    count = Count(Position.start().fen(), False, 12, 6, ENGINE)
    make(path, count, PIECES, PIECES, [RECORD_BYTES] * PIECES, iter([bytes(RECORD_BYTES * PIECES)]))
    results = [Counted(number, 10**12 + number, 1.5) for number in range(1, PIECES + 1)]
    origin = Origin("here", ENGINE, "1", "abc")
    with opened(path) as ledger:
        tracemalloc.start()
        waiting = deque(ledger.uncounted())
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


def out_costs() -> dict[str, Any]:
    """Return what it takes to look at an order that is out, as the client does at each batch."""
    order = made(1, [], 1)
    out = {number: _Out(order, 0.0) for number in range(PIECES)}
    began = time.perf_counter()
    for _, one in list(out.items()):
        if one.is_shared:
            sys.exit("nobody has shared it")
    return {"out": rounded((time.perf_counter() - began) / PIECES)}


PARTS = {
    "pieces": piece_costs,
    "orders": order_costs,
    "ledger": ledger_costs,
    "looks": look_costs,
    "out": out_costs,
}
