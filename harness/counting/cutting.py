"""Cutting a count into pieces: at which ply, and how many positions make a piece."""

from __future__ import annotations

import math
import time

import numpy as np

from ...generator.counting.counter import Counter
from ...generator.counting.distinct import distinct
from ...generator.counting.records import Records, ply_of
from ...generator.kernels.machine.memory import Control
from ...generator.position import Position
from ..engines.spec import KERNELS, EngineSpec
from .model import Count

PIECE_SECONDS = 1.0
"""How long a piece is to take; one position may take longer."""
LEAST_PIECES = 256
"""Pieces of which there are so many, if there are as many positions: they are to be shared."""
MOST_POSITIONS = 1 << 16
"""Positions of a piece."""
LEAST_POSITIONS = 1_000
"""Positions at the ply of the cut, where the user does not say which ply that is."""
SAMPLE = 64
"""Positions that are counted to guess how long all take."""
SAMPLE_NODES = 10_000_000
"""Leaf nodes of them that are enough."""
LEAST_SECONDS = 1e-7
FOREIGN_SPEED = 5e6
"""Leaf nodes a second that engines are taken to count which are not ours."""


def best_split(position: Position, depth: int, control: Control) -> int:
    """Return the least ply that has enough positions, and leaves at least one ply below it. Raises Stopped."""
    for ply in range(1, depth - 1):
        found = len(distinct(position.board, ply, control=control))
        if found >= LEAST_POSITIONS or not found:
            return ply
    return max(1, depth - 1)


def best_size(records: Records, count: Count, control: Control) -> int:
    """Return how many positions make a piece of `PIECE_SECONDS`. Raises Stopped."""
    each = _seconds(_sample(records), count.depth_below, count.engine, control)
    fair = math.ceil(len(records) / LEAST_PIECES)
    return max(1, min(MOST_POSITIONS, fair, int(PIECE_SECONDS / each)))


def _sample(records: Records) -> Records:
    """Return positions from everywhere."""
    return records[:: max(1, len(records) // SAMPLE)][:SAMPLE]


def _seconds(sample: Records, depth: int, engine: str, control: Control) -> float:
    """Guess how long a position takes, as if each ply had as many moves as the last one that is counted.

    Raises Stopped.
    """
    counter = Counter(KERNELS.get(engine, "two-plies"), None, control)
    before, nodes, seconds, plies = 0, len(sample), 0.0, 0
    while nodes and plies < depth and nodes < SAMPLE_NODES:
        plies += 1
        ply = ply_of(sample, plies)
        limits = np.full(len(ply), plies, dtype=np.uint64)
        if plies == 1:
            counter.count_each(ply.boards, limits)  # the first time it may be compiled
        began = time.perf_counter()
        before, nodes = nodes, sum(counter.count_each(ply.boards, limits))
        seconds = time.perf_counter() - began
    if not nodes or not before:
        return LEAST_SECONDS
    if not EngineSpec(engine).is_own:
        seconds = nodes / FOREIGN_SPEED
    return max(LEAST_SECONDS, seconds / len(sample) * max(2.0, nodes / before) ** (depth - plies))
