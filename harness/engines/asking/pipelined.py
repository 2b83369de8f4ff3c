"""Ask an engine ahead: another process of it gets the questions of many positions before its first answer.

An answer that differs from the right one is not yet a fault here: it is a doubt, which the caller looks into.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ....generator.position import Position
from ....generator.sampling.position_batch import PositionBatch
from ....generator.sampling.sampler import PositionSampler
from ..base import CannotPipeline, EngineError
from ..block_stream import BlockStream, CollectedBlock, OpenedStream
from ..call import EngineCall
from ..engine import Engine
from .runner import CallRunner

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
BLOCKS_BEFORE = 4
"""How many blocks a process remembers, for doubtful answers that a question alone does not reproduce."""


@dataclass(frozen=True)
class RetryOutcome:
    """What a new process has made of blocks that another one was asked about before."""

    is_last_doubtful: bool
    """Whether its answer about the last position is a doubt, too, or it fails there or right behind it."""
    trouble: EngineError | None
    """What it failed with, wherever that was."""


class PipelinedSession:
    """One process of an engine that is asked many questions before it answers, at its own pace.

    Raises Interrupted if its runner is stopped.
    """

    def __init__(
        self, engine: Engine, runner: CallRunner, seconds: float, *, chess960: bool, is_brief: bool = False
    ) -> None:
        """Start the process, and measure its pace; an answer may take so many seconds. Raises CannotPipeline.

        With `chess960` it will be asked about Chess960. Where it will be asked little, `is_brief`, the pace is not
        worth measuring.
        """
        self._runner, self._seconds = runner, seconds
        self._ahead = partial(engine.open_pipeline, chess960=chess960)
        self._opened = self._open()
        self._is_usable = True
        self.asked: deque[PositionBatch] = deque(maxlen=BLOCKS_BEFORE)
        """The latest blocks that the process was asked about, as far as it has answered, and one position more."""
        self.block = SMALLEST_BLOCK
        """Positions of a block."""
        self.budget = 0
        """The nodes that the engine counts in about the time that a question costs; 0 if those are few."""
        self.block_nodes = 0
        """The nodes that it counts in about the time that a block of questions costs."""
        self.most_nodes = 0
        """The nodes that it counts in about `LONGEST_TOTAL` seconds."""
        self._measures_coverage = False
        try:
            if self.min_depth > 1:
                raise CannotPipeline(f"it does not count to a depth of less than {self.min_depth}")
            if not is_brief:
                self._measure_pace()
            # What its pace is measured by was not asked in the run, and is new in it.
            if self._measures_coverage and not self._stream.forget_coverage():
                self.replace_process()
        except BaseException as error:
            self.close()
            if isinstance(error, EngineError):
                raise CannotPipeline(f"it fails a trial: {error}") from None
            raise

    @property
    def min_depth(self) -> int:
        """The least depth that it counts."""
        return self._opened.min_depth

    @property
    def max_depth(self) -> int:
        """The deepest that it counts."""
        return self._opened.max_depth

    @property
    def counts_deep(self) -> bool:
        """Whether it counts deeper than to depth 1."""
        return self.max_depth > 1

    @property
    def under_way(self) -> int:
        """How many blocks it was asked about that have not been collected."""
        return self._stream.under_way

    def castles_to_rook(self, chess960: bool) -> bool:
        """Return True if it writes castling as king takes rook."""
        return self._opened.castles_to_rook[chess960]

    def get_ready(self) -> None:
        """Restart the process if it has failed or was stopped, or if blocks are under way. Raises EngineError."""
        if self._stream.under_way or not self._is_usable:
            self.restart()

    def restart(self) -> None:
        """Restart the process; blocks that were submitted are dropped. Raises EngineError."""
        self._runner.call(self._stream.start, self._seconds)
        self._is_usable = True
        self.asked.clear()

    def replace_process(self) -> None:
        """Replace the process by a new one, which was not asked anything yet. Raises CannotPipeline."""
        opened = self._open()
        self.close()
        self._opened = opened
        self._is_usable = True
        self.asked.clear()

    def submit(self, sampled: PositionBatch) -> None:
        """Ask about a block."""
        self._stream.submit(sampled)

    def collect(self) -> CollectedBlock:
        """Return what has become of the block that was submitted first. After trouble, get ready again."""
        self._is_usable, collected = False, self._runner.call(self._collect)
        self._is_usable = collected.trouble is None
        sampled, answered = collected.sampled, collected.answered
        self.asked.append(sampled if self._is_usable else sampled.part(0, min(answered + 1, len(sampled))))
        return collected

    def withdraw(self) -> list[PositionBatch]:
        """Return the blocks that are under way after trouble: the process says nothing about them any more."""
        return [self.collect().sampled for _ in range(self._stream.under_way)]

    def recover(self, rest: PositionBatch) -> None:
        """After trouble, start the process anew, and submit the rest of the block and what waits behind it.

        Raises EngineError.
        """
        waiting = [rest, *self.withdraw()]
        self.get_ready()
        for sampled in filter(len, waiting):
            self.submit(sampled)

    def retry(self, blocks: Sequence[PositionBatch]) -> RetryOutcome:
        """Ask a new process about blocks; return what it answers about their last position. Raises EngineError."""
        self.restart()
        for sampled in blocks:
            self.submit(sampled)
        last = len(blocks[-1]) - 1
        for number, _ in enumerate(blocks, 1):
            collected = self.collect()
            if collected.trouble is not None:
                is_last = number == len(blocks) and collected.answered >= last
                return RetryOutcome(is_last, collected.trouble)
        return RetryOutcome(last in collected.doubtful, None)

    def close(self) -> None:
        """End the process."""
        self._stream.close()

    def _measure_pace(self) -> None:
        sampler = PositionSampler([PACED], 1, castles_to_rook=self.castles_to_rook(False))
        self._seconds_of(sampler.sample(self.block))  # at first much is loaded
        while (seconds := self._least_seconds(sampler, 0)) < BLOCK_SECONDS and self.block < LARGEST_BLOCK:
            self.block *= STEP
        budget = LEAST_BUDGET if self.counts_deep and seconds < LONG_SECONDS else MOST_BUDGET + 1
        while budget <= MOST_BUDGET and self._least_seconds(sampler, budget) < 2 * seconds:
            self.budget, budget = budget, budget * STEP
        self.block_nodes = min(self.block, LARGEST_DEEP_BLOCK) * self.budget
        self.most_nodes = int(self.block_nodes * LONGEST_TOTAL / seconds)

    def _least_seconds(self, sampler: PositionSampler, budget: int) -> float:
        """Return how long a block takes: if short, the shorter of two times, which a busy machine makes longer."""
        seconds = self._seconds_of(sampler.sample(self.block, budget))
        return seconds if seconds > LONG_SECONDS else min(seconds, self._seconds_of(sampler.sample(self.block, budget)))

    def _seconds_of(self, sampled: PositionBatch) -> float:
        self.get_ready()
        began = time.perf_counter()
        self.submit(sampled)
        collected = self.collect()
        self._measures_coverage = collected.coverage is not None
        return time.perf_counter() - began

    @property
    def _stream(self) -> BlockStream:
        return self._opened.stream

    def _open(self) -> OpenedStream:
        try:
            return self._runner.call(self._ahead, self._seconds)
        except EngineError as error:
            raise CannotPipeline(f"it fails a trial: {error}") from None

    def _collect(self, call: EngineCall) -> CollectedBlock:
        call.on_stop(self._stream.interrupt)
        return self._stream.collect()
