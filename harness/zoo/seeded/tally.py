"""How often the code of a fault ran, and how often that made an answer wrong."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class FaultTally:
    """Two counters, after the fuzzing benchmark Magma: the wrong code ran, and its answer was wrong."""

    reached: int = 0
    triggered: int = 0
