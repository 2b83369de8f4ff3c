"""Coverage of an engine's code: source locations, counters, and the question that first reached each branch.

Each counter belongs to one branch. The number of times a branch runs during one answer is assigned to a bucket (1, 2,
3, 4-7, 8-15, 16-31, 32-127, 128 and more), as in American Fuzzy Lop (M. Zalewski, "Technical whitepaper for afl-fuzz",
section 2), because loops over lists of different lengths are different behavior. Answers about many positions store the
buckets in the layout of `perft_check_coverage_take`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...generator.game import Game

Counters = NDArray[np.uint8]
"""How often each branch ran; 255 means 255 times or more."""
Buckets = NDArray[np.uint8]
"""For each counter, a bit for each of the eight buckets."""

_FIRST_OF_BUCKET = (1, 2, 3, 4, 8, 16, 32, 128)
_BIT_OF_COUNT = np.zeros(256, dtype=np.uint8)
for _bit, _first in enumerate(_FIRST_OF_BUCKET):
    _BIT_OF_COUNT[_first:] = 1 << _bit


def buckets_of(counters: Counters) -> Buckets:
    """Return the bit of each counter's bucket, or 0 for a counter of 0."""
    return _BIT_OF_COUNT[counters]


@dataclass(frozen=True, order=True)
class SourceLocation:
    """The location of a branch in the source code of an engine."""

    path: str
    """The file as passed to the compiler, or the library or program itself if the source is unknown."""
    line: int
    """The line number, from 1, or the offset in the library or program if the source is unknown."""
    function: str = ""
    """The function that contains the branch, or "" if it is unknown."""
    is_source: bool = True
    """Whether the source line is known."""

    def __str__(self) -> str:
        """Return a text such as `file.c:12`, or `libmine.so+0x4f0` if the line is unknown."""
        return f"{self.path}:{self.line}" if self.is_source else f"{self.path}+{self.line:#x}"


class CoverageSource(Protocol):
    """The interface of an engine whose code has coverage counters."""

    def locations(self) -> tuple[SourceLocation | None, ...]:
        """Return the location of each counter, or None for a counter whose branch is unknown.

        The engine must have answered a question. The result is empty if it has no counters.
        """

    def read(self) -> Counters:
        """Return the counters since the last reset, one for each location, or nothing if they cannot be read."""

    def reset(self) -> None:
        """Set all counters to 0."""


@dataclass(frozen=True)
class FirstReached:
    """The question that first reached a branch."""

    counter: int
    """The number of the counter."""
    game: Game
    depth: int
    """The depth to which the game was counted."""
    by_suite: bool = False
    """Whether the game comes from a suite; otherwise it was generated."""


@dataclass(frozen=True)
class CoverageSummary:
    """An engine's coverage at the end of a run, from which all reports are made."""

    locations: tuple[SourceLocation, ...]
    """The location of each counter. Several counters may have the same location."""
    firsts: tuple[FirstReached, ...]
    """The first question that reached each counter, in the order in which the counters were reached."""
    knows_unreached: bool = True
    """Whether branches that never ran have locations as well. GCC lists only those that ran."""

    @property
    def reached(self) -> frozenset[int]:
        """The numbers of the counters that were reached."""
        return frozenset(first.counter for first in self.firsts)

    @property
    def reached_by_suites(self) -> frozenset[int]:
        """The numbers of the counters that games of suites reached first."""
        return frozenset(first.counter for first in self.firsts if first.by_suite)

    @property
    def reached_by_fuzzing(self) -> frozenset[int]:
        """The numbers of the counters that generated games reached first: the contribution of fuzzing."""
        return self.reached - self.reached_by_suites


