"""Pipelining: a process of an engine is sent the questions of many positions before its first answer.

An answer that differs from the expected one is only reported as doubtful; the caller examines it.
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
"""The position from which positions are sampled to measure the speed of an engine."""
SMALLEST_BLOCK, LARGEST_BLOCK = 8, 2_048
BLOCK_SECONDS = 0.02
"""The size of blocks is chosen so that the engine needs at least this time for one."""
LONG_SECONDS = 0.1
"""An engine that needs this time for the smallest block is not asked for greater depths. One measurement is enough."""
LARGEST_DEEP_BLOCK = 512
"""The most positions of a block with depths above 1, which need more time and memory."""
LONGEST_TOTAL = 0.5
"""The time in which an engine counts the largest totals, in seconds."""
LEAST_BUDGET, MOST_BUDGET = 256, 65_536
STEP = 4
"""The factor between sizes and between budgets. It is large so that small differences in speed do not change which
positions are sampled.
"""
BLOCKS_BEFORE = 4
"""The number of blocks that are remembered, for doubtful answers that one question alone does not reproduce."""


@dataclass(frozen=True)
class RetryOutcome:
    """The answers of a new process to blocks that another process was asked about."""

    is_last_doubtful: bool
    """Whether the answer about the last position is doubtful again, or the process failed there or right after it."""
    trouble: EngineError | None
    """The error of the process, at any position."""


class PipelinedSession:
    """A process of an engine for pipelining, with block sizes that suit its speed.

    All methods that wait for the process raise Interrupted if the runner is stopped.
    """

    def __init__(
        self, engine: Engine, runner: CallRunner, seconds: float, *, chess960: bool, is_brief: bool = False
    ) -> None:
        """Start the process and measure its speed.

        Args:
            engine: An engine that has been started.
            runner: Makes the calls.
            seconds: Time limit of an answer.
            chess960: Whether there will be positions of Chess960.
            is_brief: Whether there will be so few questions that measuring the speed is not worthwhile.

        Raises:
            CannotPipeline: If the engine does not support it or fails a trial.
        """
        self._runner, self._seconds = runner, seconds
        self._ahead = partial(engine.open_pipeline, chess960=chess960)
        self._opened = self._open()
        self._is_usable = True
        self.asked: deque[PositionBatch] = deque(maxlen=BLOCKS_BEFORE)
        """The last blocks that the process was asked about, up to the first position without an answer."""
        self.block = SMALLEST_BLOCK
        """The number of positions in a block."""
        self.budget = 0
        """The number of nodes that the engine counts in about the time of a question at depth 1; 0 if it is small."""
        self.block_nodes = 0
        """The number of nodes that the engine counts in about the time of a block at depth 1."""
        self.most_nodes = 0
        """The number of nodes that the engine counts in about `LONGEST_TOTAL` seconds."""
        self._measures_coverage = False
        try:
            if self.min_depth > 1:
                raise CannotPipeline(f"it does not count to a depth of less than {self.min_depth}")
            if not is_brief:
                self._measure_speed()
            # The measurement is not part of the run: branches that it has reached have to count as new.
            if self._measures_coverage and not self._stream.forget_coverage():
                self.replace_process()
        except BaseException as error:
            self.close()
            if isinstance(error, EngineError):
                raise CannotPipeline(f"it fails a trial: {error}") from None
            raise

    @property
    def min_depth(self) -> int:
        """The smallest depth to which the engine counts."""
        return self._opened.min_depth

    @property
    def max_depth(self) -> int:
        """The greatest depth to which the engine counts."""
        return self._opened.max_depth

    @property
    def counts_deep(self) -> bool:
        """Whether the engine counts to depths above 1."""
        return self.max_depth > 1

    @property
    def under_way(self) -> int:
        """The number of blocks that were submitted and not collected."""
        return self._stream.under_way

    def castles_to_rook(self, chess960: bool) -> bool:
        """Return True if the engine writes castling as king takes rook."""
        return self._opened.castles_to_rook[chess960]

    def get_ready(self) -> None:
        """Restart the process if it has failed, was stopped or has blocks to answer. Raises EngineError."""
        if self._stream.under_way or not self._is_usable:
            self.restart()

    def restart(self) -> None:
        """Restart the process and drop the submitted blocks. Raises EngineError."""
        self._runner.call(self._stream.start, self._seconds)
        self._is_usable = True
        self.asked.clear()

    def replace_process(self) -> None:
        """Replace the process by a new one without a history. Raises CannotPipeline."""
        opened = self._open()
        self.close()
        self._opened = opened
        self._is_usable = True
        self.asked.clear()

    def submit(self, sampled: PositionBatch) -> None:
        """Send the questions of a block."""
        self._stream.submit(sampled)

    def collect(self) -> CollectedBlock:
        """Return the outcome of the block that was submitted first. If it contains trouble, call `get_ready`."""
        self._is_usable, collected = False, self._runner.call(self._collect)
        self._is_usable = collected.trouble is None
        sampled, answered = collected.sampled, collected.answered
        self.asked.append(sampled if self._is_usable else sampled.part(0, min(answered + 1, len(sampled))))
        return collected

    def withdraw(self) -> list[PositionBatch]:
        """Return the submitted blocks that a process in trouble will not answer."""
        return [self.collect().sampled for _ in range(self._stream.under_way)]

    def recover(self, rest: PositionBatch) -> None:
        """After trouble, restart the process, and submit the rest of the block and the blocks after it again.

        Raises EngineError.
        """
        waiting = [rest, *self.withdraw()]
        self.get_ready()
        for sampled in filter(len, waiting):
            self.submit(sampled)

    def retry(self, blocks: Sequence[PositionBatch]) -> RetryOutcome:
        """Ask a new process about blocks, and return the outcome for the last position. Raises EngineError."""
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

    def _measure_speed(self) -> None:
        sampler = PositionSampler([PACED], 1, castles_to_rook=self.castles_to_rook(False))
        self._seconds_of(sampler.sample(self.block))  # the first answers take longer
        while (seconds := self._least_seconds(sampler, 0)) < BLOCK_SECONDS and self.block < LARGEST_BLOCK:
            self.block *= STEP
        budget = LEAST_BUDGET if self.counts_deep and seconds < LONG_SECONDS else MOST_BUDGET + 1
        while budget <= MOST_BUDGET and self._least_seconds(sampler, budget) < 2 * seconds:
            self.budget, budget = budget, budget * STEP
        self.block_nodes = min(self.block, LARGEST_DEEP_BLOCK) * self.budget
        self.most_nodes = int(self.block_nodes * LONGEST_TOTAL / seconds)

    def _least_seconds(self, sampler: PositionSampler, budget: int) -> float:
        """Return the time of a block in seconds: the lesser of two if it is short, as other programs disturb it."""
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
