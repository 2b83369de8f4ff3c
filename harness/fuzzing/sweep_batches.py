"""Batches of the sweep: one case at a time, or pipelined if the engine and the case allow it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import numpy as np

from ...generator.events import event_bits
from ...generator.game import Game
from ...generator.position import Position
from ...generator.sampling.position_batch import WORDS, PositionBatch, batch_with_answers
from ...strategies.common import smallest_positions
from ..engines.asking.pipelined import PipelinedSession
from ..model.results.verdict import Verdict
from .batch import Batch, BatchContext, BatchResult
from .block_batch import BlockBatch, BlockOrigin
from .examining import SLOW
from .model import SWEEP
from .plan import SweepCase


class SweepBatch(Batch):
    """Examines the cases of a batch one at a time, each to the depth it specifies."""

    def __init__(self, context: BatchContext, result: BatchResult | None = None, *, is_quick: bool = False) -> None:
        """Create a batch; `is_quick` leaves out the checks that ask many questions."""
        super().__init__(context, SWEEP, result)
        self._is_quick = is_quick

    def run(self) -> None:
        """Examine all cases. Raises Interrupted; `result` then holds the results so far."""
        for case in self._assignment.sweep_cases:
            if self._is_over:
                return
            self._examine(case)

    def _examine(self, case: SweepCase) -> None:
        found = self._examine_game(case.game, case.depth, is_exact=True, is_quick=self._is_quick)
        self.result.strategies[SWEEP] += 1
        self._count_events_in(event_bits(case.game.position))
        self._note(found, case.depth)
        self._note_timeout(any(discrepancy.verdict is Verdict.TIMEOUT for discrepancy in found))


class PipelinedSweepBatch(BlockBatch):
    """Sends the plain cases of a batch in blocks, and then examines the others one at a time."""

    def __init__(self, context: BatchContext, engine: PipelinedSession) -> None:
        super().__init__(context, engine, SWEEP)
        cases = context.assignment.sweep_cases
        self._cases = [case for case in cases if case.is_plain and case.depth <= engine.max_depth]
        others = tuple(case for case in cases if case not in self._cases)
        self._others = SweepBatch(
            replace(context, assignment=replace(context.assignment, sweep_cases=others)), self.result, is_quick=True
        )

    def run(self) -> None:
        """Examine all cases. Raises Interrupted; `result` then holds the results so far."""
        super().run()
        self._others.run()
        for check in SLOW:
            if check in self._examiner.checks and not self._assignment.first:
                self._examine_events(check)

    def _examine_events(self, check: str) -> None:
        """Run a check that cannot be pipelined on the smallest position of each rare event."""
        variants = self._plan.variants
        for game in [Game(one) for one in smallest_positions().values() if one.chess960 in variants]:
            if self._is_over:
                return
            self._note(self._examine_game(game, 1, only=check), 1)

    def _blocks(self) -> Iterator[tuple[PositionBatch, BlockOrigin]]:
        """Yield the plain cases in order, in blocks of one variant."""
        for chess960, cases in groupby(self._cases, key=lambda case: case.game.base.chess960):
            block = self._block(list(cases), chess960)
            yield from ((chunk, BlockOrigin(_game_of)) for chunk in self._chunks(block, self._engine.block))

    def _block(self, cases: list[SweepCase], chess960: bool) -> PositionBatch:
        positions = [case.game.base for case in cases]
        block = batch_with_answers(
            positions,
            [case.depth for case in cases],
            chess960=chess960,
            castles_to_rook=self._engine.castles_to_rook(chess960),
        )
        words = [[event_bits(one) >> 64 * word & (1 << 64) - 1 for word in range(WORDS)] for one in positions]
        return replace(block, events=np.array(words, dtype=np.uint64))


def _game_of(block: PositionBatch, index: int) -> Game:
    return Game(Position.from_fen(block.fen(index), block.chess960))
