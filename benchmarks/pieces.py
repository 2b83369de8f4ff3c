"""What a count by pieces costs beside the counting itself: in this process, in processes and on a Dask cluster.

    python benchmarks/pieces.py [--rounds 3]

All count the same pieces of start depth 8, cut at ply 4, with as many threads as the machine has: pieces of about
100 ms and of 10 ms. "bare" calls the kernel for one piece after the other in threads, without a ledger. The clock
runs from the first piece to the last, in rounds in which all take turns; the overhead is that of the median. Then a
ledger of a million pieces is made: its bytes a piece, and the seconds until it is open and knows what is left.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

from helpers.clusters import ClusterHere, cluster_in
from perft_check.generator.kernels.machine.memory import Control
from perft_check.generator.position import Position
from perft_check.harness.cluster.client import Cluster
from perft_check.harness.cluster.executor import DaskExecutor
from perft_check.harness.counting.campaign import Verification, events
from perft_check.harness.counting.cutting import cut
from perft_check.harness.counting.ledger import Ledger, make_ledger, open_ledger
from perft_check.harness.counting.model import Count, CountedPiece, Order, ResultOrigin
from perft_check.harness.counting.piece_counter import carry_out, count_pieces, count_with, open_counter
from perft_check.harness.engines.kinds.own import ALONE
from perft_check.harness.model.machine import usable_threads
from perft_check.harness.model.results.perft import CountFinished
from perft_check.harness.model.shutdown import Interrupt
from perft_check.harness.work.executor import Executor
from perft_check.harness.work.processes import LocalProcesses
from perft_check.harness.work.threads import LocalThreads

ENGINE = "own:two-plies"
DEPTH, SPLIT, NODES = 8, 4, 84_998_978_956
POSITIONS = {"100 ms": 600, "10 ms": 60}
"""Positions of a piece, by about how long it takes."""
MILLION = 1_000_000
NOTHING = Verification(0.0, (), 1, math.inf)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder, cluster_in(Path(folder)) as cluster:
        for number in range(usable_threads()):
            cluster.worker(f"worker-{number}")
        for name, positions in POSITIONS.items():
            show(Path(folder), name, positions, cluster, rounds)
        show_million(Path(folder))


def show(folder: Path, name: str, positions: int, cluster: ClusterHere, rounds: int) -> None:
    ways: dict[str, Callable[[Path], float]] = {
        "bare": bare,
        "threads": lambda path: counted(path, in_threads),
        "processes": lambda path: counted(path, lambda: LocalProcesses(usable_threads(), count_pieces, ALONE)),
        "cluster": lambda path: counted(path, lambda: DaskExecutor(Cluster(cluster.address, {}), count_pieces, None)),
    }
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(rounds + 1):
        for way, count in ways.items():
            path = folder / f"{positions}-{number}-{way}.ledger"
            made(path, positions)
            taken = count(path)
            if number:  # the first round loads
                seconds[way].append(taken)
    base = statistics.median(seconds["bare"])
    for way, all_seconds in seconds.items():
        median = statistics.median(all_seconds)
        print(f"pieces of {name:6}  {way:9}  {median:6.2f} s  {100 * (median / base - 1):+5.1f} %", flush=True)


def made(path: Path, positions: int) -> None:
    start = Position.start()
    count = Count(start.fen(), False, DEPTH, SPLIT, ENGINE)
    cut(path, start, count, positions, Control(), lambda _ply, _positions: None)


def bare(path: Path) -> float:
    counter = open_counter(ENGINE, ALONE, math.inf)
    counter.ready()
    with open_ledger(path) as ledger:
        orders = [Order([piece], DEPTH - SPLIT, False, False, ENGINE) for piece in ledger.pieces(ledger.pieces_left())]
    began = time.perf_counter()
    with ThreadPoolExecutor(usable_threads()) as pool:
        deliveries = list(pool.map(lambda order: carry_out(counter, order, "here"), orders))
    seconds = time.perf_counter() - began
    assert sum(one.nodes for delivery in deliveries for one in delivery.counted) == NODES
    return seconds


def in_threads() -> LocalThreads:
    return LocalThreads(usable_threads(), count_with, open_counter(ENGINE, ALONE, math.inf), "here")


def counted(path: Path, open_executor: Callable[[], Executor[Order]]) -> float:
    with ExitStack() as stack:
        workers = stack.enter_context(closing(open_executor()))
        ledger = stack.enter_context(open_ledger(path))
        warm(workers, ledger)
        began = time.perf_counter()
        *_, finished = events(ledger, workers, NOTHING, Interrupt())
        seconds = time.perf_counter() - began
    assert isinstance(finished, CountFinished)
    assert (finished.is_complete, finished.nodes) == (True, NODES)
    return seconds


def warm(executor: Executor[Order], ledger: Ledger) -> None:
    """Have each of the workers load what it counts with."""
    pieces = ledger.pieces([1])
    for number in range(4 * usable_threads()):
        executor.submit(-1 - number, Order(pieces, 1, False, False, ENGINE))
    waiting = 4 * usable_threads()
    while waiting:
        waiting -= len(executor.receive(1.0))


def show_million(folder: Path) -> None:
    path = folder / "million.ledger"
    count = Count("8/8/8/8/8/8/8/K1k5 w - - 0 1", False, 12, 6, ENGINE)
    make_ledger(path, count, MILLION, MILLION, [32] * MILLION, blocks(bytes(32 * 1_000)))
    counts = [CountedPiece(number, 10**12 + number, 1.5) for number in range(1, MILLION)]
    with open_ledger(path) as ledger:
        ledger.keep([(ResultOrigin("here", ENGINE, "1", "abc"), counts)])
    print(f"a million pieces: {path.stat().st_size / MILLION:.0f} bytes each")
    script = f"""
import time
began = time.perf_counter()
from pathlib import Path

from perft_check.harness.counting.piece_scheduler import PieceScheduler
from perft_check.harness.counting.ledger import open_ledger
loaded = time.perf_counter()
with open_ledger(Path({str(path)!r})) as ledger:
    PieceScheduler(ledger, None)
    print(f"opened in {{time.perf_counter() - loaded:.2f}} s")
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def blocks(block: bytes) -> Iterator[bytes]:
    for _ in range(MILLION // 1_000):
        yield block


if __name__ == "__main__":
    main()
