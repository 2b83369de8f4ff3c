"""Blocks drawn from the bases that coverage has found, among those that the schedule by events draws."""

from __future__ import annotations

from collections.abc import Callable

from ...generator.drawing.drawer import Drawer
from ...generator.drawing.drawn import Drawn
from ...generator.drawing.pool import CAPACITY
from ...generator.position import Position
from .guidance import GuidedBases

GUIDED, GUIDED_OF = 2, 3
"""Of so many blocks so many are drawn from bases that coverage has found."""
PICKED, WALKS = 50, 3
"""Bases that a block is drawn from, and the walks that each has: those of the block before can guide the next one."""
LARGEST_GUIDED = 512
"""Positions of a block."""
LEAST_GUIDED = 128
"""Positions of depth 1 that a slow engine is sent at once: small parts cost a Python generator twice as much."""
DEEP_PART = 4
"""Of the positions that an engine answers in a moment a quarter make a block of trees, each of which costs more."""
MOST_GUIDED_NODES = 1_024
"""Nodes below a position: what is new is then not far from it, and blocks come often."""
MOST_CHANGES = 3
"""Changes before a walk."""


class GuidedDrawing:
    """Draws the guided blocks of a batch."""

    def __init__(self, bases: GuidedBases, open_drawer: Callable[[list[Position]], Drawer]) -> None:
        """Take the bases, of which more are found on the way, and what opens a drawer without schedule from some."""
        self._bases, self._open_drawer = bases, open_drawer
        self._drawer: Drawer | None = None
        self._turn = 0

    def is_due(self, turn: int) -> bool:
        """Tell whether a block is a guided one."""
        return turn % GUIDED_OF < GUIDED and bool(self._bases.positions)

    def draw(self, most: int, most_deep: int, budget: int) -> tuple[Drawn, Drawer]:
        """Return a block of at most so many positions and what has drawn it.

        Every other one is counted to depth 1. The others have at most `most_deep` positions, with a budget of nodes.
        """
        self._turn += 1
        picked = self._bases.pick(PICKED) * WALKS
        if self._drawer is None or self._drawer.bases + len(picked) > CAPACITY:
            self._drawer = self._open_drawer(picked)
        else:
            first = self._drawer.bases
            self._drawer.add(picked)
            self._drawer.begin_at(first)
        if self._turn % 2 and budget:
            return self._drawer.draw(min(most, most_deep), min(budget, MOST_GUIDED_NODES), MOST_CHANGES), self._drawer
        return self._drawer.draw(min(most, LARGEST_GUIDED), 0, MOST_CHANGES), self._drawer
