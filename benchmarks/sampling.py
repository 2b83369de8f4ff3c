"""Measure how fast kernels sample positions with the correct answers, and the effect of the schedule of base positions.

    python benchmarks/sampling.py [--schedule] [--seeds 3]

Prints the microseconds of CPU time per position at depth 1, at the depth that a node budget allows, and for sparse
positions. With `--schedule`, it prints how many events and pairs of events occurred in 10,000, 100,000 and 1,000,000
positions, with and without the schedule. The base positions are those of the bundled suites and the smallest position
of each event.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from statistics import mean, median

import numpy as np
from perft_check.generator import Position
from perft_check.generator.events import Event
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.generator.sampling.sampler import PositionSampler
from perft_check.strategies.common import smallest_positions, tricky_positions
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite

BLOCK, ROUNDS = 256, 9
BUDGETS = 100, 1_000, 10_000
SPARSE_BUDGET = 20_000
STEPS = 10_000, 100_000, 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--schedule", action="store_true")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    for chess960 in (False, True):
        (show_schedule if arguments.schedule else show_speed)(chess960, arguments.seeds)


def bases(chess960: bool) -> list[Position]:
    bundled = [case.position for suite in BUNDLED for case in load_suite(bundled_path(suite))]
    found = dict.fromkeys([*bundled, *tricky_positions(), *smallest_positions().values()])
    if chess960:
        return [replace(position, chess960=True) for position in found]
    return [position for position in found if not position.chess960]


def show_speed(chess960: bool, _seeds: int) -> None:
    sampler = PositionSampler(bases(chess960), 1, chess960=chess960)
    print("Chess960" if chess960 else "standard")
    show("depth 1", lambda: sampler.sample(BLOCK), 40)
    for budget in BUDGETS:
        show(f"by cost, {budget:,} nodes", partial(sampler.sample, BLOCK, budget), 10)
    show(f"sparse, {SPARSE_BUDGET:,} nodes", lambda: sampler.sample_sparse(BLOCK, SPARSE_BUDGET), 2)


def show(name: str, sample: Callable[[], PositionBatch], blocks: int) -> None:
    sample()  # compiles the kernel
    rounds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        sampled = [sample() for _ in range(blocks)]
        rounds.append((time.process_time() - began) / sum(map(len, sampled)) * 1e6)
    nodes = mean(block.totals.mean() for block in sampled)
    depth = mean(block.depths.mean() for block in sampled)
    times = f"{median(rounds):8.2f} (best {min(rounds):.2f}) microseconds per position"
    print(f"  {name:24} {times}, {nodes:9.1f} nodes at depth {depth:.2f}")


def show_schedule(chess960: bool, seeds: int) -> None:
    events = [event for event in Event if chess960 or not event.chess960]
    print(f"{'Chess960' if chess960 else 'standard'}: means of {seeds} seeds, {len(events)} possible events")
    for is_scheduled in (False, True):
        rows = [events_in(chess960, seed, is_scheduled) for seed in range(1, seeds + 1)]
        means = np.mean(rows, axis=0)
        for step, (met, pairs, once) in zip(STEPS, means, strict=True):
            name = "with the schedule" if is_scheduled else "without"
            counts = f"{met:5.1f} events, {pairs:6.0f} pairs, {once:5.0f} of them in one position"
            print(f"  {name:18} {step:9,} positions: {counts}")


def events_in(chess960: bool, seed: int, is_scheduled: bool) -> list[tuple[int, int, int]]:
    sampler = PositionSampler(bases(chess960), seed, chess960=chess960, is_scheduled=is_scheduled)
    rows = []
    for step in STEPS:
        while sampler.sampled < step:
            sampler.sample(min(BLOCK, step - sampler.sampled))
        pairs = sampler.pair_counts
        met, once = np.count_nonzero(sampler.event_counts), np.count_nonzero(pairs == 1)
        rows.append((int(met), int(np.count_nonzero(pairs)), int(once)))
    return rows


if __name__ == "__main__":
    main()
