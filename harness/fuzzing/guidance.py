"""Coverage guidance: random walks start more often from games that reached something new in the engine's code.

libFuzzer and AFL++ select their inputs in the same way. A game is new if it reaches a new feature
(`coverage/model.py`): a branch, a new bucket for the number of times a branch ran, or a smaller distance between two
compared values. For each comparison only the game with the smallest distance counts, until the values are equal (as
with libFuzzer's `-use_value_profile`). Blocks generated from these games alternate with those of the event schedule.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...generator.game import Game
from ...generator.position import Position
from ...generator.sampling.position_batch import PositionBatch
from ...generator.sampling.sampler import CAPACITY, PositionSampler
from ..coverage.model import EQUAL, SOMEWHERE, BlockCoverage, CoverageMap, CoverageSource, FirstReached, SourceLocation

LOCATING_SHARE = 0.2
"""Share of the time that may be spent on finding the game of a block that reached a branch."""
EASY_BLOCKS = 7
"""Number of initial blocks whose games do not become bases, because almost any position reaches the same code."""
MOST_BLOCKS_LOCATING = 4
"""Number of blocks searched for a branch, because any block in flight when counters are read may have reached it."""

NEAR_ENERGY, BUCKET_ENERGY, BRANCH_ENERGY = 1.0, 0.25, 2.0
"""Energy per comparison, per bucket, and for new branches; bases with more energy are picked more often."""
MOST_BUCKETS = 4
"""Maximum number of buckets that count, because the first bases reach many buckets but are hardly more valuable."""
BASES_PER_STEP, MOST_WEIGHT = 100, 4.0
"""Each step of this many bases adds one to the weight, up to the limit, because later bases reach harder code."""
LEAST_ENERGY = 0.05
"""Minimum energy of a base, even if other bases have smaller distances in all of its comparisons."""
WRONG_VISITS, FAILURE_VISITS = 4, 64
"""Number of visits that an incorrect answer adds to a base, and number that a crash or hang adds."""
MOST_BASES = 1 << 14
"""Maximum number of bases of one variant; later ones are ignored."""

GUIDED, GUIDED_OF = 2, 3
"""Two of three blocks are guided by coverage."""
LARGEST_GUIDED = 512
"""Maximum number of positions in one turn."""
POSITIONS_PER_BASE, WALKS = 10, 3
"""Number of positions generated from each picked base, and number of walks that generate them."""
LEAST_GUIDED = 128
"""Smallest block of depth 1 for a slow engine; in smaller blocks a Python engine needs twice as long per position."""
DEEP_PART = 4
"""Divisor of the block size for trees, because counting a tree takes longer."""
MOST_GUIDED_NODES = 1_024
"""Limit for the nodes below a guided position, so that new coverage is near it and blocks are answered quickly."""
MOST_CHANGES = 3
"""Maximum number of changes made to a base before a walk."""


class Guidance:
    """The coverage of the engine under test known to one process, and the bases found so far."""

    def __init__(
        self, source: CoverageSource, places: Sequence[SourceLocation | None], easy_blocks: int = EASY_BLOCKS
    ) -> None:
        """Create guidance that reads the counters from `source`; `places` are their source locations."""
        self._source, self._easy_blocks = source, easy_blocks
        self.locations = tuple(places)
        self.known = CoverageMap()
        self._bases = {False: GuidedBases(), True: GuidedBases()}
        self._reported = 0
        """Number of entries of `known.firsts` that were reported."""
        self._latest = Game(Position.start()), 1, False
        """The last game examined alone, its depth, and whether it comes from a suite."""
        self._unlocated: set[int] = set()
        """Branches that a block has reached, but that are not yet attributed to a game."""
        self._blocks_locating = 0
        self._began, self._locating = math.inf, 0.0
        """When the first block was answered, and the seconds spent locating branches since then."""

    def bases(self, chess960: bool) -> GuidedBases:
        """Return the bases of a variant."""
        return self._bases[chess960]

    def note_game(self, game: Game, depth: int, *, by_suite: bool) -> None:
        """Attribute the code reached since the last game to `game`, which was examined alone."""
        self._latest = game, depth, by_suite
        counters = self._source.read()
        before = len(self.known)
        if self.known.note(counters, lambda: game, depth, by_suite=by_suite):
            self._add_base(game, len(counters), (), has_new=len(self.known) > before)

    def note_block(
        self, coverage: BlockCoverage, game_of: Callable[[int], tuple[Game, int]], *, by_suite: bool
    ) -> None:
        """Record the code reached by a block; `game_of` returns the game and depth of a position, given its index."""
        self._easy_blocks -= not by_suite
        by_position: dict[int, list[int]] = {}
        for feature, position in coverage.features:
            if position == SOMEWHERE:
                self._unlocated |= {feature // 8} if feature < 8 * coverage.branches else set()
                continue
            by_position.setdefault(position, []).append(feature)
        for number in sorted(by_position):
            game, depth = game_of(number)
            features = by_position[number]
            reached = sorted({feature // 8 for feature in features if feature < 8 * coverage.branches})
            before = len(self.known)
            self.known.note_firsts(FirstReached(place, game, depth, by_suite) for place in reached)
            has_new = len(self.known) > before
            self._add_base(game, coverage.branches, features, has_new=has_new, is_tree=depth > 1)

    def locate(self, games: Iterator[tuple[Game, int]], ask: Callable[[Game, int], None], *, by_suite: bool) -> None:
        """Find the games of a block that reach its new branches, spending at most `LOCATING_SHARE` of the time.

        `ask` sends a game to the process whose counters are read. If no game of several blocks reaches a branch when it
        is counted alone, the branch is attributed to the latest game.
        """
        began = time.monotonic()
        self._began = min(self._began, began)
        self._unlocated -= self.known.firsts.keys()
        while self._unlocated and self._locating < LOCATING_SHARE * (began - self._began):
            game, depth = next(games, (None, 0))
            if game is None:
                break
            ask(game, depth)
            self.note_game(game, depth, by_suite=by_suite)
            self._unlocated -= self.known.firsts.keys()
            now = time.monotonic()
            self._locating += now - began
            began = now
        self._blocks_locating = (self._blocks_locating + 1) * bool(self._unlocated)
        if self._blocks_locating > MOST_BLOCKS_LOCATING:  # code that runs once per process, or after other questions
            self.known.note_firsts(FirstReached(place, *self._latest) for place in sorted(self._unlocated))
            self._unlocated.clear()

    def adopt(self, firsts: Iterable[FirstReached]) -> None:
        """Add the coverage of other processes."""
        for first in firsts:
            if first.counter not in self.known.firsts:
                self._add_base(first.game, first.counter + 1, [8 * first.counter], has_new=True)
                self.known.note_firsts([first])
        self._reported = len(self.known)

    def _add_base(
        self, game: Game, branches: int, features: Iterable[int], *, has_new: bool, is_tree: bool = False
    ) -> None:
        if self._easy_blocks <= 0:
            bases = self._bases[game.base.chess960]
            bases.add(game.position, branches, features, has_new=has_new, is_tree=is_tree)

    def find_more_locations(self) -> tuple[SourceLocation | None, ...]:
        """Return the locations of all counters if new ones are known, as with GCC's `trace-pc`; otherwise nothing."""
        places = self._source.locations()
        if len(places) - places.count(None) <= len(self.locations) - self.locations.count(None):
            return ()
        self.locations = places
        return places

    def collect_new(self) -> tuple[FirstReached, ...]:
        """Return the entries of `known.firsts` that were not returned before."""
        new = tuple(self.known.firsts.values())[self._reported :]
        self._reported += len(new)
        return new


