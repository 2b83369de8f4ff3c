"""Measure the overhead of counting in pieces: in this process and on a Dask cluster.

    python benchmarks/pieces.py [--rounds 3]

Each method counts the same pieces of the starting position to depth 8, cut at ply 4, and uses all threads of the
machine. The pieces take about 100 ms or about 10 ms. "bare" only calls the kernel for each piece, in threads and
without a ledger. Times are measured from the first piece to the last. The overhead compares the median time with that
of "bare", over alternating rounds.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from helpers.clusters import LocalCluster, cluster_in
from perft_check.generator.counting.records import Records, distinct_positions
from perft_check.generator.position import Position
from perft_check.harness.counting.cluster import ClusterWorkers
from perft_check.harness.counting.ledger import Ledger, LedgerHead, cut_of, open_ledger
from perft_check.harness.counting.model import Count, Order
from perft_check.harness.counting.piece_counter import carry_out, open_counter
from perft_check.harness.counting.piece_scheduler import LocalWorkers, PieceScheduler, Workers
from perft_check.harness.engines.types.own import ALONE
from perft_check.harness.machine import usable_threads
from perft_check.harness.model.results.positions import CountFinished
from perft_check.harness.shutdown import Interrupt

ENGINE = "own:two-plies"
DEPTH, SPLIT, NODES = 8, 4, 84_998_978_956
POSITIONS = {"100 ms": 600, "10 ms": 60}
"""Number of positions in a piece, by its approximate time."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder, cluster_in(Path(folder)) as cluster:
        for number in range(usable_threads()):
            cluster.worker(f"worker-{number}")
        for name, positions in POSITIONS.items():
            show(Path(folder), name, positions, cluster, rounds)


def show(folder: Path, name: str, positions: int, cluster: LocalCluster, rounds: int) -> None:
    openers: dict[str, Callable[[], Workers]] = {
        "threads": in_threads,
        "cluster": lambda: ClusterWorkers(cluster.address, math.inf),
    }
    ways: dict[str, Callable[[Path], float]] = {"bare": lambda path: bare(path, positions)}
    ways |= {way: partial(counted, positions=positions, open_workers=opener) for way, opener in openers.items()}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(rounds + 1):
        for way, count in ways.items():
            path = folder / f"{positions}-{number}-{way}.ledger"
            taken = count(path)
            if number:  # the first round loads the kernels
                seconds[way].append(taken)
    base = statistics.median(seconds["bare"])
    for way, all_seconds in seconds.items():
        median = statistics.median(all_seconds)
        print(f"pieces of {name:6}  {way:9}  {median:6.2f} s  {100 * (median / base - 1):+5.1f} %", flush=True)


def cut(positions: int) -> tuple[LedgerHead, Records]:
    start = Position.start()
    records = distinct_positions(start.board, SPLIT)
    return LedgerHead(Count(start.fen(), False, DEPTH, SPLIT, ENGINE), cut_of(records, positions)), records


def bare(path: Path, positions: int) -> float:
    counter = open_counter(ENGINE, ALONE, math.inf)
    counter.ready()
    with open_ledger(path, *cut(positions)) as ledger:
        orders = [Order(piece, DEPTH - SPLIT, False, False, ENGINE) for piece in ledger.pieces(ledger.pieces_left())]
    began = time.perf_counter()
    with ThreadPoolExecutor(usable_threads()) as pool:
        deliveries = list(pool.map(lambda order: carry_out(counter, order, "here"), orders))
    seconds = time.perf_counter() - began
    assert sum(one.counted[1].nodes for one in deliveries if one.counted is not None) == NODES
    return seconds


def in_threads() -> LocalWorkers:
    return LocalWorkers(open_counter(ENGINE, ALONE, math.inf), "here", usable_threads())


def counted(path: Path, positions: int, open_workers: Callable[[], Workers]) -> float:
    with ExitStack() as stack:
        workers = stack.enter_context(closing(open_workers()))
        ledger = stack.enter_context(open_ledger(path, *cut(positions)))
        warm(workers, ledger)
        began = time.perf_counter()
        *_, finished = PieceScheduler(ledger, workers).events(Interrupt())
        seconds = time.perf_counter() - began
    assert isinstance(finished, CountFinished)
    assert (finished.is_complete, finished.nodes) == (True, NODES)
    return seconds


def warm(workers: Workers, ledger: Ledger) -> None:
    """Make each worker load its kernel."""
    (piece,) = ledger.pieces([1])
    order = Order(piece, 1, False, False, ENGINE)
    wait([workers.submit(order) for _ in range(4 * usable_threads())])


if __name__ == "__main__":
    main()
