"""How deep `fuzz` asks engines, and how often, and how long, a bench repeats each count."""

from __future__ import annotations

FUZZ_DEPTH = 2
DEEPEST_FUZZ = 6
"""The time for the leaf nodes below one drawn position is better spent on other positions."""


BENCH_ROUNDS = 3
GUARD_ROUNDS = 12
"""Where figures are saved, or an engine is held against an older one."""
LEAST_GUARD_ROUNDS = 6
"""So many are needed to tell a difference from noise: fewer can all be on one side by chance."""
GUARD_SECONDS = 0.2
"""An engine counts again and again for so long in each round there: short counts are noisy."""
