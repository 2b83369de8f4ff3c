"""How deep a position is counted: deeper than asked for, where that takes few leaf nodes."""

from __future__ import annotations

from ....generator.counting.leaves import perft
from ....generator.position import Position

MOST_LEAVES = (4000, 6000, 8000)
"""The most leaf nodes for one, two and three plies more. Some faults show only three plies deeper."""


def affordable_depth(position: Position, depth: int) -> int:
    """Return the depth to which a position is counted: `depth`, or up to three plies more where leaf nodes are few.

    Some faults need many plies and few moves: an unmake that does not restore everything, a hash key that
    two positions share, a wrong count below the root. Sparse positions show them at little cost.
    """
    for deeper, leaves in enumerate(MOST_LEAVES, depth + 1):
        if not 0 < perft(position, deeper) <= leaves:
            return deeper - 1
    return depth + len(MOST_LEAVES)
