"""Pipelining: send an engine process questions about many positions before it answers the first.

Unexpected answers are only reported as doubtful; the caller examines them.
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
"""The starting position of the games that are used to measure an engine's speed."""
SMALLEST_BLOCK, LARGEST_BLOCK = 8, 2_048
BLOCK_SECONDS = 0.02
"""Minimum time that a block should take, which determines the block size."""
LONG_SECONDS = 0.1
"""If the smallest block takes this long, the engine is measured only once, and asked only for depth 1."""
LARGEST_DEEP_BLOCK = 512
"""Maximum number of positions in a block with depths above 1, because it needs more time and memory."""
LONGEST_TOTAL = 0.5
"""Time in seconds that counting the largest totals may take."""
LEAST_BUDGET, MOST_BUDGET = 256, 65_536
STEP = 4
"""Factor between successive block sizes, and between budgets. It is large so that small differences in speed do not
affect the sampled positions.
"""
BLOCKS_BEFORE = 4
"""Number of blocks to keep, for doubtful answers that a single question does not reproduce."""


@dataclass(frozen=True)
class RetryOutcome:
    """The outcome of retrying blocks in a new process."""

    is_last_doubtful: bool
    """Whether the answer about the last position is doubtful again, or the process failed at that position or right
    after."""
    trouble: EngineError | None
    """The error of the process at any position, if any."""


class PipelinedSession:
    """An engine process for pipelining, with block sizes adapted to its speed.

    Methods that wait for the process raise Interrupted if the runner is stopped.
    """

    def __init__(
        self, engine: Engine, runner: CallRunner, seconds: float, *, chess960: bool, is_brief: bool = False
    ) -> None:
        """Start the process, and measure its speed.

        Args:
            engine: A started engine.
            runner: Makes the calls.
            seconds: Time limit of an answer.
            chess960: Whether there may be Chess960 positions.
            is_brief: Whether there are so few questions that measuring the speed is not worthwhile.

        Raises:
            CannotPipeline: If the engine does not support pipelining or fails the trial.
        """
        self._runner, self._seconds = runner, seconds
        self._ahead = partial(engine.open_pipeline, chess960=chess960)
        self._opened = self._open()
        self._is_usable = True
        self.asked: deque[PositionBatch] = deque(maxlen=BLOCKS_BEFORE)
        """The most recent blocks, up to the first unanswered position."""
        self.block = SMALLEST_BLOCK
        """Number of positions in a block."""
        self.budget = 0
        """Number of nodes that the engine counts in about the time of a question at depth 1, or 0 if this number is
        small."""
        self.block_nodes = 0
        """Number of nodes that the engine counts in about the time of a block at depth 1."""
        self.most_nodes = 0
        """Number of nodes that the engine counts in about `LONGEST_TOTAL` seconds."""
        self._measures_coverage = False
        try:
            if self.min_depth > 1:
                raise CannotPipeline(f"it does not count to a depth of less than {self.min_depth}")
            if not is_brief:
                self._measure_speed()
            if self._measures_coverage:  # branches reached by the measurement must still count as new in the run
                self.replace_process()
        except BaseException as error:
            self.close()
            if isinstance(error, EngineError):
                raise CannotPipeline(f"it fails a trial: {error}") from None
            raise

    @property
    def min_depth(self) -> int:
        """The smallest depth that the engine supports."""
        return self._opened.min_depth

    @property
    def max_depth(self) -> int:
        """The greatest depth that the engine supports."""
        return self._opened.max_depth

    @property
    def counts_deep(self) -> bool:
        """Whether the engine is asked for depths above 1."""
        return self.max_depth > 1

    @property
    def under_way(self) -> int:
        """Number of blocks that were submitted but not collected."""
        return self._stream.under_way

    def castles_to_rook(self, chess960: bool) -> bool:
        """Return True if the engine writes castling as king takes rook."""
        return self._opened.castles_to_rook[chess960]

    def get_ready(self) -> None:
        """Restart the process if it has failed, was stopped or has unanswered blocks. Raises EngineError."""
        if self._stream.under_way or not self._is_usable:
            self.restart()

    def restart(self) -> None:
        """Restart the process, and drop the submitted blocks. Raises EngineError."""
        self._runner.call(self._stream.start, self._seconds)
        self._is_usable = True
        self.asked.clear()

    def replace_process(self) -> None:
        """Replace the process with a new one that has no history. Raises CannotPipeline."""
        opened = self._open()
        self.close()
        self._opened = opened
        self._is_usable = True
        self.asked.clear()

    def submit(self, sampled: PositionBatch) -> None:
        """Send the questions of a block."""
        self._stream.submit(sampled)

    def collect(self) -> CollectedBlock:
        """Return the result of the oldest submitted block. If `trouble` is set, call `get_ready` next."""
        self._is_usable, collected = False, self._runner.call(self._collect)
        self._is_usable = collected.trouble is None
        sampled, answered = collected.sampled, collected.answered
        self.asked.append(sampled if self._is_usable else sampled.part(0, min(answered + 1, len(sampled))))
        return collected

    def withdraw(self) -> list[PositionBatch]:
        """Remove and return the submitted blocks, which a failed process will not answer."""
        return [self.collect().sampled for _ in range(self._stream.under_way)]

    def recover(self, rest: PositionBatch) -> None:
        """Restart the failed process, and resubmit the rest of the block and all later blocks.

        Raises EngineError.
        """
        waiting = [rest, *self.withdraw()]
        self.get_ready()
        for sampled in filter(len, waiting):
            self.submit(sampled)

    def retry(self, blocks: Sequence[PositionBatch]) -> RetryOutcome:
        """Retry blocks in a new process, and return the outcome for the last position. Raises EngineError."""
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
        """Terminate the process."""
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
        """Return the time for a block in seconds. Short times are the minimum of two measurements, to reduce noise."""
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
