"""A batch that is asked ahead: kernels draw the positions and know the answers, and what differs is examined.

Nobody is accused here. An answer that differs makes its position a doubt, which is examined as any other
position is, one question at a time: alone, then after the moves that led there. A doubt that shows in neither
way is told with what had been asked before it, where the engine failed there or nothing else is found. One
position in some hundred is compared with python-chess, so that no fault of our kernels hides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count

import chess
import numpy as np

from ....generator.drawing.drawer import Drawer
from ....generator.drawing.drawn import Drawn
from ....generator.drawing.experience import Experience, Learned
from ....generator.line import Line
from ....generator.position import Position
from ....generator.setup import Setup, SetupOption
from ...engines.ahead import Collected
from ...engines.base import EngineError, EngineTimeout
from ..batch import MOST_TIMEOUTS, PART, BatchResult
from ..course.meeting import Pairs, none_met
from ..examining import Examiner
from ..model import Discrepancy, Hit
from ..plan import Plan, Share
from .bases import known_bases_of, made_bases, made_starts
from .doubts import Doubts
from .engine import LARGEST_BLOCK, LARGEST_DEEP_BLOCK, AheadEngine
from .unseen import Unseen

UNDER_WAY = 3
"""How many blocks are under way: the engine never waits for us."""
SPARSE_ONE_IN = 5
"""One block of the engine's pace in so many is of sparse positions: as few that it needs about as long for it."""
LEAST_SPARSE_NODES, SPARSE_TIMES, SPARSE_POWERS = 4_096, 4, 5
"""The nodes that each of them may have, and by what and how often they are multiplied."""
MOST_START_NODES = 262_144
"""The nodes that the start of a sequence may have: what shows three plies later is then in its tree."""
CONFIRMED_ONE_IN = 512
"""One position in so many is compared with python-chess."""
MOST_UNHEARD = 256
"""So many positions are examined where the engine fails: it may have answered more than we have heard."""
BLOCKS_BEFORE = 4
"""How many blocks a doubt remembers that does not show alone."""
_SEED_STEP = 1_000_003


def name_of(plan: Plan, share: Share) -> str:
    """Return the name that reports show in place of a strategy."""
    return "asked ahead (Chess960)" if is_chess960(plan, share) else "asked ahead"


def is_chess960(plan: Plan, share: Share) -> bool:
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


