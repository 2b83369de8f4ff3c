"""Known positions that are asked about between other questions, to notice answers to the wrong question."""

from __future__ import annotations

SENTINELS = ("7k/8/8/3B4/8/2N5/K7/8 w - - 0 1", "7k/8/8/4N3/2B5/8/K7/8 w - - 0 1")
"""They have no special moves, and only positions with the same pieces on the same squares have the same moves.
Therefore no fault in a special rule makes an engine give their answers for another position.
"""
SENTINEL_COUNTS = (52, 49)
"""Their counts at depth 2."""
START_COUNTS = (20, 400, 8_902, 197_281, 4_865_609, 119_060_324, 3_195_901_860)
"""The counts of the starting position from depth 1 on (OEIS A048987)."""
