"""Guidance by the coverage of the engine's own code: lines that have reached something new are walked from more often.

libFuzzer and AFL++ do so with inputs. What is new is a feature (`coverage/model.py`): a branch, another bucket of how
often it ran, or two compared values that were nearer than ever. Of the lines of one comparison the nearest counts, as
long as the values were never equal (`-use_value_profile` of libFuzzer). Blocks generated from these lines stand among
those that the schedule by events draws.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...generator.game import Game
from ...generator.position import Position
from ...generator.sampling.pool import CAPACITY
from ...generator.sampling.position_batch import PositionBatch
from ...generator.sampling.sampler import PositionSampler
from ..coverage.model import EQUAL, SOMEWHERE, BlockCoverage, CoverageMap, CoverageSource, FirstReached, SourcePlace

SEEKING_SHARE = 0.2
"""The share of the time that may be spent on finding which line of a block has reached something."""
EASY_BLOCKS = 7
"""What the first blocks reach is noted, and not walked from: almost any position reaches it."""
MOST_BLOCKS_SOUGHT = 4
"""Blocks are under way when counters are read, so that what was reached may be in one that comes later."""

NEAR_ENERGY, BUCKET_ENERGY, BRANCH_ENERGY = 1.0, 0.25, 2.0
"""How often a base is taken for being the first to reach a comparison, a bucket or branches, relative to others."""
MOST_BUCKETS = 4
"""The first positions reach most buckets and branches, and are not worth as much more than later ones."""
BASES_A_STEP, MOST_LATE = 100, 4.0
"""What is reached late was hard to reach: after this many bases it counts twice, then three times, up to the limit."""
LEAST_ENERGY = 0.05
"""That of a base all of whose comparisons others have come nearer to."""
WRONG_VISITS, FAILURE_VISITS = 4, 64
"""Visits of a base for which a block with a wrong answer counts, and one with a crash or a hang."""
MOST_BASES = 1 << 14
"""Bases of one variant; what comes later is not walked from."""

GUIDED, GUIDED_OF = 2, 3
"""Two of three blocks are generated from bases that coverage has found."""
LARGEST_GUIDED = 512
"""Positions of a turn."""
POSITIONS_A_BASE, WALKS = 10, 3
"""How many positions are generated from a base that is taken, and by how many walks."""
LEAST_GUIDED = 128
"""Positions of depth 1 that a slow engine is sent at once: small parts cost a Python generator twice as much."""
DEEP_PART = 4
"""Of the positions that an engine answers in a moment a quarter make a block of trees, each of which costs more."""
MOST_GUIDED_NODES = 1_024
"""Nodes below a position: what is new is then not far from it, and blocks come often."""
MOST_CHANGES = 3
"""Changes before a walk."""


class Guidance:
    """What one process knows of the coverage of the engine under test."""

    def __init__(
        self, source: CoverageSource, places: Sequence[SourcePlace | None], easy_blocks: int = EASY_BLOCKS
    ) -> None:
        """Take what reads the counters of the engine when one line is examined, and the place of each counter."""
        self._source, self._easy_blocks = source, easy_blocks
        self.places = tuple(places)
        self.known = CoverageMap()
        self._bases = {False: GuidedBases(), True: GuidedBases()}
        self._reported = 0
        """How many of the first lines were reported."""
        self._latest = Game(Position.start()), 1, False
        """The line that was examined alone last, its depth, and whether it is of a suite."""
        self._sought: set[int] = set()
        """Branches that a block has reached, and no line is known that does."""
        self._blocks_sought = 0
        self._began, self._seeking = math.inf, 0.0
        """When the first block was answered, and the seconds spent on searching since."""

    def bases(self, chess960: bool) -> GuidedBases:
        """Return the bases of a variant."""
        return self._bases[chess960]

    def note_game(self, game: Game, depth: int, *, by_suite: bool) -> None:
        """Note what the engine has reached since the last line, for one that was examined alone."""
        self._latest = game, depth, by_suite
        counters = self._source.read()
        before = len(self.known)
        if self.known.note(counters, lambda: game, depth, by_suite=by_suite):
            self._add_base(game, len(counters), (), has_new=len(self.known) > before)

    def note_block(
        self, coverage: BlockCoverage, game_of: Callable[[int], tuple[Game, int]], *, by_suite: bool
    ) -> None:
        """Note what the answers about a block have reached; `game_of` returns a line of it, and its depth."""
        self._easy_blocks -= not by_suite
        by_position: dict[int, list[int]] = {}
        for feature, position in coverage.features:
            if position == SOMEWHERE:
                self._sought |= {feature // 8} if feature < 8 * coverage.branches else set()
                continue
            by_position.setdefault(position, []).append(feature)
        for number in sorted(by_position):
            line, depth = game_of(number)
            features = by_position[number]
            reached = sorted({feature // 8 for feature in features if feature < 8 * coverage.branches})
            before = len(self.known)
            self.known.note_firsts(FirstReached(place, line, depth, by_suite) for place in reached)
            has_new = len(self.known) > before
            self._add_base(line, coverage.branches, features, has_new=has_new, is_tree=depth > 1)

    def seek(self, lines: Iterator[tuple[Game, int]], ask: Callable[[Game, int], None], *, by_suite: bool) -> None:
        """Find the lines that have reached branches of which it is only known that a block has.

        A branch that none of many lines reaches alone counts for the latest of them: it was reached all the same.
        `ask` puts a line to the process whose counters are read; the search takes a share of the time at most.
        """
        began = time.monotonic()
        self._began = min(self._began, began)
        self._sought -= self.known.firsts.keys()
        while self._sought and self._seeking < SEEKING_SHARE * (began - self._began):
            line, depth = next(lines, (None, 0))
            if line is None:
                break
            ask(line, depth)
            self.note_game(line, depth, by_suite=by_suite)
            self._sought -= self.known.firsts.keys()
            now = time.monotonic()
            self._seeking += now - began
            began = now
        self._blocks_sought = (self._blocks_sought + 1) * bool(self._sought)
        if self._blocks_sought > MOST_BLOCKS_SOUGHT:  # as code that runs once in a process, or after other questions
            self.known.note_firsts(FirstReached(place, *self._latest) for place in sorted(self._sought))
            self._sought.clear()

    def adopt(self, firsts: Iterable[FirstReached]) -> None:
        """Take over what other processes have reached."""
        for first in firsts:
            if first.place not in self.known.firsts:
                self._add_base(first.game, first.place + 1, [8 * first.place], has_new=True)
                self.known.note_firsts([first])
        self._reported = len(self.known)

    def _add_base(
        self, game: Game, branches: int, features: Iterable[int], *, has_new: bool, is_tree: bool = False
    ) -> None:
        if self._easy_blocks <= 0:
            bases = self._bases[game.base.chess960]
            bases.add(game.position, branches, features, has_new=has_new, is_tree=is_tree)

    def find_more_places(self) -> tuple[SourcePlace | None, ...]:
        """Return the place of each counter if more are known than before, as of GCC's `trace-pc`; else nothing."""
        places = self._source.places()
        if len(places) - places.count(None) <= len(self.places) - self.places.count(None):
            return ()
        self.places = places
        return places

    def collect_new(self) -> tuple[FirstReached, ...]:
        """Return the first lines that were not returned before."""
        new = tuple(self.known.firsts.values())[self._reported :]
        self._reported += len(new)
        return new


