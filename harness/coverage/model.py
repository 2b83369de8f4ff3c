"""Coverage of an engine's code: places and their counters, what was reached, which line reached it first.

A counter stands for one branch of the engine. How often a branch runs in one answer is told apart by buckets (1, 2, 3,
4-7, 8-15, 16-31, 32-127, 128 and more), as American Fuzzy Lop does (M. Zalewski, "Technical whitepaper for afl-fuzz",
section 2): loops over lists of other lengths are other behaviour. Many answers leave them in the layout of
`perft_check_coverage_take`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...generator.game import Game

Counters = NDArray[np.uint8]
"""How often each branch ran, by its number; 255 stands for any number from there on."""
Buckets = NDArray[np.uint8]
"""For each counter a bit for each of the eight buckets."""

BUCKETS = ("1", "2", "3", "4-7", "8-15", "16-31", "32-127", "128+")
"""The buckets, by the number of their bit."""
_FIRST_OF_BUCKET = (1, 2, 3, 4, 8, 16, 32, 128)
_BIT_OF_COUNT = np.zeros(256, dtype=np.uint8)
for _bit, _first in enumerate(_FIRST_OF_BUCKET):
    _BIT_OF_COUNT[_first:] = 1 << _bit


def buckets_of(counters: Counters) -> Buckets:
    """Return the bit of the bucket of each counter, 0 if it is 0."""
    return _BIT_OF_COUNT[counters]


@dataclass(frozen=True, order=True)
class SourceLocation:
    """Where a branch is in the source code of an engine."""

    path: str
    """The file, as the compiler was given it; the library or program itself where its source is not known."""
    line: int
    """From 1; the offset in the library or program where its source is not known."""
    function: str = ""
    """The function that has it, "" if that is not known."""
    is_source: bool = True
    """Whether it is known which line of source this is."""

    def __str__(self) -> str:
        """Return `file.c:12`, or `libmine.so+0x4f0` where no line is known."""
        return f"{self.path}:{self.line}" if self.is_source else f"{self.path}+{self.line:#x}"


class CoverageSource(Protocol):
    """What an engine offers whose code was compiled, or is run, with counters."""

    def locations(self) -> tuple[SourceLocation | None, ...]:
        """Return the place of each counter, by its number, once the engine has answered; None for a number that no
        branch has, as far as is known. An engine without counters has no places.
        """

    def read(self) -> Counters:
        """Return the counters since the last reset, as many as there are places; none if they cannot be read."""

    def reset(self) -> None:
        """Set all counters to 0."""


@dataclass(frozen=True)
class CurvePoint:
    """How much was reached at one time of a run."""

    seconds: float
    """Since the beginning of the run."""
    positions: int
    """Asked about until then."""
    branches: int
    """Counters reached until then."""


@dataclass(frozen=True)
class FirstReached:
    """The line that has reached a branch first."""

    counter: int
    """The number of the counter."""
    game: Game
    depth: int
    """How deep the line was counted."""
    by_suite: bool = False
    """Whether it is a line of a suite, which fuzzing asks about first; else it was drawn."""


@dataclass(frozen=True)
class CoverageSummary:
    """What is known of an engine's coverage at the end of a run: all that reports are made of."""

    locations: tuple[SourceLocation, ...]
    """The place of each counter, by its number. Several counters may have one place."""
    firsts: tuple[FirstReached, ...]
    """The first line of each counter that was reached, in the order in which they were reached."""
    curve: tuple[CurvePoint, ...] = ()
    """How coverage grew, in the order of time."""
    knows_unreached: bool = True
    """Whether branches that never ran have places, too: GCC names only those that have run."""

    @property
    def reached(self) -> frozenset[int]:
        """The numbers of the counters that were reached."""
        return frozenset(first.counter for first in self.firsts)

    @property
    def reached_by_suites(self) -> frozenset[int]:
        """The numbers of those that lines of suites have reached first."""
        return frozenset(first.counter for first in self.firsts if first.by_suite)

    @property
    def reached_by_fuzzing(self) -> frozenset[int]:
        """The numbers of those that drawn lines have reached first: what fuzzing has added."""
        return self.reached - self.reached_by_suites


