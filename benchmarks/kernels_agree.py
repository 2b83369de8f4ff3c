"""Check that the counting kernels agree: `python benchmarks/kernels_agree.py [--positions 10M] [--jobs 2]`.

Positions are sampled as by the fuzzer: from the suites, from boards full of promoted pieces and from the positions of
the strategies, including impossible ones, for standard chess and Chess960 in turn. `own:two-plies` and `own:turbo`
count each of them to depth 3, or 4 if it is sparse, with both slider back-ends in turn; the list kernel counts one
block in a hundred. The positions of the summary are those after each legal move, from which `own:two-plies` counts two
plies at once. Each million has its own seed and base positions. Prints the sampled positions with different counts, and
then exits with status 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from perft_check.generator.counting.counter import KERNELS, Counter, Kernel
from perft_check.generator.fens import states_of
from perft_check.generator.kernels.board import BOARD_WORDS
from perft_check.generator.kernels.tables import available_backends
from perft_check.generator.position import Position
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.generator.sampling.sampler import PositionSampler
from perft_check.harness.fuzzing.pipelined_batch import generate_bases, known_bases
from perft_check.harness.fuzzing.plan import make_fuzz_plan
from perft_check.harness.values import count

CHUNK, BLOCK, SPARSE_BLOCK = 1_000_000, 4_096, 512
SPARSE_ONE_IN = 15
"""One in this many blocks has sparse positions, counted one ply deeper."""
ALWAYS: tuple[Kernel, ...] = ("turbo", "two-plies")
LISTED_ONE_IN = 100
"""The list kernel counts one in this many blocks, because it takes ten times as long."""
SPARSE_BUDGET = 20_000


def blocks(seed: int) -> Iterator[PositionBatch]:
    """Yield the blocks of a chunk; the last block may exceed its size."""
    chess960 = bool(seed % 2)
    plan = make_fuzz_plan("python-chess", impossible=True, chess960=chess960, seed=seed)
    bases = [*known_bases(chess960), *generate_bases(plan, chess960, seed)]
    sampler, number, positions = PositionSampler(bases, seed, chess960=chess960), 0, 0
    while positions < CHUNK:
        number += 1
        is_sparse = number % SPARSE_ONE_IN == 0
        sampled = sampler.sample_sparse(SPARSE_BLOCK, SPARSE_BUDGET) if is_sparse else sampler.sample(BLOCK)
        positions += len(sampled.keys)
        yield sampled


def check(seed: int) -> tuple[int, int, list[str]]:
    """Count a chunk; return its positions after one ply, its leaf nodes, and the FENs with different counts."""
    positions, nodes, wrong = 0, 0, []
    for number, sampled in enumerate(blocks(seed), 1):
        positions_of_block = [Position.from_fen(sampled.fen(index), None) for index in range(len(sampled))]
        boards = np.ascontiguousarray(states_of(positions_of_block)[:, :BOARD_WORDS])
        depths = np.full(len(boards), 3 + (number % SPARSE_ONE_IN == 0), dtype=np.uint64)
        backends = available_backends()
        kernels = KERNELS if number % LISTED_ONE_IN == 1 else ALWAYS
        counted = [Counter(kernel, backends[number % len(backends)]).count_each(boards, depths) for kernel in kernels]
        wrong += [sampled.fen(index) for index, counts in enumerate(zip(*counted, strict=True)) if len(set(counts)) > 1]
        positions, nodes = positions + len(sampled.keys), nodes + sum(counted[0])
    return positions, nodes, wrong


def main() -> None:
    """Count, and print one line per ten chunks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=count(1), default=10_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chunks = -(-options.positions // CHUNK)
    began, positions, nodes, wrong = time.monotonic(), 0, 0, 0
    with ProcessPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + chunks)
        for number, (counted, leaves, differences) in enumerate(pool.map(check, seeds), 1):
            positions, nodes, wrong = positions + counted, nodes + leaves, wrong + len(differences)
            for fen in differences[:10]:
                print(f"different counts: {fen}", flush=True)
            if number % 10 == 0 or number == chunks:
                seconds = time.monotonic() - began
                print(
                    f"{positions:,} positions, {nodes:,} leaf nodes, {wrong} differences, {seconds:.0f} s", flush=True
                )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
