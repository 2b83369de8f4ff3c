"""Measure the CPU time that reports add to a run of 10,000 cases.

    python benchmarks/report_overhead.py [SPEC] [--pairs 5] [--depth 2]

Alternates between complete runs with and without reports, and prints the ratio of their CPU times. Each case has a
count for each depth. SPEC is `uci:stockfish` by default.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from perft_check.generator import Position, perft

CASES = 10_000
LONGEST_GAME = 60
WRITTEN = ["--report", "r.html", "--report", "r.xml", "--report", "r.json"]


def main() -> None:
    """Print one line per pair, and the median."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("engine", nargs="?", default="uci:stockfish")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--depth", type=int, default=2)
    options = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "made.epd").write_text("".join(suite(options.depth)))
        seconds(options.engine, folder, [])  # compiles the kernels
        for _ in range(options.pairs):
            (wall, cpu), (wall_with, cpu_with) = (seconds(options.engine, folder, more) for more in ([], WRITTEN))
            ratios.append(cpu_with / cpu)
            print(f"without {cpu:.2f} s of CPU, {wall:.2f} s; with {cpu_with:.2f} s, {wall_with:.2f} s", flush=True)
    print(f"median {statistics.median(ratios):.3f} times the CPU time, from {min(ratios):.3f} to {max(ratios):.3f}")


def suite(depth: int) -> list[str]:
    """Return the lines of a suite with positions from random games, each counted up to `depth`."""
    chosen, lines = random.Random(1), dict[str, str]()
    while len(lines) < CASES:
        position = Position.start()
        for _ in range(LONGEST_GAME):
            if not position.legal_moves:
                break
            position = position.play(chosen.choice(position.legal_moves))
            fen = position.fen()
            counts = (f"D{plies} {perft(position, plies)}" for plies in range(1, depth + 1))
            lines[fen] = f"{fen} ;{' ;'.join(counts)}\n"
    return list(lines.values())[:CASES]


def seconds(engine: str, folder: str, more: list[str]) -> tuple[float, float]:
    """Return the wall-clock seconds of a run, and its CPU seconds including those of the engine."""
    for name in ("r.html", "r.xml", "r.json"):
        Path(folder, name).unlink(missing_ok=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "perft_check", "run", "-s", "made.epd", "-e", engine, "-q", *more]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, cpu


if __name__ == "__main__":
    main()
