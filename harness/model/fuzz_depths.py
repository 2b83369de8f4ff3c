"""The depths at which `fuzz` asks engines."""

from __future__ import annotations

DEFAULT = 2
DEEPEST = 6
"""The time for the leaf nodes below one drawn position is better spent on other positions."""
