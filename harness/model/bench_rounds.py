"""How often, and how long, a bench repeats each count."""

from __future__ import annotations

USUAL = 3
GUARD = 12
"""Where figures are saved, or an engine is held against an older one."""
LEAST = 6
"""So many are needed to tell a difference from noise: fewer can all be on one side by chance."""
GUARD_SECONDS = 0.2
"""An engine counts again and again for so long in each round there: short counts are noisy."""
