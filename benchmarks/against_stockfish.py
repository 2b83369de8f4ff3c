"""Our kernels beside Stockfish's `go perft`, one thread each, no hash table, in one run.

    python benchmarks/against_stockfish.py [--rounds 5] [--deep]

Each round asks Stockfish and both kernels in turn, so that a machine whose speed drifts slows them
all; the ratio is the median over the rounds. Every count is checked.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from functools import partial

from perft_check.generator import Position, perft
from perft_check.generator.line import Line
from perft_check.harness.engines.registry import open_engine
from perft_check.harness.engines.task import Task

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
    "cpw-5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {5: 89941194}),
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
        raise SystemExit(f"wrong count: {count} instead of {expected}")
    return count / seconds / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deep", action="store_true", help="one ply deeper where the count is known")
    options = parser.parse_args()
    stockfish = open_engine("uci:stockfish")
    stockfish.start(Task())
    print(f"{'position':10} {'depth':>5} {'stockfish':>10} {'list':>7} {'turbo':>7} {'list/sf':>8} {'turbo/sf':>8}")
    ratios: dict[str, list[float]] = {"list": [], "turbo": []}
    for name, (fen, counts) in POSITIONS.items():
        position = Position.from_fen(fen)
        depth, expected = (max if options.deep else min)(counts.items())
        calls: dict[str, Callable[[], int]] = {
            "stockfish": partial(stockfish.perft, Line(position), depth, Task()),
            "list": partial(perft, position, depth, kernel="list"),
            "turbo": partial(perft, position, depth, kernel="turbo"),
        }
        perft(position, 2, kernel="list")
        perft(position, 2, kernel="turbo")
        rounds = [{key: speed(call, expected) for key, call in calls.items()} for _ in range(options.rounds)]
        middle = {key: statistics.median(row[key] for row in rounds) for key in calls}
        ratio = {key: statistics.median(row[key] / row["stockfish"] for row in rounds) for key in ratios}
        for key in ratios:
            ratios[key].append(ratio[key])
        print(
            f"{name:10} {depth:5} {middle['stockfish']:10.0f} {middle['list']:7.0f} {middle['turbo']:7.0f}"
            f" {ratio['list']:8.2f} {ratio['turbo']:8.2f}"
        )
    means = {key: math.exp(statistics.fmean(map(math.log, values))) for key, values in ratios.items()}
    print(f"{'geometric mean':35} {means['list']:24.2f} {means['turbo']:8.2f}   (million nodes per second)")
    stockfish.close()


if __name__ == "__main__":
    main()
