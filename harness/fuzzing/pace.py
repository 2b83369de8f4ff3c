"""The pace of an engine that is asked ahead: how many positions, and how many nodes, make a block."""

from __future__ import annotations

import time

from ...generator.drawing.drawer import Drawer
from ...generator.drawing.drawn import Drawn
from ...generator.position import Position
from ..engines.asking.ahead import AheadClient
from ..engines.asking.runner import CallRunner
from ..engines.base import EngineError, NotAhead
from ..engines.engine import Engine

PACED = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
"""The base of the walks by which the pace of an engine is measured."""
SMALLEST_BLOCK, LARGEST_BLOCK = 8, 2_048
BLOCK_SECONDS = 0.02
"""Blocks have so many positions that the engine needs at least this long for one, unless that is the largest."""
LONG_SECONDS = 0.1
"""A time of the smallest block that a busy machine does not change much; an engine so slow counts none more deeply."""
LARGEST_DEEP_BLOCK = 512
"""The most positions of a block that is counted deeper than to depth 1: each costs more, and more memory."""
LONGEST_TOTAL = 0.5
"""An engine counts the largest totals in about so many seconds."""
LEAST_BUDGET, MOST_BUDGET = 256, 65_536
STEP = 4
"""Sizes and budgets are multiplied by it, so that small differences in speed do not change what is drawn."""


class PacedClient(AheadClient):
    """A process of an engine that is asked ahead at its own pace, which is measured first."""

    def __init__(
        self, engine: Engine, runner: CallRunner, seconds: float, *, chess960: bool, is_brief: bool = False
    ) -> None:
        """Start the process, and measure its pace; an answer may take so many seconds. Raises NotAhead.

        With `chess960` it will be asked about Chess960. Where it will be asked little, `is_brief`, the pace is not
        worth measuring.
        """
        super().__init__(engine, runner, seconds, chess960=chess960)
        self.block = SMALLEST_BLOCK
        """Positions of a block."""
        self.budget = 0
        """The nodes that the engine counts in about the time that a question costs; 0 where those are few."""
        self.block_nodes = 0
        """The nodes that it counts in about the time that a block of questions costs."""
        self.most_nodes = 0
        """The nodes that it counts in about `LONGEST_TOTAL` seconds."""
        self._measures_coverage = False
        try:
            if self.min_depth > 1:
                raise NotAhead(f"it does not count to a depth of less than {self.min_depth}")
            if not is_brief:
                self._measure_pace()
            # What its pace is measured by was not asked in the run, and is new in it.
            if self._measures_coverage and not self._stream.forget_coverage():
                self.replace_process()
        except BaseException as error:
            self.close()
            if isinstance(error, EngineError):
                raise NotAhead(f"it fails a trial: {error}") from None
            raise

    @property
    def counts_deep(self) -> bool:
        """Whether it counts deeper than to depth 1."""
        return self.max_depth > 1

    def _measure_pace(self) -> None:
        drawer = Drawer([PACED], 1, castles_to_rook=self.castles_to_rook(False))
        self._seconds_of(drawer.draw(self.block))  # at first much is loaded
        while (seconds := self._least_seconds(drawer, 0)) < BLOCK_SECONDS and self.block < LARGEST_BLOCK:
            self.block *= STEP
        budget = LEAST_BUDGET if self.counts_deep and seconds < LONG_SECONDS else MOST_BUDGET + 1
        while budget <= MOST_BUDGET and self._least_seconds(drawer, budget) < 2 * seconds:
            self.budget, budget = budget, budget * STEP
        self.block_nodes = min(self.block, LARGEST_DEEP_BLOCK) * self.budget
        self.most_nodes = int(self.block_nodes * LONGEST_TOTAL / seconds)

    def _least_seconds(self, drawer: Drawer, budget: int) -> float:
        """Return how long a block takes: if short, the shorter of two times, which a busy machine makes longer."""
        seconds = self._seconds_of(drawer.draw(self.block, budget))
        return seconds if seconds > LONG_SECONDS else min(seconds, self._seconds_of(drawer.draw(self.block, budget)))

    def _seconds_of(self, drawn: Drawn) -> float:
        self.get_ready()
        began = time.perf_counter()
        self.submit(drawn)
        collected = self.collect()
        self._measures_coverage = collected.coverage is not None
        return time.perf_counter() - began