@dataclass
class GuidedBases:
    """The positions of one variant that reached something new, and how often each was picked."""

    positions: list[Position] = field(default_factory=list)
    _energies: list[float] = field(default_factory=list)
    """The energy of each base, excluding that for comparisons, which moves to the nearest base."""
    _weights: list[float] = field(default_factory=list)
    """The weight of each feature of a base."""
    _visits: list[int] = field(default_factory=list)
    _numbers: dict[Position, list[int]] = field(default_factory=dict)
    """The numbers of the bases with each position."""
    _nearest: dict[tuple[int, bool], tuple[int, int]] = field(default_factory=dict)
    """For each comparison, separately for trees: the smallest distance, as a bit, and the number of its base."""

    def add(
        self,
        position: Position,
        branches: int,
        features: Iterable[int],
        *,
        has_new: bool = False,
        is_tree: bool = False,
    ) -> None:
        """Add a position with the features that it was the first to reach; `branches` is the total number of branches.

        With `has_new`, the position reaches branches that are new to all processes, and is picked more often. With
        `is_tree`, the features may have been reached below the position, so a position that reaches them itself
        replaces it.
        """
        if len(self.positions) >= MOST_BASES:
            return
        number = len(self.positions)
        self.positions.append(position)
        self._numbers.setdefault(position, []).append(number)
        weight = min(MOST_WEIGHT, 1 + number / BASES_PER_STEP)
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
        """Pick these bases less often, as if each had been visited `visits` more times."""
        for number in (number for position in positions for number in self._numbers.get(position, ())):
            self._visits[number] += visits

    def pick(self, number: int) -> list[Position]:
        """Return up to `number` positions: those picked least often so far relative to their energy."""
        if not self.positions:
            return []
        energies = np.array(self._energies)
        nearest = {(comparison, one) for (comparison, _), (bit, one) in self._nearest.items() if bit < EQUAL}
        for _, one in nearest:
            energies[one] += NEAR_ENERGY * self._weights[one]
        due = (np.array(self._visits) + 1) / energies
        chosen = np.argsort(due, kind="stable")[:number].tolist()
        for one in chosen:
            self._visits[one] += 1
        return [self.positions[one] for one in chosen]