class AheadBatch:
    """One batch of a plan that is asked ahead; `run` fills `result`."""

    def __init__(
        self,
        plan: Plan,
        share: Share,
        examiner: Examiner,
        engine: AheadEngine,
        tell: Callable[[list[Hit]], None],
        before: Experience | None = None,
    ) -> None:
        """`tell` is called after each block, and with the hits that are the first of their signature.

        `before` is what the batches before have learned; without it the known bases are all that is known.
        """
        self._plan, self._share, self._examiner, self._engine, self._tell = plan, share, examiner, engine, tell
        self._chess960, self._before = is_chess960(plan, share), before
        self._name = name_of(plan, share)
        self.result = BatchResult(share.number)
        self._doubts = Doubts()
        self._timeouts = self._answered = 0
        self._asked: deque[Drawn] = deque(maxlen=BLOCKS_BEFORE)
        """The latest blocks, for doubts that do not show alone."""
        self._drawers: deque[Drawer] = deque()
        """Those of the blocks that are under way."""
        self._sources: tuple[Drawer, ...] = ()
        """All drawers of the batch."""
        self._unseen: Unseen | None = None
        """The first of those, one at which the engine failed before others."""

    def run(self) -> None:
        """Draw, ask and examine. Raises Interrupted, with the results so far in `result`."""
        try:
            self._ask()
        finally:
            self._note_unseen()

    def _ask(self) -> None:
        self._engine.get_ready()
        for drawn, drawer in self._blocks(self._bases()):
            self._engine.submit(drawn)
            self._drawers.append(drawer)
            if len(self._drawers) > UNDER_WAY:
                self._take(self._engine.collect(), self._drawers.popleft())
            if self._is_over:
                return
        while self._drawers and not self._is_over:
            self._take(self._engine.collect(), self._drawers.popleft())

    @property
    def pairs_met(self) -> Pairs:
        """The pairs of events met so far, those of the blocks under way included."""
        met = none_met()
        for drawer in self._sources if self._answered else ():
            met |= drawer.times_pairs_met > 0
        return met

    @property
    def _is_over(self) -> bool:
        return self.result.is_cut_short or (self._plan.fail_fast and bool(self.result.first))

    @property
    def _seed(self) -> int:
        return self._plan.seed * _SEED_STEP + self._share.number

    def _bases(self) -> list[Position]:
        made = made_bases(self._plan, self._chess960, self._seed)
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

    def _starts(self) -> Iterator[tuple[Drawn, Drawer]]:
        """Yield the starts of sequences, one in a block, each counted as deep as its nodes allow."""
        starts = made_starts(self._plan, self._chess960, self._seed)
        if not starts:
            return
        drawer = self._drawer(starts, is_scheduled=False)
        nodes = min(max(self._engine.block_nodes, LEAST_SPARSE_NODES), MOST_START_NODES)
        for _ in starts:
            yield drawer.draw(1, nodes), drawer

    def learned(self) -> Sequence[Learned]:
        """Return what its drawers have learned until now beyond what was known before."""
        return [] if self._before is None else [drawer.learned() for drawer in self._sources]

    def _blocks(self, bases: list[Position]) -> Iterator[tuple[Drawn, Drawer]]:
        """Yield all blocks, as large as the pace of the engine wants them.

        That changes no position but the sparse ones, which therefore have a drawer of their own.
        """
        left, engine = self._share.size, self._engine
        is_deep = self._plan.depth > 1 and engine.counts_deep
        drawer = self._drawer(bases, self._before)
        sparse = self._drawer(bases, self._before) if is_deep else drawer
        self._sources = tuple(dict.fromkeys((drawer, sparse)))
        largest, budget = (LARGEST_DEEP_BLOCK, engine.budget) if is_deep else (LARGEST_BLOCK, 0)
        totals = sparse_totals(engine.block_nodes, engine.most_nodes, self._share.number)
        for drawn, source in self._starts() if is_deep else ():
            if left > 0 and len(drawn):
                left -= 1
                yield drawn, source
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
            yield from ((part, source) for part in self._parts(asked) if len(part))
            left -= max(1, len(drawn))

    def _parts(self, drawn: Drawn) -> Iterator[Drawn]:
        """Yield a block in parts that the engine answers in a moment; one that is empty as it is."""
        for first in range(0, max(1, len(drawn)), self._engine.block):
            yield drawn.part(first, min(first + self._engine.block, len(drawn)))

    def _take(self, collected: Collected, drawer: Drawer) -> None:
        """Take in a block, and examine what is doubtful in it."""
        drawn, answered = collected.drawn, collected.answered
        self.result.strategies[self._name] += answered
        self._cover(drawn, answered)
        self._asked.append(drawn if collected.trouble is None else drawn.part(0, min(answered + 1, len(drawn))))
        # The position at which the engine failed is examined last, with those behind it.
        doubtful = [index for index in collected.doubtful.tolist() if collected.trouble is None or index != answered]
        for index in range(-self._answered % CONFIRMED_ONE_IN, answered, CONFIRMED_ONE_IN):
            if index not in doubtful and not python_chess_agrees(drawn, index):
                doubtful.append(index)
        self._answered += answered
        if answered:
            position = Position.from_fen(drawn.fen(0), self._chess960)
            self._examiner.note_answers(Line(position), int(drawn.depths[:answered].max()))
        self._tell([])
        for index in doubtful:
            if self._doubts.is_worth_examining(drawn.events[index]):
                self._examine(drawer.line(drawn, index), index, collected)
        if collected.trouble is not None:
            self._recover(drawer, collected, collected.trouble)

    def _recover(self, drawer: Drawer, collected: Collected, trouble: EngineError) -> None:
        """Note what the engine failed at, and have a new process asked about the rest of the block."""
        drawn = collected.drawn
        self._timeouts += isinstance(trouble, EngineTimeout)
        self.result.is_cut_short |= self._timeouts >= MOST_TIMEOUTS
        failed = self._examine_failure(drawer, collected, trouble) if len(drawn) else 0
        rest = drawn.part(min(failed + 1, len(drawn)), len(drawn))
        if len(rest):
            self._drawers.appendleft(drawer)
        self._engine.recover(rest)

    def _cover(self, drawn: Drawn, answered: int) -> None:
        times = drawn.times_met(answered)
        for event in np.flatnonzero(times).tolist():
            self.result.events[event] += int(times[event])

    def _examine(self, line: Line, index: int, collected: Collected) -> None:
        """Note what a doubt shows: alone, or after the moves that led there."""
        if not self._shown(line, index, collected) and self._unseen is None:
            self._keep_unseen(index, None)

    def _examine_failure(self, drawer: Drawer, collected: Collected, trouble: EngineError) -> int:
        """Note what the engine fails at, and return its index.

        The engine may have read further than we have heard: answers that a program has not yet written are lost when
        it dies. So where the first position without an answer shows no failure, those behind it are examined. Where all
        have answers, it fails at the marker behind the last of them.
        """
        drawn, first = collected.drawn, collected.answered
        is_known = self._unseen is not None and self._unseen.trouble is not None
        for index in range(first, min(first + (1 if is_known else MOST_UNHEARD), len(drawn))):
            line = drawer.line(drawn, index)
            found = self._shown(line if index == first else Line(line.position), index, collected)
            if any(one.verdict is trouble.verdict for one in found):
                return index
        if not is_known:
            self._keep_unseen(min(first, len(drawn) - 1), trouble)
        return first

    def _shown(self, line: Line, index: int, collected: Collected) -> list[Discrepancy]:
        """Note and return what a position shows: alone, or else after the last moves of its line, or after another."""
        depth = max(int(collected.drawn.depths[index]), self._plan.depth)
        alone = Line(line.position)
        # Asked ahead, the engine goes from one position to the next with nothing between them.
        after_another = Setup.of(alone, {SetupOption.AFTER_ANOTHER})
        for way in dict.fromkeys((alone, _end_of(line), after_another)):
            found = self._examiner.examine(way, depth)
            if found:
                self._note(found, depth)
                return found
        return []

    def _keep_unseen(self, index: int, trouble: EngineError | None) -> None:
        *before, block = self._asked
        self._unseen = Unseen((*before, block.part(0, index + 1)), trouble)

    def _note_unseen(self) -> None:
        """Tell of a doubt that shows nothing when it is examined: of a failure always, else if nothing was found."""
        if self._unseen is not None and (self._unseen.trouble is not None or not self.result.first):
            is_sure = self._unseen.trouble is not None
            self._note([self._unseen.discrepancy(self._engine)], is_sure=is_sure)

    def _note(self, found: list[Discrepancy], depth: int = 0, *, is_sure: bool = True) -> None:
        example = self._share.first + self.result.examples
        hits = [Hit(discrepancy, self._name, example, depth, is_sure) for discrepancy in found]
        self._tell([hit for hit in hits if self.result.note(hit)])


def _end_of(line: Line) -> Line:
    """Return the last moves of a line, from where they begin."""
    end = len(line.moves)
    start = max(0, end - PART)
    return Line(Line(line.base, line.moves[:start]).position, line.moves[start:end])


def python_chess_agrees(drawn: Drawn, index: int) -> bool:
    """Tell whether python-chess has the root moves of one position that our kernels have."""
    board = chess.Board(drawn.fen(index), chess960=drawn.castles_to_rook)  # which is how it then writes castling
    return {_key_of(move) for move in board.legal_moves} == set(drawn.keys_of(index))


def _key_of(move: chess.Move) -> int:
    """Return the key of a move, as `Drawn.keys` has it: the numbers of promotions begin one later in python-chess."""
    return move.from_square | move.to_square << 6 | ((move.promotion or 1) - 1) << 12
