"""A batch that is asked ahead: kernels draw the positions and know the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from ....generator.drawing.drawer import Drawer
from ....generator.drawing.drawn import Drawn
from ....generator.drawing.experience import Experience, Learned
from ....generator.position import Position
from ..course.model import Pairs, none_met
from ..examining import Examiner
from ..model import Hit
from ..plan import FuzzPlan, Share
from .bases import known_bases_of, make_bases, make_starts
from .block_batch import BlockBatch, LineOf
from .pace import LARGEST_BLOCK, LARGEST_DEEP_BLOCK, PacedClient

SPARSE_ONE_IN = 5
"""One block of the engine's pace in so many is of sparse positions: as few that it needs about as long for it."""
LEAST_SPARSE_NODES, SPARSE_TIMES, SPARSE_POWERS = 4_096, 4, 5
"""The nodes that each of them may have, and by what and how often they are multiplied."""
MOST_START_NODES = 262_144
"""The nodes that the start of a sequence may have: what shows three plies later is then in its tree."""
_SEED_STEP = 1_000_003


def name_of(plan: FuzzPlan, share: Share) -> str:
    """Return the name that reports show in place of a strategy."""
    return "asked ahead (Chess960)" if is_chess960(plan, share) else "asked ahead"


def is_chess960(plan: FuzzPlan, share: Share) -> bool:
    """Tell whether a batch that is asked ahead is of Chess960."""
    return plan.variants[share.number % len(plan.variants)]


def sparse_totals(block_nodes: int, most_nodes: int, turn: int) -> Iterator[tuple[int, int]]:
    """Yield numbers of sparse positions, and the nodes that each may have, for blocks of about so many nodes in all.

    Some faults show in many small totals, others, such as those of counters and hash tables, in large ones alone. A
    total that is larger than a block comes the less often, from turn to turn, and none has more than the most nodes.
    """
    least = max(block_nodes, LEAST_SPARSE_NODES)
    nodes = [LEAST_SPARSE_NODES * SPARSE_TIMES**power for power in range(SPARSE_POWERS)]
    for number in count(turn):
        for each in nodes:
            if each <= max(most_nodes, LEAST_SPARSE_NODES) and number % -(-each // least) == 0:
                yield max(1, block_nodes // each), each


class AheadBatch(BlockBatch):
    """One batch of drawn positions."""

    def __init__(
        self,
        plan: FuzzPlan,
        share: Share,
        examiner: Examiner,
        engine: PacedClient,
        tell: Callable[[list[Hit]], None],
        before: Experience | None = None,
    ) -> None:
        """`tell` is called after each block, and with the hits that are the first of their signature.

        `before` is what the batches before have learned; without it the known bases are all that is known.
        """
        super().__init__(plan, share, examiner, engine, tell, name_of(plan, share))
        self._chess960, self._before = is_chess960(plan, share), before
        self._sources: tuple[Drawer, ...] = ()
        """All drawers of the batch."""

    @property
    def pairs_met(self) -> Pairs:
        """The pairs of events met so far, those of the blocks under way included."""
        met = none_met()
        for drawer in self._sources if self._answered else ():
            met |= drawer.times_pairs_met > 0
        return met

    @property
    def _seed(self) -> int:
        return self._plan.seed * _SEED_STEP + self._share.number

    def _bases(self) -> list[Position]:
        made = make_bases(self._plan, self._chess960, self._seed)
        return made if self._before is not None else [*made, *known_bases_of(self._plan, self._chess960)]

    def _drawer(self, bases: list[Position], before: Experience | None = None, *, is_scheduled: bool = True) -> Drawer:
        return Drawer(
            bases,
            self._seed,
            chess960=self._chess960,
            castles_to_rook=self._engine.castles_to_rook(self._chess960),
            is_scheduled=is_scheduled,
            before=before,
        )

    def _starts(self) -> Iterator[tuple[Drawn, LineOf]]:
        """Yield the starts of sequences, one in a block, each counted as deep as its nodes allow."""
        starts = make_starts(self._plan, self._chess960, self._seed)
        if not starts:
            return
        drawer = self._drawer(starts, is_scheduled=False)
        nodes = min(max(self._engine.block_nodes, LEAST_SPARSE_NODES), MOST_START_NODES)
        for _ in starts:
            yield drawer.draw(1, nodes), drawer.line

    def collect_learned(self) -> Sequence[Learned]:
        """Return what its drawers have learned until now beyond what was known before."""
        return [] if self._before is None else [drawer.collect_learned() for drawer in self._sources]

    def _blocks(self) -> Iterator[tuple[Drawn, LineOf]]:
        """Yield all blocks, as large as the pace of the engine wants them.

        That changes no position but the sparse ones, which therefore have a drawer of their own.
        """
        left, engine, bases = self._share.size, self._engine, self._bases()
        is_deep = self._plan.depth > 1 and engine.counts_deep
        drawer = self._drawer(bases, self._before)
        sparse = self._drawer(bases, self._before) if is_deep else drawer
        self._sources = tuple(dict.fromkeys((drawer, sparse)))
        largest, budget = (LARGEST_DEEP_BLOCK, engine.budget) if is_deep else (LARGEST_BLOCK, 0)
        totals = sparse_totals(engine.block_nodes, engine.most_nodes, self._share.number)
        for drawn, line_of in self._starts() if is_deep else ():
            if left > 0 and len(drawn):
                left -= 1
                yield drawn, line_of
        ordinary = (part for _ in count() for part in self._parts(drawer.draw(min(left, largest), budget)))
        turn = 0
        while left > 0:
            turn += 1
            if is_deep and turn % SPARSE_ONE_IN == 0:
                number, nodes = next(totals)
                drawn, source = sparse.draw_sparse(min(left, number), nodes), sparse
            else:
                drawn, source = next(ordinary), drawer
            asked = drawn.part(0, min(left, len(drawn)))
            yield from ((part, source.line) for part in self._parts(asked) if len(part))
            left -= max(1, len(drawn))
