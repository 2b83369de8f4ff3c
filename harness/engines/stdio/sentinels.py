"""Known positions that are asked about between other questions, to detect answers to the wrong question."""

from __future__ import annotations

SENTINELS = ("7k/8/8/3B4/8/2N5/K7/8 w - - 0 1", "7k/8/8/4N3/2B5/8/K7/8 w - - 0 1")
"""Positions without special moves. Only positions with the same pieces on the same squares have the same moves, so no
fault in a special rule can make an engine give these answers for another position.
"""
SENTINEL_COUNTS = (52, 49)
"""Counts of the sentinels at depth 2."""
START_COUNTS = (20, 400, 8_902, 197_281, 4_865_609, 119_060_324, 3_195_901_860)
"""Counts of the starting position from depth 1 (OEIS A048987)."""
