"""BatchSchedule of known lines: the questions of the sweep, as many as possible ahead of the answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import numpy as np

from ...generator.events import event_bits
from ...generator.game import Game
from ...generator.position import Position
from ...generator.sampling.known import known_block
from ...generator.sampling.position_batch import WORDS, PositionBatch
from ..engines.asking.pipelined import PipelinedSession
from ..model.results.verdict import Verdict
from .batch import Batch, BatchContext, BatchResult
from .block_batch import BlockBatch, BlockOrigin
from .model import SWEEP
from .plan import SweepCase
from .timeline import Pairs


class SweepBatch(Batch):
    """Examines the questions of a batch, each as deep as it asks for."""

    def __init__(self, context: BatchContext, result: BatchResult | None = None) -> None:
        super().__init__(context, SWEEP, result)

    def run(self) -> None:
        """Ask all questions. Raises Interrupted, with the results so far in `result`."""
        for question in self._assignment.sweep_cases:
            if self._is_over:
                return
            self._examine(question)

    def _examine(self, question: SweepCase) -> None:
        """Put one question to the checks."""
        found = self._examine_game(question.game, question.depth, is_exact=True)
        position = question.game.position
        self.result.strategies[SWEEP] += 1
        self.result.events.update(self.note_met(position, event_bits(position)))
        self._note(found, question.depth)
        self._note_timeout(any(discrepancy.verdict is Verdict.TIMEOUT for discrepancy in found))


class PipelinedSweepBatch(BlockBatch):
    """One batch of the sweep."""

    def __init__(self, context: BatchContext, engine: PipelinedSession) -> None:
        super().__init__(context, engine, SWEEP)
        questions = context.assignment.sweep_cases
        ahead = [question for question in questions if question.is_plain and question.depth <= engine.max_depth]
        others = tuple(question for question in questions if question not in ahead)
        self._questions = ahead
        self._others = SweepBatch(
            replace(context, assignment=replace(context.assignment, sweep_cases=others)), self.result
        )

    def run(self) -> None:
        """Ask ahead what can be, then the other questions. Raises Interrupted, with the results in `result`."""
        super().run()
        self._others.run()

    @property
    def pairs_met(self) -> Pairs:
        """The pairs of events met so far."""
        return self._others.pairs_met

    def _blocks(self) -> Iterator[tuple[PositionBatch, BlockOrigin]]:
        """Yield the questions in blocks of one variant, in their order."""
        for chess960, questions in groupby(self._questions, key=lambda question: question.game.base.chess960):
            block = self._block(list(questions), chess960)
            yield from ((part, BlockOrigin(_line_of)) for part in self._parts(block, self._engine.block))

    def _block(self, questions: list[SweepCase], chess960: bool) -> PositionBatch:
        positions = [question.game.base for question in questions]
        block = known_block(
            positions,
            [question.depth for question in questions],
            chess960=chess960,
            castles_to_rook=self._engine.castles_to_rook(chess960),
        )
        words = [[event_bits(one) >> 64 * word & (1 << 64) - 1 for word in range(WORDS)] for one in positions]
        return replace(block, events=np.array(words, dtype=np.uint64))

    def _cover(self, block: PositionBatch, answered: int) -> None:
        super()._cover(block, answered)
        for index in range(answered):
            position = _line_of(block, index).base
            self._others.note_met(position, event_bits(position))


def _line_of(block: PositionBatch, index: int) -> Game:
    return Game(Position.from_fen(block.fen(index), block.chess960))
