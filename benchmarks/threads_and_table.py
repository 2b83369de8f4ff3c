"""Measure `own:two-plies` with two threads, and with a table of 256 MiB, relative to one thread without a table.

    python benchmarks/threads_and_table.py [--rounds 5] [--only start]

Each round counts in all three ways; the ratio is the median over the rounds. The memory of the table is allocated
before the measurement and cleared during it. All counts must be equal. Two threads cannot double the speed if the
machine's two processors are hardware threads of one core, or are busy.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

from perft_check.generator import Position, perft
from perft_check.generator.counting.counter import Table

TABLE_BYTES = 256 << 20

# `game-084` of the standard suite is the root with the largest share of its tree below one move: 63 %.
LOPSIDED = "2bq1bnr/1ppkp3/B1np1ppp/2N5/p4rP1/N3P2P/PPPP4/R1BQK2R b KQ - 1 14"
TREES = (
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 7),
    ("lopsided", LOPSIDED, 7),
    ("lopsided", LOPSIDED, 8),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 6),
    ("cpw-3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 8),
    ("cpw-4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 7),
    ("cpw-5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 6),
    ("cpw-6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 6),
)


def main() -> None:
    """Print one line per tree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="only trees with this name")
    options = parser.parse_args()
    table = Table(TABLE_BYTES)
    print(f"{'position':10} {'depth':>5} {'one thread':>12}  {'two threads':>11}  {'table':>6}")
    for name, fen, depth in TREES:
        if options.only in (None, name):
            position = Position.from_fen(fen)
            for count in ways(position, 5, table).values():
                count()  # compiles the kernels
            rounds = [timed(ways(position, depth, table)) for _ in range(options.rounds)]
            two, tabled = (statistics.median(row["one"] / row[way] for row in rounds) for way in ("two", "table"))
            seconds = statistics.median(row["one"] for row in rounds)
            print(f"{name:10} {depth:5} {seconds:10.2f} s  {two:11.2f}  {tabled:6.2f}", flush=True)


def ways(position: Position, depth: int, table: Table) -> dict[str, Callable[[], int]]:
    """Return the counting functions by name."""

    def count(threads: int, memory: Table | None = None) -> int:
        if memory:
            memory.clear()
        return perft(position, depth, kernel="two-plies", threads=threads, table=memory)

    return {"one": partial(count, 1), "two": partial(count, 2), "table": partial(count, 1, table)}


def timed(calls: dict[str, Callable[[], int]]) -> dict[str, float]:
    """Return the seconds that each function takes. Exits if the counts differ."""
    seconds, counts = {}, set()
    for way, count in calls.items():
        began = time.perf_counter()
        counts.add(count())
        seconds[way] = time.perf_counter() - began
    if len(counts) != 1:
        raise SystemExit(f"different counts: {counts}")
    return seconds


if __name__ == "__main__":
    main()
