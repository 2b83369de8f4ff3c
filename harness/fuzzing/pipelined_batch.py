"""Batches of positions that kernels generate, with the correct answers, by random walks.

The walks start from well-known positions and from positions that the Hypothesis strategies generate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import count

from ...generator.game import Game
from ...generator.position import Position
from ...generator.reachability.classification import is_impossible
from ...generator.sampling.position_batch import PositionBatch
from ...generator.sampling.sampler import PositionSampler
from ...strategies.common import generate_examples, smallest_positions, tricky_positions
from ...strategies.mixed import NAMES, strategy_named
from ...suites.bundled import BUNDLED, SWEEPS, bundled_path
from ...suites.loader import load_suite
from ..engines.asking.pipelined import LARGEST_BLOCK, LARGEST_DEEP_BLOCK, PipelinedSession
from .batch import BatchContext
from .block_batch import BlockBatch, BlockOrigin
from .guidance import DEEP_PART, LEAST_GUIDED, GuidedSampling
from .hypothesis_batch import prefixes
from .plan import BatchAssignment, FuzzPlan, StrategyVariant
from .timeline import Pairs, no_pairs

PROMOTED = (
    "nnnnk3/nnnnnn2/8/8/8/8/NNNNNN2/NNNNK3 w - - 0 1",
    "bbbbk3/bbbbbb2/8/8/8/8/BBBBBB2/BBBBK3 w - - 0 1",
    "rrrrk3/rrrrrr2/8/8/8/8/RRRRRR2/RRRRK3 w - - 0 1",
    "qqqqk3/qqqqq3/8/8/8/8/QQQQQ3/QQQQK3 w - - 0 1",
)
"""As many pieces of one type as promotions can produce."""
SEQUENCES = "sequences"
"""The strategy whose games matter at each of their moves."""
SETUPS = "setups"
"""The strategy whose positions matter only for the way in which they are set up."""
EXAMPLES_PER_STRATEGY = 12
"""Examples that each strategy generates for a batch. All strategies together take some tenths of a second."""


@cache
def known_bases(chess960: bool) -> tuple[Position, ...]:
    """Return the positions of the bundled suites and of rare events, each once, without those of the sweep."""
    names = [name for name in BUNDLED if name not in SWEEPS.values()]
    suites = (case.position for name in names for case in load_suite(bundled_path(name)))
    promoted = (Position.from_fen(fen, chess960) for fen in PROMOTED)
    known = (*smallest_positions().values(), *tricky_positions(), *promoted, *suites)
    return tuple(dict.fromkeys(one for one in known if one.chess960 is chess960))


def known_bases_of(plan: FuzzPlan, chess960: bool) -> list[Position]:
    """Return the known bases of a plan; none if the user has chosen strategies."""
    return [] if plan.strategies else _keep_possible(plan, known_bases(chess960))


def generate_bases(plan: FuzzPlan, chess960: bool, number: int) -> list[Position]:
    """Return positions that the strategies of a plan generate for the seed `number`."""
    generated = ((variant, game) for variant in _variants_of(plan, chess960) for game in _games(variant, number))
    games = (prefixes(game) if variant.strategy == SEQUENCES else (game,) for variant, game in generated)
    return _keep_possible(plan, dict.fromkeys(game.position for some in games for game in some))


def generate_starts(plan: FuzzPlan, chess960: bool, number: int) -> list[Position]:
    """Return the positions from which the generated sequences start, if sequences are among the strategies."""
    sequences = (variant for variant in _variants_of(plan, chess960) if variant.strategy == SEQUENCES)
    return _keep_possible(plan, dict.fromkeys(game.base for variant in sequences for game in _games(variant, number)))


def _variants_of(plan: FuzzPlan, chess960: bool) -> Iterable[StrategyVariant]:
    """Return the strategies of one variant, each once.

    Setups are left out unless there is no other strategy, because others generate the same positions.
    """
    strategy_order = dict.fromkeys(variant for variant in plan.strategy_order if variant.chess960 is chess960)
    return [variant for variant in strategy_order if variant.strategy != SETUPS] or strategy_order


def _keep_possible(plan: FuzzPlan, bases: Iterable[Position]) -> list[Position]:
    return [base for base in bases if plan.impossible or not is_impossible(base)]


@lru_cache(maxsize=len(NAMES))
def _games(variant: StrategyVariant, number: int) -> tuple[Game, ...]:
    return tuple(
        generate_examples(strategy_named(variant.strategy, chess960=variant.chess960), EXAMPLES_PER_STRATEGY, number)
    )


SPARSE_ONE_IN = 5
"""One block in this many has sparse positions, and so few of them that the engine needs about as long as for others."""
LEAST_SPARSE_NODES, SPARSE_FACTOR, SPARSE_SIZES = 4_096, 4, 5
"""The smallest node limit of a sparse position, the factor between two limits, and the number of limits."""
MOST_START_NODES = 262_144
"""Node limit for the start of a sequence, so that its tree contains what shows three plies later."""
_SEED_STEP = 1_000_003


def name_of(plan: FuzzPlan, assignment: BatchAssignment) -> str:
    """Return the name that reports show in place of a strategy."""
    return "pipelined (Chess960)" if is_chess960(plan, assignment) else "pipelined"


def is_chess960(plan: FuzzPlan, assignment: BatchAssignment) -> bool:
    """Return True if a pipelined batch generates Chess960 positions."""
    return plan.variants[assignment.number % len(plan.variants)]


def sparse_totals(block_nodes: int, most_nodes: int, turn: int) -> Iterator[tuple[int, int]]:
    """Yield the number of sparse positions and the node limit of each, for blocks of about `block_nodes` nodes.

    Some faults show in many small totals; others, such as those of counters and hash tables, show in large totals only.
    A limit larger than `block_nodes` is used in proportionally fewer turns, and none is larger than `most_nodes`.
    """
    least = max(block_nodes, LEAST_SPARSE_NODES)
    limits = [LEAST_SPARSE_NODES * SPARSE_FACTOR**power for power in range(SPARSE_SIZES)]
    for number in count(turn):
        for limit in limits:
            if limit <= max(most_nodes, LEAST_SPARSE_NODES) and number % -(-limit // least) == 0:
                yield max(1, block_nodes // limit), limit


class PipelinedBatch(BlockBatch):
    """A batch of positions generated by kernels."""

    def __init__(self, context: BatchContext, engine: PipelinedSession) -> None:
        super().__init__(context, engine, name_of(context.plan, context.assignment))
        self._chess960 = is_chess960(context.plan, context.assignment)
        self._samplers: tuple[PositionSampler, ...] = ()
        """The samplers that count pairs of events."""

    @property
    def pairs_met(self) -> Pairs:
        """The pairs of events that have occurred so far, including those of the blocks in flight."""
        met = no_pairs()
        for sampler in self._samplers if self._answered else ():
            met |= sampler.pair_counts > 0
        return met

    @property
    def _seed(self) -> int:
        return self._plan.seed * _SEED_STEP + self._assignment.number

    def _bases(self) -> list[Position]:
        generated = generate_bases(self._plan, self._chess960, self._seed)
        return [*generated, *known_bases_of(self._plan, self._chess960)]

    def _sampler(self, bases: list[Position], *, is_scheduled: bool = True) -> PositionSampler:
        return PositionSampler(
            bases,
            self._seed,
            chess960=self._chess960,
            castles_to_rook=self._engine.castles_to_rook(self._chess960),
            is_scheduled=is_scheduled,
        )

    def _deep_sizes(self) -> tuple[int, int, int]:
        """Return the positions and nodes of a block of trees, and the largest node limit of a sparse position.

        With coverage guidance a slow engine gets smaller blocks, so that it spends most of its time on guided ones.
        """
        engine = self._engine
        if self._guidance is None or not engine.counts_deep:
            return engine.block, engine.block_nodes, engine.most_nodes
        positions = min(engine.block // DEEP_PART, LARGEST_DEEP_BLOCK)
        nodes = positions * engine.budget
        return positions, nodes, nodes

    def _starts(self, nodes: int) -> Iterator[tuple[PositionBatch, BlockOrigin]]:
        """Yield the starts of sequences, one per block, each counted as deep as the number of nodes allows."""
        starts = generate_starts(self._plan, self._chess960, self._seed)
        if not starts:
            return
        sampler = self._sampler(starts, is_scheduled=False)
        budget = min(max(nodes, LEAST_SPARSE_NODES), MOST_START_NODES)
        for _ in starts:
            yield sampler.sample(1, budget), BlockOrigin(sampler.game)

    def _guided_sampling(self) -> GuidedSampling | None:
        """Return the generator of guided blocks, or None if coverage is not measured."""
        if self._guidance is None:
            return None
        return GuidedSampling(
            self._guidance.bases(self._chess960), lambda bases: self._sampler(bases, is_scheduled=False)
        )

    def _blocks(self) -> Iterator[tuple[PositionBatch, BlockOrigin]]:
        """Yield all blocks, in sizes that suit the speed of the engine.

        The sizes change only which sparse positions there are; these have a separate sampler for that reason.
        """
        left, engine, bases = self._assignment.size, self._engine, self._bases()
        is_deep = self._plan.depth > 1 and engine.counts_deep
        sampler = self._sampler(bases)
        sparse = self._sampler(bases) if is_deep else sampler
        self._samplers = tuple(dict.fromkeys((sampler, sparse)))
        largest, budget = (LARGEST_DEEP_BLOCK, engine.budget) if is_deep else (LARGEST_BLOCK, 0)
        chunk_size, nodes, most_nodes = self._deep_sizes()
        totals = sparse_totals(nodes, most_nodes, self._assignment.number)
        for block, origin in self._starts(nodes) if is_deep else ():
            if left > 0 and len(block):
                left -= 1
                yield block, origin
        scheduled = (
            chunk for _ in count() for chunk in self._chunks(sampler.sample(min(left, largest), budget), chunk_size)
        )
        guided, guided_size, turn, rounds = self._guided_sampling(), max(LEAST_GUIDED, engine.block), 0, 0
        while left > 0:
            rounds += 1
            if guided is not None and guided.is_due(rounds):
                for block, source in guided.sample(left, guided_size, chunk_size, budget):
                    origin = BlockOrigin(source.game, source.origins)
                    yield from ((chunk, origin) for chunk in self._chunks(block, guided_size) if len(chunk))
                    left -= max(1, len(block))
                continue
            turn += 1
            if is_deep and turn % SPARSE_ONE_IN == 0:
                number, nodes = next(totals)
                block, source = sparse.sample_sparse(min(left, number), nodes), sparse
            else:
                block, source = next(scheduled), sampler
            asked = block.part(0, min(left, len(block)))
            yield from ((chunk, BlockOrigin(source.game)) for chunk in self._chunks(asked, engine.block) if len(chunk))
            left -= max(1, len(block))
