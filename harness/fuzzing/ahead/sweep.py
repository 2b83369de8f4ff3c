"""A batch of the sweep that is asked ahead: FENs in blocks, and what else it has one question at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from ....generator.drawing.drawn import WORDS, Drawn
from ....generator.drawing.experience import Learned
from ....generator.drawing.known import known_block
from ....generator.events import event_bits
from ....generator.line import Line
from ....generator.position import Position
from ..course.model import Pairs
from ..examining import Examiner
from ..model import SWEEP, Hit
from ..plan import FuzzPlan, Share
from ..questions import SweepQuestion
from ..sweep import SweepBatch
from .block_batch import BlockBatch, LineOf
from .pace import PacedClient


class AheadSweepBatch(BlockBatch):
    """One batch of the sweep."""

    def __init__(
        self, plan: FuzzPlan, share: Share, examiner: Examiner, engine: PacedClient, tell: Callable[[list[Hit]], None]
    ) -> None:
        super().__init__(plan, share, examiner, engine, tell, SWEEP)
        ahead = [question for question in share.questions if question.is_plain and question.depth <= engine.max_depth]
        others = tuple(question for question in share.questions if question not in ahead)
        self._questions = ahead
        self._others = SweepBatch(plan, replace(share, questions=others), examiner, tell, self.result)

    def run(self) -> None:
        """Ask ahead what can be, then the other questions. Raises Interrupted, with the results in `result`."""
        super().run()
        self._others.run()

    @property
    def pairs_met(self) -> Pairs:
        """The pairs of events met so far."""
        return self._others.pairs_met

    def collect_learned(self) -> Sequence[Learned]:
        """Return nothing: nothing is drawn."""
        return ()

    def _blocks(self) -> Iterator[tuple[Drawn, LineOf]]:
        """Yield the questions in blocks of one variant, in their order."""
        for chess960, questions in groupby(self._questions, key=lambda question: question.line.base.chess960):
            drawn = self._block(list(questions), chess960)
            yield from ((part, _line_of) for part in self._parts(drawn))

    def _block(self, questions: list[SweepQuestion], chess960: bool) -> Drawn:
        positions = [question.line.base for question in questions]
        drawn = known_block(
            positions,
            [question.depth for question in questions],
            chess960=chess960,
            castles_to_rook=self._engine.castles_to_rook(chess960),
        )
        return replace(drawn, events=np.array(list(map(_event_words, positions)), dtype=np.uint64))

    def _cover(self, drawn: Drawn, answered: int) -> None:
        super()._cover(drawn, answered)
        for index in range(answered):
            self._others.note_met(_line_of(drawn, index).base)


def _event_words(position: Position) -> list[int]:
    bits = event_bits(position)
    return [bits >> 64 * word & (1 << 64) - 1 for word in range(WORDS)]


def _line_of(drawn: Drawn, index: int) -> Line:
    return Line(Position.from_fen(drawn.fen(index), drawn.chess960))
