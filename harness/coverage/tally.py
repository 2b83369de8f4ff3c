"""What many answers have left in the counters of an engine, in the layout of `perft_check_coverage_take`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COMPARISONS = 4096
"""Bytes for comparisons, PERFT_CHECK_COMPARISONS of the header; each comparison has two."""
MOST_BRANCHES = 1 << 20
"""More counters than any generator has: of a library that tells of more nothing is measured."""
NOBODY = 0xFFFF_FFFF
"""Stands for the question that has reached something where none has since the last look."""
SOMEWHERE = -1
"""Stands for the position of a block that has reached something, where it is not known which one it was."""
EQUAL = 15
"""The bit of a comparison whose values were equal; those below it stand for greater and greater distances."""


@dataclass(frozen=True)
class BlockCoverage:
    """What the answers about a block of positions have reached that was not reached before.

    A feature is a bit: number `8 * i + b` is bucket b of branch i. Behind the branches a comparison has 16 distances.
    """

    branches: int
    """How many branches there are."""
    features: tuple[tuple[int, int], ...]
    """The new features, ascending, each with the position that has reached it first, or `SOMEWHERE`."""


class CoverageTally:
    """Which features were reached by many answers, and which question of a block has reached each first.

    The memory is given to code of others, which may write anything: nothing in it is used as an address or a size.
    """

    def __init__(self, branches: int) -> None:
        """Begin with nothing reached, for so many branches."""
        self.branches = branches
        self._seen_at = 4 + 32 * (branches + COMPARISONS)
        self.memory: NDArray[np.uint8] = np.zeros(self._seen_at + branches + COMPARISONS, dtype=np.uint8)
        """The bytes that the engine is given."""
        self._has_trees = False
        self._by_positions, self._by_any = (self.memory[self._seen_at :].copy() for _ in range(2))
        """What positions alone have reached, and what they or trees have."""
        self.begin(has_trees=False)

    def begin(self, *, has_trees: bool) -> None:
        """Begin with a block of positions, or of trees: what only trees have reached is new if a position does."""
        self._has_trees = has_trees
        self.memory[:4].view(np.uint32)[0] = self.branches
        self.memory[self._seen_at :] = self._by_any if has_trees else self._by_positions
        self._firsts[:] = NOBODY

    def collect(self, positions: int) -> BlockCoverage:
        """Return what is new since the block was begun, which has so many positions."""
        firsts, seen = self._firsts, self.memory[self._seen_at :]
        self._by_any |= seen
        if not self._has_trees:
            self._by_positions |= seen
        features = np.flatnonzero(firsts < positions)
        return BlockCoverage(self.branches, tuple(zip(features.tolist(), firsts[features].tolist(), strict=True)))

    @property
    def _firsts(self) -> NDArray[np.uint32]:
        return self.memory[4 : self._seen_at].view(np.uint32)
