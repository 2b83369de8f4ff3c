"""How deep a place is worth counting: deeper than asked for, where that takes few leaves."""

from __future__ import annotations

from ....generator.counting import perft
from ....generator.position import Position

MOST_LEAVES = (4000, 6000, 8000)
"""What one, two and three plies beyond the depth asked for may cost. Some faults show at the last of them only."""


def affordable_depth(position: Position, depth: int) -> int:
    """Return the depth to which a position is counted: `depth`, or up to three plies more where leaves are few.

    Some faults need many plies and few moves: an unmade move that leaves a trace, a hash key that two
    positions share, a count that goes astray below the root. Sparse positions show them at little cost.
    """
    for deeper, leaves in enumerate(MOST_LEAVES, depth + 1):
        if not 0 < perft(position, deeper) <= leaves:
            return deeper - 1
    return depth + len(MOST_LEAVES)
