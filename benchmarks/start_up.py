"""Measure how long a user waits for help, the version, a first run with compilation, and a later run.

    python benchmarks/start_up.py [--rounds 5] [--only TEXT]

Prints medians of the wall-clock and CPU seconds of complete processes. "First use" starts with an empty kernel cache;
for "warm", the kernels are already in the cache.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

PROGRAM = ("-m", "perft_check")
ALL_GENTYPES = """
from perft_check.generator import GenType, MoveList, Position
quiet, check = Position.start(), Position.from_fen("4k3/8/8/8/8/8/8/K3R3 b - - 0 1")
for gentype in GenType:
    MoveList(check if gentype is GenType.EVASIONS else quiet, gentype)
"""
ALL_KERNELS = """
from perft_check.generator import Position, perft
from perft_check.generator.counting.counter import Table
for kernel in ("list", "turbo", "two-plies"):
    perft(Position.start(), 3, kernel=kernel, threads=1)
perft(Position.start(), 4, kernel="two-plies", threads=1, table=Table(2**20))
"""
COMMANDS = {
    "all GenTypes": ("-c", ALL_GENTYPES),
    "all kernels that count": ("-c", ALL_KERNELS),
    "perft-check": PROGRAM,
    "perft-check perft startpos 1": (*PROGRAM, "perft", "startpos", "1"),
    "perft-check divide startpos 3": (*PROGRAM, "divide", "startpos", "3"),
    "perft-check perft startpos 6": (*PROGRAM, "perft", "startpos", "6"),
    "perft-check perft startpos 6 -e own:turbo": (*PROGRAM, "perft", "startpos", "6", "-e", "own:turbo"),
    "perft-check perft startpos 6 -e own": (*PROGRAM, "perft", "startpos", "6", "-e", "own"),
}
FUZZ = (*PROGRAM, "fuzz", "--examples", "200", "--jobs", "1", "-e")
"""A short run with a UCI engine."""
WITHOUT_KERNELS = ("--help", "--version")


def main() -> None:
    """Print one line per command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", metavar="TEXT", default="", help="only commands with this text")
    options = parser.parse_args()
    rounds = options.rounds
    print(f"{'':70} {'clock':>7} {'CPU':>7}")
    with tempfile.TemporaryDirectory() as folder:
        caches = (Path(folder, str(number)) for number in count())
        stockfish = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
        fuzz = {} if stockfish is None else {"perft-check fuzz": (*FUZZ, stockfish)}
        commands = {title: words for title, words in (COMMANDS | fuzz).items() if options.only in title}
        for title, arguments in commands.items():
            firsts = [(cache, seconds(arguments, cache)) for cache in (next(caches) for _ in range(min(3, rounds)))]
            show(f"{title}, first use", [taken for _, taken in firsts])
            show(f"{title}, warm", [seconds(arguments, firsts[0][0]) for _ in range(rounds)])
        for option in (one for one in WITHOUT_KERNELS if options.only in one):
            show(f"perft-check {option}", [seconds((*PROGRAM, option), next(caches)) for _ in range(rounds)])


def seconds(arguments: tuple[str, ...], cache: Path) -> tuple[float, float]:
    """Run a Python process; return its wall-clock and CPU seconds."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment, cwd=cache.parent)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, cpu


def show(title: str, taken: list[tuple[float, float]]) -> None:
    """Print the medians."""
    clock, cpu = (statistics.median(values) for values in zip(*taken, strict=True))
    print(f"{title:70} {clock:5.2f} s {cpu:5.2f} s", flush=True)


if __name__ == "__main__":
    main()