@dataclass
class CoverageMap:
    """The counters reached so far, their buckets, and the question that first reached each of them."""

    seen: Buckets = field(default_factory=lambda: np.zeros(0, dtype=np.uint8))
    """The buckets of each counter that were reached."""
    firsts: dict[int, FirstReached] = field(default_factory=dict)
    """The first question that reached each counter, by counter number, in the order of discovery."""

    def __len__(self) -> int:
        """Return the number of counters that were reached."""
        return len(self.firsts)

    def note(self, counters: Counters, game: Callable[[], Game], depth: int, *, by_suite: bool = False) -> bool:
        """Record the counters after a question; return True if a counter reached a bucket for the first time.

        `game` is called only if the question is the first to reach a counter.
        """
        if (missing := len(counters) - len(self.seen)) > 0:
            self.seen = np.concatenate([self.seen, np.zeros(missing, dtype=np.uint8)])
        buckets = buckets_of(counters)
        seen = self.seen[: len(buckets)]
        news = buckets & ~seen
        if not news.any():
            return False
        reached = np.flatnonzero((seen == 0) & (buckets != 0)).tolist()
        seen |= buckets
        self.note_firsts(FirstReached(number, game(), depth, by_suite) for number in reached)
        return True

    def note_firsts(self, firsts: Iterable[FirstReached]) -> None:
        """Record the questions that first reached counters; ignore counters that were reached before."""
        for first in firsts:
            self.firsts.setdefault(first.counter, first)

    def summary(self, locations: Sequence[SourceLocation | None]) -> CoverageSummary:
        """Return the summary for reports, without counters that have no location."""
        known = [(number, location) for number, location in enumerate(locations) if location is not None]
        numbers = {number: new for new, (number, _) in enumerate(known)}
        firsts = (replace(one, counter=numbers[one.counter]) for one in self.firsts.values() if one.counter in numbers)
        return CoverageSummary(
            tuple(location for _, location in known),
            tuple(firsts),
            knows_unreached=None not in locations,
        )


COMPARISONS = 4096
"""Number of bytes for comparisons (PERFT_CHECK_COMPARISONS in the header), two for each comparison."""
NOBODY = 0xFFFF_FFFF
"""Placeholder for the question that first reached a feature, if no question has reached it since the last check."""
SOMEWHERE = -1
"""Placeholder for the position that first reached a feature if it is unknown."""
EQUAL = 15
"""The bit of a comparison whose values were equal; lower bits represent larger distances."""


@dataclass(frozen=True)
class BlockCoverage:
    """The features that the answers about a block of positions reached for the first time.

    A feature is a bit: feature `8 * i + b` is bucket `b` of branch `i`. The features of branches are followed by 16 for
    each comparison, which represent distances.
    """

    branches: int
    """Number of branches."""
    features: tuple[tuple[int, int], ...]
    """The new features in ascending order, each with the first position that reached it, or `SOMEWHERE`."""


class CoverageTally:
    """Tallies the features that answers reach, and the question of a block that first reached each of them.

    Engine code may write anything to the shared memory, so nothing in it is used as an address or a size.
    """

    def __init__(self, branches: int) -> None:
        self.branches = branches
        self._seen_at = 4 + 32 * (branches + COMPARISONS)
        self.memory: NDArray[np.uint8] = np.zeros(self._seen_at + branches + COMPARISONS, dtype=np.uint8)
        """The memory that is passed to the engine."""
        self._has_trees = False
        self._by_positions, self._by_any = (self.memory[self._seen_at :].copy() for _ in range(2))
        """The features reached by positions, and those reached by positions or trees."""
        self.begin(has_trees=False)

    def begin(self, *, has_trees: bool) -> None:
        """Begin a block of positions or trees. For positions, features that only trees have reached count as new."""
        self._has_trees = has_trees
        self.memory[:4].view(np.uint32)[0] = self.branches
        self.memory[self._seen_at :] = self._by_any if has_trees else self._by_positions
        self._firsts[:] = NOBODY

    def collect(self, positions: int) -> BlockCoverage:
        """Return the features that are new since the beginning of a block with this number of positions."""
        firsts, seen = self._firsts, self.memory[self._seen_at :]
        self._by_any |= seen
        if not self._has_trees:
            self._by_positions |= seen
        features = np.flatnonzero(firsts < positions)
        reached = zip(features.tolist(), firsts[features].tolist(), strict=True)
        return BlockCoverage(self.branches, tuple(sorted(reached)))

    @property
    def _firsts(self) -> NDArray[np.uint32]:
        return self.memory[4 : self._seen_at].view(np.uint32)
