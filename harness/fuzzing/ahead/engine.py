"""An engine that is asked ahead, as the batches use it: started anew after trouble, and asked at its own pace."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from ....generator.drawing.drawer import Drawer
from ....generator.drawing.drawn import Drawn
from ....generator.position import Position
from ...asking.client import CallRunner
from ...engines.base import EngineError
from ...engines.capabilities import AsksAhead, Collected, NotAhead, Opened
from ...engines.task import Task

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


def _opened(engine: AsksAhead, caller: CallRunner, seconds: float, chess960: bool) -> Opened:
    """Return a process of the engine. Raises NotAhead."""
    try:
        opened = caller.call(partial(engine.ahead, chess960=chess960), seconds)
    except EngineError as error:
        raise NotAhead(f"it fails a trial: {error}") from None
    if opened.min_depth > 1:
        opened.stream.close()
        raise NotAhead(f"it does not count to a depth of less than {opened.min_depth}")
    return opened


class AheadEngine:
    """One process of an engine that is asked ahead. Raises Interrupted where its caller is stopped."""

    def __init__(self, engine: AsksAhead, caller: CallRunner, seconds: float, *, chess960: bool) -> None:
        """Start the process, and measure its pace; an answer may take so many seconds. Raises NotAhead.

        With `chess960` it will be asked about Chess960.
        """
        self._caller, self._seconds = caller, seconds
        self._opened = _opened(engine, caller, seconds, chess960)
        self._stream = self._opened.stream
        self._is_usable = True
        self.block = SMALLEST_BLOCK
        """Positions of a block."""
        self.budget = 0
        """The nodes that the engine counts in about the time that a question costs; 0 where those are few."""
        self.block_nodes = 0
        """The nodes that it counts in about the time that a block of questions costs."""
        self.most_nodes = 0
        """The nodes that it counts in about `LONGEST_TOTAL` seconds."""
        try:
            self._measure_pace()
        except BaseException as error:
            self.close()
            if isinstance(error, EngineError):
                raise NotAhead(f"it fails a trial: {error}") from None
            raise

    @property
    def max_depth(self) -> int:
        """The deepest that it counts."""
        return self._opened.max_depth

    @property
    def counts_deep(self) -> bool:
        """Whether it counts deeper than to depth 1."""
        return self._opened.max_depth > 1

    def castles_to_rook(self, chess960: bool) -> bool:
        """Tell whether it writes castling as king takes rook."""
        return self._opened.castles_to_rook[chess960]

    def get_ready(self) -> None:
        """Start the process anew where it has failed or was stopped, or a batch was left. Raises EngineError."""
        if self._stream.under_way or not self._is_usable:
            self._caller.call(self._stream.start, self._seconds)
            self._is_usable = True

    def recover(self, rest: Drawn) -> None:
        """After trouble, start the process anew, and submit the rest of the block and what waits behind it.

        Raises EngineError.
        """
        waiting = [rest, *(self.collect().drawn for _ in range(self._stream.under_way))]
        self.get_ready()
        for drawn in filter(len, waiting):
            self.submit(drawn)

    def doubts_last(self, asked: Sequence[Drawn]) -> bool:
        """Tell whether a new process that is asked about these blocks leaves a doubt about the last position.

        It does where it fails there, or right behind it.
        """
        self._is_usable = False
        self.get_ready()
        for drawn in asked:
            self.submit(drawn)
        for _ in asked:
            collected = self.collect()
            if collected.trouble is not None:
                return collected.drawn is asked[-1] and collected.answered >= len(asked[-1]) - 1
        return len(asked[-1]) - 1 in collected.doubtful

    def submit(self, drawn: Drawn) -> None:
        """Ask about a block."""
        self._stream.submit(drawn)

    def collect(self) -> Collected:
        """Return what has become of the block that was submitted first. After trouble, get ready again."""
        self._is_usable, collected = False, self._caller.call(self._collect)
        self._is_usable = collected.trouble is None
        return collected

    def close(self) -> None:
        """End the process."""
        self._stream.close()

    def _collect(self, task: Task) -> Collected:
        task.on_stop(self._stream.interrupt)
        return self._stream.collect()

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
        self.collect()
        return time.perf_counter() - began
