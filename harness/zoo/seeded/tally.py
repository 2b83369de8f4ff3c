"""How often a fault was reached, and how often it made a difference."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Tally:
    """Two counters (after Magma): the wrong code ran, and its answer differed from the right one."""

    reached: int = 0
    triggered: int = 0
