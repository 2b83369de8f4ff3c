"""Count the leaf nodes below each root move, as deep as a number of nodes allows."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..counting.turbo import count_leaves
from ..encoding import MAX_MOVES
from ..machine.bits import ALL, ONE, ZERO, load, load16, store
from ..machine.jit import inlined
from ..play import play
from ..sliders.common import Tables

TRIAL_BYTES = 8 * MAX_MOVES
"""Room for the counts of a depth that may turn out too large."""
TOO_MUCH = np.uint64(4)


@inlined
def counts_below(
    tables: Tables,
    board: Board,
    moves: np.uint64,
    found: np.uint64,
    depth: np.uint64,
    budget: np.uint64,
    control: np.uint64,
    counts: np.uint64,
) -> np.uint64:
    """Write the leaf nodes below each move; return their sum, or ALL once it is above the budget."""
    total = ZERO
    for index in range(found):
        leaves = count_leaves(tables, play(board, load16(moves, np.uint64(index))), depth - ONE, control, ZERO)
        store(counts, np.uint64(index), leaves)
        total += leaves
        if total > budget:
            return ALL
    return total


@inlined
def count_by_cost(
    tables: Tables,
    board: Board,
    moves: np.uint64,
    found: np.uint64,
    most: np.uint64,
    budget: np.uint64,
    control: np.uint64,
    counts: np.uint64,
    trial: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Write the leaf nodes below each of `found` legal moves; return the depth of the count and its total.

    It is depth 1, and goes deeper one ply after the other, to `most` at the furthest, while the total is not
    above the budget. A ply is not tried where it would be `TOO_MUCH` times above it if it multiplied the total as
    the last one did. `trial` is the address of `TRIAL_BYTES`.
    """
    for index in range(found):
        store(counts, np.uint64(index), ONE)
    depth, before, total = ONE, ONE, found
    while depth < most and total != ZERO and total * total // before <= TOO_MUCH * budget:
        deeper = counts_below(tables, board, moves, found, depth + ONE, budget, control, trial)
        if deeper == ALL:
            break
        for index in range(found):
            store(counts, np.uint64(index), load(trial, np.uint64(index)))
        depth, before, total = depth + ONE, total, deeper
    return depth, total
