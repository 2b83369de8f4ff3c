"""Play random games in which the kernels check each other: `cd tools && python -m soak --help`.

The positions are divided into shards with different seeds, so that the result depends on the seed and the number of
positions, not on the number of threads. The exit status is 1 if kernels disagree.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from perft_check.generator.chess960 import STANDARD, chess960_start
from perft_check.generator.events import Event
from perft_check.generator.position import Position
from perft_check.strategies.common import tricky_positions

from soak.crosscheck import CHECKS
from soak.soaking import SoakResult, soak

SHARD = 8_000_000
"""Number of positions in a shard, which takes a few seconds."""
STARTS = 40
"""Number of Chess960 starting positions from which games start, in addition to the tricky positions."""
_SEED_STEP = 1_000_003


def starts() -> tuple[Position, ...]:
    """Return the positions from which games start."""
    numbers = range(0, 960, 960 // STARTS)
    setups = [chess960_start(number, (number * 7) % 960) for number in numbers]
    return (Position.start(), chess960_start(STANDARD), *tricky_positions(), *setups)


def soak_in_shards(positions: int, seed: int, threads: int) -> list[SoakResult]:
    """Return the results of all shards in order."""
    sizes = [min(SHARD, positions - first) for first in range(0, positions, SHARD)]
    start_positions = starts()
    soak(start_positions, 1, 0)  # compiles the kernels
    with ThreadPoolExecutor(threads) as pool:
        futures = [
            pool.submit(soak, start_positions, size, seed * _SEED_STEP + shard) for shard, size in enumerate(sizes)
        ]
        return [future.result() for future in futures]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print disagreements and a summary; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("--positions", type=int, default=50_000_000, help="default: 50 million")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    results = soak_in_shards(options.positions, options.seed, options.threads)
    for result in results:
        for difference in result.differences:
            print(f"{difference.check}: {CHECKS[difference.check]} {difference.position}")
    failures, seconds = sum(result.failures for result in results), time.perf_counter() - began
    met = [event for event in Event if any(_has_met(result, event) for result in results)]
    positions = sum(result.positions for result in results)
    events = f"{len(met)} of {len(Event)} rare events"
    print(f"{positions:,} positions in {seconds:.1f} s, {events}; {failures:,} disagreements")
    return min(failures, 1)


def _has_met(result: SoakResult, event: Event) -> bool:
    low, high = result.events
    return bool((low | high << 64) >> event.value & 1)


if __name__ == "__main__":
    sys.exit(main())