@dataclass
class GuidedBases:
    """The positions of one variant that have reached something new, and how often each was taken."""

    positions: list[Position] = field(default_factory=list)
    _energies: list[float] = field(default_factory=list)
    """Of what does not pass on to others."""
    _weights: list[float] = field(default_factory=list)
    """What each of their features counts."""
    _visits: list[int] = field(default_factory=list)
    _numbers: dict[Position, list[int]] = field(default_factory=dict)
    """Under which numbers each position is a base."""
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
        self._numbers.setdefault(position, []).append(number)
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

    def discourage(self, positions: Iterable[Position], visits: int) -> None:
        """Choose the positions that are bases less often, as if each had been visited `visits` more times."""
        for number in (number for position in positions for number in self._numbers.get(position, ())):
            self._visits[number] += visits

    def pick(self, number: int) -> list[Position]:
        """Return up to `number` positions whose turn it is: the seldom taken ones, weighted by their energies."""
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


class GuidedSampling:
    """Draws the guided blocks of a batch."""

    def __init__(self, bases: GuidedBases, open_sampler: Callable[[list[Position]], PositionSampler]) -> None:
        """Take the bases, of which more are found on the way, and what opens a sampler without schedule from some."""
        self._bases, self._open_sampler = bases, open_sampler
        self._sampler: PositionSampler | None = None
        self._turn = 0

    def is_due(self, turn: int) -> bool:
        """Return True if coverage guides the next block."""
        return turn % GUIDED_OF < GUIDED and bool(self._bases.positions)

    def sample(
        self, most: int, size: int, most_deep: int, budget: int
    ) -> Iterator[tuple[PositionBatch, PositionSampler]]:
        """Yield the blocks of a turn, of at most `most` positions together, each with its sampler.

        Every other turn is counted to depth 1, in blocks of at most `size`: what one has reached guides those that are
        generated after it. The others are one block of at most `most_deep` positions, with a budget of nodes.
        """
        self._turn += 1
        if self._turn % 2 and budget:
            yield self._draw(min(most, most_deep), min(budget, MOST_GUIDED_NODES))
            return
        left = min(most, LARGEST_GUIDED)
        while left > 0:
            block, sampler = self._draw(min(left, size), 0)
            yield block, sampler
            left -= len(block) or left

    def _draw(self, number: int, budget: int) -> tuple[PositionBatch, PositionSampler]:
        picked = self._bases.pick(-(-number // POSITIONS_A_BASE)) * WALKS
        if self._sampler is None or self._sampler.bases + len(picked) > CAPACITY:
            self._sampler = self._open_sampler(picked)
        else:
            first = self._sampler.bases
            self._sampler.add(picked)
            self._sampler.begin_at(first)
        return self._sampler.sample(number, budget, MOST_CHANGES), self._sampler
