"""How fast engines counted, side by side."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

from .verdict import Verdict


@dataclass
class Speed:
    """How fast one engine counted one position."""

    engine: str
    position: str
    depth: int
    nodes: int
    rounds: list[float] = field(default_factory=list)
    """Millions of leaf nodes a second, in each round."""
    verdict: Verdict = Verdict.AGREE

    @property
    def median(self) -> float:
        """Millions of leaf nodes a second."""
        return statistics.median(self.rounds)