class GuidedSampling:
    """Generates the guided blocks of a batch."""

    def __init__(self, bases: GuidedBases, open_sampler: Callable[[list[Position]], PositionSampler]) -> None:
        """Create the generator; `bases` may grow, and `open_sampler` opens a sampler without an event schedule."""
        self._bases, self._open_sampler = bases, open_sampler
        self._sampler: PositionSampler | None = None
        self._turn = 0

    def is_due(self, turn: int) -> bool:
        """Return True if coverage guides the next block."""
        return turn % GUIDED_OF < GUIDED and bool(self._bases.positions)

    def sample(
        self, most: int, size: int, most_deep: int, budget: int
    ) -> Iterator[tuple[PositionBatch, PositionSampler]]:
        """Yield the blocks of a turn with their samplers, at most `most` positions in total.

        Every other turn has depth 1 and blocks of at most `size` positions, so that the coverage of each block guides
        the next one. The remaining turns have a single block of at most `most_deep` positions and `budget` nodes.
        """
        self._turn += 1
        if self._turn % 2 and budget:
            yield self._sample(min(most, most_deep), min(budget, MOST_GUIDED_NODES))
            return
        left = min(most, LARGEST_GUIDED)
        while left > 0:
            block, sampler = self._sample(min(left, size), 0)
            yield block, sampler
            left -= len(block) or left

    def _sample(self, number: int, budget: int) -> tuple[PositionBatch, PositionSampler]:
        picked = self._bases.pick(-(-number // POSITIONS_PER_BASE)) * WALKS
        if self._sampler is None or self._sampler.bases + len(picked) > CAPACITY:
            self._sampler = self._open_sampler(picked)
        else:
            first = self._sampler.bases
            self._sampler.add(picked)
            self._sampler.begin_at(first)
        return self._sampler.sample(number, budget, MOST_CHANGES), self._sampler
