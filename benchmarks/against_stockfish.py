"""Compare the speed of the kernels with that of Stockfish's `go perft`, which uses one thread and no hash table.

    python benchmarks/against_stockfish.py [--rounds 5] [--deep]

Prints speeds as multiples of Stockfish's speed. In the columns "threads", "table" and "both", the two-plies kernel uses
all threads of the machine, an empty table of 256 MiB, or both. The memory of the table is allocated before the
measurement and cleared during it. If chessmg, the fastest generator on PyPI, is installed, it also has a column. Each
round runs Stockfish and the kernels in turn, so that changes in the speed of the machine affect all of them; each ratio
is the median over the rounds. Every count is checked.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec

from perft_check.generator import Position, perft
from perft_check.generator.counting.counter import Table
from perft_check.generator.game import Game
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.machine import usable_threads

TABLE_BYTES = 256 << 20

POSITIONS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {6: 119060324, 7: 3195901860}),
    "kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        {5: 193690690, 6: 8031647685},
    ),
    "cpw-3": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {7: 178633661, 8: 3009794393}),
    "cpw-4": (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        {5: 15833292, 6: 706045033},
    ),
    "cpw-5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {5: 89941194, 6: 3048196529}),
    "cpw-6": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        {5: 164075551, 6: 6923051137},
    ),
}


def speed(call: Callable[[], int], expected: int) -> float:
    began = time.perf_counter()
    count = call()
    seconds = time.perf_counter() - began
    if count != expected:
        raise SystemExit(f"incorrect count: {count} instead of {expected}")
    return count / seconds / 1e6


def counted_by(position: Position, depth: int, table: Table) -> dict[str, Callable[[], int]]:
    """Return functions that count a position with perft-check's kernels, by the name of their column."""

    def with_table(threads: int) -> int:
        table.clear()
        return perft(position, depth, kernel="two-plies", threads=threads, table=table)

    return {
        "list": partial(perft, position, depth, kernel="list"),
        "turbo": partial(perft, position, depth, kernel="turbo"),
        "two-plies": partial(perft, position, depth, kernel="two-plies"),
        "threads": partial(perft, position, depth, kernel="two-plies", threads=usable_threads()),
        "table": partial(with_table, 1),
        "both": partial(with_table, usable_threads()),
    }


def counted_by_chessmg(position: Position, depth: int) -> dict[str, Callable[[], int]]:
    """Return the counting function of chessmg by the name of its column, or nothing if it is not installed."""
    if find_spec("chessmg") is None:
        return {}
    counting = import_module("chessmg.position").ChessPosition(position.fen())
    return {"chessmg": partial(counting.perft, depth)}


def main() -> None:
    """Print one line per position, and the geometric means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deep", action="store_true", help="one ply deeper")
    options = parser.parse_args()
    stockfish = open_engine("uci:stockfish")
    stockfish.start(EngineCall())
    table = Table(TABLE_BYTES)
    table.clear()
    ways = [*counted_by_chessmg(Position.start(), 1), *counted_by(Position.start(), 1, table)]
    print(f"{'position':10} {'depth':>5} {'Stockfish':>10}  {'  '.join(f'{way:>9}' for way in ways)}  two-plies Mn/s")
    ratios: dict[str, list[float]] = {way: [] for way in ways}
    for name, (fen, counts) in POSITIONS.items():
        position = Position.from_fen(fen)
        depth, expected = (max if options.deep else min)(counts.items())
        for call in counted_by(position, 4, table).values():
            call()  # compiles the kernels
        calls: dict[str, Callable[[], int]] = {
            "Stockfish": partial(stockfish.perft, Game(position), depth, EngineCall()),
            **counted_by_chessmg(position, depth),
            **counted_by(position, depth, table),
        }
        rounds = [{key: speed(call, expected) for key, call in calls.items()} for _ in range(options.rounds)]
        for way in ways:
            ratios[way].append(statistics.median(row[way] / row["Stockfish"] for row in rounds))
        slowest, fastest = (statistics.median(row[key] for row in rounds) for key in ("Stockfish", "two-plies"))
        columns = "  ".join(f"{ratios[way][-1]:9.2f}" for way in ways)
        print(f"{name:10} {depth:5} {slowest:5.0f} Mn/s  {columns}  {fastest:14,.0f}", flush=True)
    means = (math.exp(statistics.fmean(map(math.log, ratios[way]))) for way in ways)
    print(f"{'geometric mean':27}  {'  '.join(f'{mean:9.2f}' for mean in means)}")
    stockfish.close()


if __name__ == "__main__":
    main()
