"""Positions that every engine is asked about, to tell the answers to other questions apart."""

from __future__ import annotations

SENTINELS = ("7k/8/8/3B4/8/2N5/K7/8 w - - 0 1", "7k/8/8/4N3/2B5/8/K7/8 w - - 0 1")
"""Nothing special can happen there, and no other position has their moves unless it has the same pieces on the same
squares: so no fault in a special rule gives their answers to another question.
"""
SENTINEL_COUNTS = (52, 49)
"""Their counts at depth 2."""
START_COUNTS = (20, 400, 8_902, 197_281, 4_865_609, 119_060_324, 3_195_901_860)
"""The counts of the starting position at depth 1 and on (OEIS A048987)."""