@dataclass
class CoverageMap:
    """Which counters were reached so far, in which buckets, and by which line first."""

    seen: Buckets = field(default_factory=lambda: np.zeros(0, dtype=np.uint8))
    """The buckets of each counter that were reached."""
    firsts: dict[int, FirstReached] = field(default_factory=dict)
    """By number of the counter, in the order in which they were reached."""
    curve: list[CurvePoint] = field(default_factory=list)

    def __len__(self) -> int:
        """Return how many counters were reached."""
        return len(self.firsts)

    def note(self, counters: Counters, line: Callable[[], Game], depth: int, *, by_suite: bool = False) -> bool:
        """Note the counters that a line left at a depth; return True if one has reached a bucket for the first time.

        The line is only asked for where it is the first one that has reached a counter.
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
        self.note_firsts(FirstReached(number, line(), depth, by_suite) for number in reached)
        return True

    def note_firsts(self, firsts: Iterable[FirstReached]) -> None:
        """Note lines that have reached counters, unless others have before."""
        for first in firsts:
            self.firsts.setdefault(first.counter, first)

    def note_time(self, seconds: float, positions: int) -> None:
        """Add a point to the curve, where more was reached since the last one."""
        if not self.curve or self.curve[-1].branches < len(self):
            self.curve.append(CurvePoint(seconds, positions, len(self)))

    def summary(self, locations: Sequence[SourceLocation | None]) -> CoverageSummary:
        """Return what reports need, given what `CoverageSource.places` returns; what has no place is left out."""
        known = [(number, place) for number, place in enumerate(locations) if place is not None]
        numbers = {number: new for new, (number, _) in enumerate(known)}
        firsts = (replace(one, counter=numbers[one.counter]) for one in self.firsts.values() if one.counter in numbers)
        return CoverageSummary(
            tuple(place for _, place in known), tuple(firsts), tuple(self.curve), knows_unreached=None not in locations
        )


COMPARISONS = 4096
"""Bytes for comparisons, PERFT_CHECK_COMPARISONS of the header; each comparison has two."""
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
        self._by_positions, self._by_any, self._before = (self.memory[self._seen_at :].copy() for _ in range(3))
        """What positions alone have reached, what they or trees have, and what was reached before `forget`."""
        self.begin(has_trees=False)

    def begin(self, *, has_trees: bool) -> None:
        """Begin with a block of positions, or of trees: what only trees have reached is new if a position does."""
        self._has_trees = has_trees
        self.memory[:4].view(np.uint32)[0] = self.branches
        self.memory[self._seen_at :] = self._by_any if has_trees else self._by_positions
        self._firsts[:] = NOBODY

    def forget(self) -> None:
        """Let all be new once more. Some code runs once in a process: the next block tells what was reached before."""
        self._before |= self._by_any
        self._by_any[:] = self._by_positions[:] = 0

    def collect(self, positions: int) -> BlockCoverage:
        """Return what is new since the block was begun, which has so many positions."""
        firsts, seen = self._firsts, self.memory[self._seen_at :]
        self._by_any |= seen
        if not self._has_trees:
            self._by_positions |= seen
        features = np.flatnonzero(firsts < positions)
        before = np.flatnonzero(np.unpackbits(self._before & ~self._by_any, bitorder="little"))
        self._before[:] = 0
        reached = [*zip(features.tolist(), firsts[features].tolist(), strict=True)]
        reached += [(feature, SOMEWHERE) for feature in before.tolist()]
        return BlockCoverage(self.branches, tuple(sorted(reached)))

    @property
    def _firsts(self) -> NDArray[np.uint32]:
        return self.memory[4 : self._seen_at].view(np.uint32)
