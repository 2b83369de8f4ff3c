"""The bases that coverage has found, and the blocks drawn from them among those that the schedule by events draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ...generator.drawing.drawer import Drawer
from ...generator.drawing.drawn import Drawn
from ...generator.drawing.pool import CAPACITY
from ...generator.position import Position
from ..coverage.tally import EQUAL

NEAR_ENERGY, BUCKET_ENERGY, BRANCH_ENERGY = 1.0, 0.25, 2.0
"""How often a base is taken for being the first to reach a comparison, a bucket or branches, relative to others."""
MOST_BUCKETS = 4
"""The first positions reach most buckets and branches, and are not worth as much more than later ones."""
BASES_A_STEP, MOST_LATE = 100, 4.0
"""What is reached late was hard to reach: after so many bases it counts twice, then three times, up to this often."""
LEAST_ENERGY = 0.05
"""That of a base all of whose comparisons others have come nearer to."""
MOST_BASES = 1 << 14
"""Bases of one variant; what comes later is not walked from."""

GUIDED, GUIDED_OF = 2, 3
"""Of so many blocks so many are drawn from bases that coverage has found."""
LARGEST_GUIDED = 512
"""Positions of a turn."""
POSITIONS_A_BASE, WALKS = 10, 3
"""About so many positions are drawn from a base that is taken, by so many walks."""
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
    """Of what does not pass on to others."""
    _weights: list[float] = field(default_factory=list)
    """What each of their features counts."""
    _visits: list[int] = field(default_factory=list)
    _nearest: dict[tuple[int, bool], tuple[int, int]] = field(default_factory=dict)
    """For each comparison, in trees or not, the nearest distance, as a bit, and the number of the base that has it."""

    def add(
        self,
        position: Position,
        branches: int,
        features: Iterable[int],
        *,
        has_new: bool = False,
        is_tree: bool = False,
    ) -> None:
        """Add a position with the features that it was the first to reach, given how many branches there are.

        It is taken more often if it has branches that no process had reached before. With `is_tree` it may be some
        position below it that has reached them: one that does so itself is nearer.
        """
        if len(self.positions) >= MOST_BASES:
            return
        number = len(self.positions)
        self.positions.append(position)
        weight = min(MOST_LATE, 1 + number / BASES_A_STEP)
        self._weights.append(weight)
        self._visits.append(0)
        reached_branches = set()
        for feature in features:
            place, bit = divmod(feature, 8)
            if place < branches:
                reached_branches.add(place)
                continue
            comparison, is_upper = divmod(place - branches, 2)
            for in_trees in {is_tree, True}:
                nearest = self._nearest.get((comparison, in_trees), (-1, number))
                self._nearest[comparison, in_trees] = max(nearest, (8 * is_upper + bit, number))
        buckets = min(len(reached_branches), MOST_BUCKETS)
        self._energies.append(LEAST_ENERGY + weight * (BRANCH_ENERGY * has_new + BUCKET_ENERGY * buckets))

    def pick(self, number: int) -> list[Position]:
        """Return up to so many positions, those whose turn it is: the seldom taken ones, by their energies."""
        if not self.positions:
            return []
        energies = np.array(self._energies)
        holders = {(comparison, one) for (comparison, _), (bit, one) in self._nearest.items() if bit < EQUAL}
        for _, one in holders:
            energies[one] += NEAR_ENERGY * self._weights[one]
        due = (np.array(self._visits) + 1) / energies
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

    def draw(self, most: int, size: int, most_deep: int, budget: int) -> Iterator[tuple[Drawn, Drawer]]:
        """Yield the blocks of a turn, of at most so many positions together, each with what has drawn it.

        Every other turn is counted to depth 1, in blocks of at most `size`: what one has reached guides those that are
        drawn after it. The others are one block of at most `most_deep` positions, with a budget of nodes.
        """
        self._turn += 1
        if self._turn % 2 and budget:
            yield self._draw(min(most, most_deep), min(budget, MOST_GUIDED_NODES))
            return
        left = min(most, LARGEST_GUIDED)
        while left > 0:
            drawn, drawer = self._draw(min(left, size), 0)
            yield drawn, drawer
            left -= len(drawn) or left

    def _draw(self, number: int, budget: int) -> tuple[Drawn, Drawer]:
        picked = self._bases.pick(-(-number // POSITIONS_A_BASE)) * WALKS
        if self._drawer is None or self._drawer.bases + len(picked) > CAPACITY:
            self._drawer = self._open_drawer(picked)
        else:
            first = self._drawer.bases
            self._drawer.add(picked)
            self._drawer.begin_at(first)
        return self._drawer.draw(number, budget, MOST_CHANGES), self._drawer
