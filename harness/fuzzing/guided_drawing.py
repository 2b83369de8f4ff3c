"""The bases that coverage has found, and the blocks drawn from them among those that the schedule by events draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from ...generator.drawing.drawer import Drawer
from ...generator.drawing.drawn import Drawn
from ...generator.drawing.pool import CAPACITY
from ...generator.position import Position
from ..coverage.tally import EQUAL

NEAR_ENERGY, BUCKET_ENERGY, BRANCH_ENERGY = 1.0, 0.25, 2.0
"""How often a base is taken for each feature that it was the first to reach, relative to others."""
BASES_A_STEP, MOST_LATE = 100, 4.0
"""What is reached late was hard to reach: after so many bases it counts twice, then three times, up to this often."""
LEAST_ENERGY = 0.05
"""That of a base all of whose comparisons others have come nearer to."""
MOST_BASES = 1 << 14
"""Bases of one variant; what comes later is not walked from."""

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


@dataclass
class GuidedBases:
    """The positions of one variant that have reached something new, and how often each was taken."""

    positions: list[Position] = field(default_factory=list)
    _energies: list[float] = field(default_factory=list)
    _weights: list[float] = field(default_factory=list)
    """What each of their features counts."""
    _visits: list[int] = field(default_factory=list)
    _nearest: dict[int, tuple[int, int]] = field(default_factory=dict)
    """For each comparison the nearest distance, as a bit, and the number of the base that has it."""

    def add(self, position: Position, branches: int, features: Iterable[int], new_branches: int = 0) -> None:
        """Add a position with the features that it was the first to reach, given how many branches there are.

        It is taken the more often the more branches are new, which no process had reached before.
        """
        if len(self.positions) >= MOST_BASES:
            return
        number = len(self.positions)
        self.positions.append(position)
        weight = min(MOST_LATE, 1 + number / BASES_A_STEP)
        self._energies.append(LEAST_ENERGY + BRANCH_ENERGY * weight * new_branches)
        self._weights.append(weight)
        self._visits.append(0)
        reached_branches = set()
        for feature in features:
            place, bit = divmod(feature, 8)
            if place >= branches:
                comparison, is_upper = divmod(place - branches, 2)
                self._note_near(comparison, 8 * is_upper + bit, number)
            elif place not in reached_branches:
                reached_branches.add(place)
                self._energies[number] += BUCKET_ENERGY * weight

    def _note_near(self, comparison: int, bit: int, number: int) -> None:
        best, holder = self._nearest.get(comparison, (-1, number))
        if bit <= best:
            return
        if holder != number:
            left = self._energies[holder] - NEAR_ENERGY * self._weights[holder]
            self._energies[holder] = max(LEAST_ENERGY, left)
        if bit < EQUAL and (best < 0 or holder != number):
            self._energies[number] += NEAR_ENERGY * self._weights[number]
        self._nearest[comparison] = bit, number

    def pick(self, number: int) -> list[Position]:
        """Return up to so many positions, those whose turn it is: the seldom taken ones, by their energies."""
        if not self.positions:
            return []
        due = (np.array(self._visits) + 1) / np.array(self._energies)
        chosen = np.argsort(due, kind="stable")[:number].tolist()
        for one in chosen:
            self._visits[one] += 1
        return [self.positions[one] for one in chosen]


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
