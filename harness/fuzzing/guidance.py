"""Guidance by the coverage of the engine's own code: lines that have reached something new are walked from more often.

libFuzzer and AFL++ do so with inputs. What is new is a feature (`coverage/tally.py`): a branch, another bucket of how
often it ran, or two compared values that were nearer than ever. Of the lines of one comparison the nearest counts, as
long as the values were never equal (`-use_value_profile` of libFuzzer).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...generator.line import Line
from ...generator.position import Position
from ..coverage.model import CoverageMap, CoverageSource, FirstReached, SourcePlace
from ..coverage.tally import EQUAL, BlockCoverage

NEAR_ENERGY, BUCKET_ENERGY, BRANCH_ENERGY = 1.0, 1.0, 4.0
"""How often a base is taken for each feature that it was the first to reach, relative to others."""
LEAST_ENERGY = 0.05
"""That of a base all of whose comparisons others have come nearer to."""
MOST_BASES = 1 << 14
"""Bases of one variant; what comes later is not walked from."""


@dataclass
class GuidedBases:
    """The positions of one variant that have reached something new, and how often each was taken."""

    positions: list[Position] = field(default_factory=list)
    _energies: list[float] = field(default_factory=list)
    _visits: list[int] = field(default_factory=list)
    _nearest: dict[int, tuple[int, int]] = field(default_factory=dict)
    """For each comparison the nearest distance, as a bit, and the number of the base that has it."""

    def add(self, position: Position, branches: int, features: Iterable[int]) -> None:
        """Add a position with the features that it was the first to reach, given how many branches there are."""
        if len(self.positions) >= MOST_BASES:
            return
        number = len(self.positions)
        self.positions.append(position)
        self._energies.append(LEAST_ENERGY)
        self._visits.append(0)
        reached_branches = set()
        for feature in features:
            place, bit = divmod(feature, 8)
            if place >= branches:
                self._note_near(place, bit, number)
            elif place not in reached_branches:
                reached_branches.add(place)
                self._energies[number] += BUCKET_ENERGY

    def honor(self, branches: int) -> None:
        """Have the last one taken more often, for so many branches that nobody had reached before."""
        self._energies[-1] += BRANCH_ENERGY * branches

    def _note_near(self, place: int, bit: int, number: int) -> None:
        best, holder = self._nearest.get(place, (-1, number))
        if bit <= best:
            return
        if holder != number:
            self._energies[holder] = max(LEAST_ENERGY, self._energies[holder] - NEAR_ENERGY)
        if bit < EQUAL and (best < 0 or holder != number):
            self._energies[number] += NEAR_ENERGY
        self._nearest[place] = bit, number

    def pick(self, number: int) -> list[Position]:
        """Return up to so many positions, those whose turn it is: the seldom taken ones, by their energies."""
        if not self.positions:
            return []
        due = (np.array(self._visits) + 1) / np.array(self._energies)
        chosen = np.argsort(due, kind="stable")[:number].tolist()
        for one in chosen:
            self._visits[one] += 1
        return [self.positions[one] for one in chosen]


class Guidance:
    """What one process knows of the coverage of the engine under test."""

    def __init__(self, source: CoverageSource, places: Sequence[SourcePlace | None]) -> None:
        """Take what reads the counters of the engine when one line is examined, and the place of each counter."""
        self._source = source
        self.places = tuple(places)
        self.known = CoverageMap()
        self._bases = {False: GuidedBases(), True: GuidedBases()}
        self._told = 0
        """How many of the first lines were told."""

    def bases(self, chess960: bool) -> GuidedBases:
        """Return the bases of a variant."""
        return self._bases[chess960]

    def note_line(self, line: Line, depth: int, *, by_suite: bool) -> None:
        """Note what the engine has reached since the last line, for one that was examined alone."""
        counters = self._source.read()
        before = len(self.known)
        if self.known.note(counters, lambda: line, depth, by_suite=by_suite):
            bases = self._bases[line.base.chess960]
            bases.add(line.position, len(counters), ())
            bases.honor(len(self.known) - before)

    def note_block(
        self, coverage: BlockCoverage, line_of: Callable[[int], tuple[Line, int]], *, by_suite: bool
    ) -> None:
        """Note what the answers about a block have reached; `line_of` returns a line of it, and its depth."""
        by_position: dict[int, list[int]] = {}
        for feature, position in coverage.features:
            by_position.setdefault(position, []).append(feature)
        for number in sorted(by_position):
            line, depth = line_of(number)
            features = by_position[number]
            reached = sorted({feature // 8 for feature in features if feature < 8 * coverage.branches})
            before = len(self.known)
            self.known.note_firsts(FirstReached(place, line, depth, by_suite) for place in reached)
            bases = self._bases[line.base.chess960]
            bases.add(line.position, coverage.branches, features)
            bases.honor(len(self.known) - before)

    def adopt(self, firsts: Iterable[FirstReached]) -> None:
        """Take over what other processes have reached."""
        for first in firsts:
            if first.place not in self.known.firsts:
                bases = self._bases[first.line.base.chess960]
                bases.add(first.line.position, first.place + 1, [8 * first.place])
                bases.honor(1)
                self.known.note_firsts([first])
        self._told = len(self.known)

    def find_more_places(self) -> tuple[SourcePlace | None, ...]:
        """Return the place of each counter where more are known than before, as of GCC's `trace-pc`; else nothing."""
        places = self._source.places()
        if len(places) - places.count(None) <= len(self.places) - self.places.count(None):
            return ()
        self.places = places
        return places

    def collect_new(self) -> tuple[FirstReached, ...]:
        """Return the first lines that were not returned before."""
        new = tuple(self.known.firsts.values())[self._told :]
        self._told += len(new)
        return new
