"""How long a user waits: help, version, the first run ever, a warm run, and what compiling costs.

    python benchmarks/start_up.py [--rounds 5]

Whole processes, from start to exit. A first run has an empty kernel cache of its own.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = [sys.executable, "-m", "perft_check"]
GENERATE_ALL = """
import time
began = time.perf_counter()
from perft_check.generator import GenType, MoveList, Position
quiet, check = Position.start(), Position.from_fen("4k3/8/8/8/8/8/8/K3R3 b - - 0 1")
for gentype in GenType:
    MoveList(check if gentype is GenType.EVASIONS else quiet, gentype)
print(time.perf_counter() - began)
"""


def process_seconds(command: list[str], cache: str) -> float:
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - began


def inside_seconds(cache: str) -> float:
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    answer = subprocess.run(
        [sys.executable, "-c", GENERATE_ALL], check=True, capture_output=True, text=True, env=environment
    )
    return float(answer.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        colds = [inside_seconds(str(Path(folder, f"all{number}"))) for number in range(min(3, rounds))]
        print(f"{'all GenTypes, compiled':42} {statistics.median(colds):6.2f} s  (imports included)")
        warm = [inside_seconds(str(Path(folder, "all0"))) for _ in range(rounds)]
        print(f"{'all GenTypes, loaded warm':42} {statistics.median(warm):6.2f} s  (imports included)")
        firsts = [process_seconds(PROGRAM, str(Path(folder, f"first{number}"))) for number in range(min(3, rounds))]
        print(f"{'perft-check, first run on a machine':42} {statistics.median(firsts):6.2f} s")
        for title, arguments in (
            ("perft-check, warm", []),
            ("perft-check -e own:turbo, warm", ["-e", "own:turbo"]),
            ("perft-check --help", ["--help"]),
            ("perft-check --version", ["--version"]),
        ):
            times = [process_seconds([*PROGRAM, *arguments], str(Path(folder, "first0"))) for _ in range(rounds + 1)]
            print(f"{title:42} {statistics.median(times[1:]):6.2f} s")


if __name__ == "__main__":
    main()
