"""Defaults for the ply at which a tree is cut into pieces, and for the size of a piece."""

from __future__ import annotations

import math
import time

import numpy as np

from ...generator.counting.counter import Counter
from ...generator.counting.records import Records, distinct_positions, ply_of
from ...generator.kernels.machine.memory import Control
from ...generator.position import Position
from ..engines.spec import EngineSpec
from .model import Count

PIECE_SECONDS = 1.0
"""Time in seconds that a piece should take, unless a single position takes longer."""
LEAST_PIECES = 256
"""Minimum number of pieces, if there are enough positions, so that every worker gets some."""
MOST_POSITIONS = 1 << 16
"""Maximum number of positions in a piece."""
LEAST_POSITIONS = 1_000
"""Minimum number of positions at the ply of the cut, unless the user chooses the ply."""
SAMPLE = 64
"""Number of positions that are counted to estimate the time per position."""
SAMPLE_NODES = 10_000_000
"""Number of leaf nodes at which the sample is large enough."""
LEAST_SECONDS = 1e-7
FOREIGN_SPEED = 5e6
"""Assumed speed of engines other than perft-check's kernels, in leaf nodes per second."""


def best_split(position: Position, depth: int, control: Control) -> int:
    """Return the first ply that has enough positions and at least one ply below it. Raises Stopped."""
    for ply in range(1, depth - 1):
        found = len(distinct_positions(position.board, ply, control=control))
        if found >= LEAST_POSITIONS or not found:
            return ply
    return max(1, depth - 1)


def best_size(records: Records, count: Count, control: Control) -> int:
    """Return the size of a piece, in positions, that takes about `PIECE_SECONDS` to count. Raises Stopped."""
    each = _seconds(_sample(records), count.depth_below, count.engine, control)
    fair = math.ceil(len(records) / LEAST_PIECES)
    return max(1, min(MOST_POSITIONS, fair, int(PIECE_SECONDS / each)))


def _sample(records: Records) -> Records:
    """Return evenly spaced positions."""
    return records[:: max(1, len(records) // SAMPLE)][:SAMPLE]


def _seconds(sample: Records, depth: int, engine: str, control: Control) -> float:
    """Return the estimated seconds per position, extrapolated with the branching factor of the last ply counted.

    Raises Stopped.
    """
    counter = Counter(EngineSpec(engine).kernel or "two-plies", None, control)
    before, nodes, seconds, plies = 0, len(sample), 0.0, 0
    while nodes and plies < depth and nodes < SAMPLE_NODES:
        plies += 1
        ply = ply_of(sample, plies)
        limits = np.full(len(ply), plies, dtype=np.uint64)
        if plies == 1:
            counter.count_each(ply.boards, limits)  # compile the kernel before the clock starts
        began = time.perf_counter()
        before, nodes = nodes, sum(counter.count_each(ply.boards, limits))
        seconds = time.perf_counter() - began
    if not nodes or not before:
        return LEAST_SECONDS
    if not EngineSpec(engine).is_kernel:
        seconds = nodes / FOREIGN_SPEED
    return max(LEAST_SECONDS, seconds / len(sample) * max(2.0, nodes / before) ** (depth - plies))
