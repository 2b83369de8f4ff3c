"""A conversation in which many questions are asked before the first is answered.

Questions and answers pass through pipes that are never waited for alone: whichever can go on, goes on. So an engine
that stops reading, or stops writing, cannot block us. What is asked ahead is bounded.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from .....generator.sampling.position_batch import PositionBatch
from ....coverage.counters import ProcessCounters
from ....shutdown import POLL_SECONDS
from ...base import EngineError, EngineFlood, overdue
from ...block_stream import CollectedBlock
from ...call import EngineCall
from ..conversation import Conversation
from ..process import ProcessLimits
from .block import AnswerReader, ExpectedAnswers, Marker, StreamBlock, StreamProtocol

MOST_AHEAD = 4_096
"""Questions that are asked ahead, if they are not all of one block."""
NAP_SECONDS = 0.016
"""How long answers gather before they are read: each reading costs as much as many answers. Two blocks are longer."""
WORTH_READING = 32_768
"""Bytes after which there is no nap."""


class Stream:
    """An engine that is asked ahead: blocks go in by `submit` and come back by `collect` in the same order."""

    def __init__(
        self,
        name: str,
        protocol: StreamProtocol,
        markers: tuple[PositionBatch, PositionBatch],
        open_: Callable[[EngineCall], Conversation],
        limits: ProcessLimits,
        seconds: float,
    ) -> None:
        """Take the engine's name, how it is asked, two markers with its own answers, what starts it, its limits, and
        how long one answer may take.
        """
        self._name, self.protocol = name, protocol
        self._markers = tuple(Marker(protocol.questions(one), ExpectedAnswers(one, protocol)) for one in markers)
        self._open, self._limits = open_, limits
        self.seconds = seconds
        """How long one answer may take."""
        self._reader = AnswerReader(protocol)
        self._conversation: Conversation | None = None
        self._counters: ProcessCounters | None = None
        """What reads its coverage, if that is measured."""
        self._trouble: EngineError | None = None
        self._begin()

    def start(self, call: EngineCall) -> None:
        """Start the process, also anew after trouble; whatever was submitted is forgotten. Raises EngineError."""
        self._kill()
        self._begin()
        self.take_over(self._open(call))

    def take_over(self, conversation: Conversation) -> None:
        """Go on with a process that has been asked one question at a time, in place of starting one."""
        self._conversation = conversation
        conversation.process.widen_pipes()

    def submit(self, sampled: PositionBatch) -> None:
        """Ask about a block, now or as soon as there is room. Raises ValueError if its arrays do not fit."""
        expected = ExpectedAnswers(sampled, self.protocol)
        # One marker after the other: an engine that refuses the first position of a block counts the marker before it.
        self._submitted += 1
        self._waiting.append(StreamBlock(sampled, expected, self._markers[self._submitted % 2], self._reader))
        self._go_on(0)

    def measure(self, counters: ProcessCounters) -> None:
        """Have each block come back with what it was the first to reach; the counters are closed with the stream."""
        self._counters = counters
        counters.begin()

    def collect(self) -> CollectedBlock:
        """Wait for the block that was submitted first, and return what has become of it.

        Raises ValueError if no block is under way.
        """
        if not (self._waiting or self._asked or self._done):
            raise ValueError("no block has been submitted")
        self._heard = time.monotonic()
        while not self._done:
            self._go_on(POLL_SECONDS)
        collected = self._done.popleft()
        if self._counters is None:
            return collected
        return replace(collected, coverage=self._counters.collect(collected.sampled))

    @property
    def under_way(self) -> int:
        """How many blocks have been submitted and not been collected."""
        return len(self._waiting) + len(self._asked) + len(self._done)

    def forget_coverage(self) -> bool:
        """Have what was reached until now count as new again; return True if that needs no other process."""
        return self._counters is None or self._counters.forget()

    def interrupt(self) -> None:
        """End the process from another thread; `collect` then tells of trouble."""
        if self._conversation is not None:
            self._conversation.process.interrupt()

    def close(self) -> None:
        """End the process and whatever it has started."""
        self._kill()
        if self._counters is not None:
            self._counters.close()

    def _kill(self) -> None:
        if self._conversation is not None:
            self._conversation.kill()
            self._conversation = None

    def _begin(self) -> None:
        """Forget what was submitted and heard."""
        self._waiting: deque[StreamBlock] = deque()
        self._asked: deque[StreamBlock] = deque()
        self._done: deque[CollectedBlock] = deque()
        self._submitted = 0
        self._to_tell = self._rest = b""
        self._unanswered_bytes = 0
        self._heard = 0.0
        self._trouble = None

    def _go_on(self, seconds: float) -> None:
        """Write and read what is possible, within so many seconds; after trouble everything is done."""
        if self._trouble is None:
            try:
                self._exchange(seconds)
            except EngineError as error:
                self._trouble = error
                self._kill()
        if self._trouble is not None:
            self._done.extend(block.finish(self._trouble, place == 0) for place, block in enumerate(self._asked))
            self._done.extend(block.finish(self._trouble, False) for block in self._waiting)
            self._asked.clear()
            self._waiting.clear()

    def _exchange(self, seconds: float) -> None:
        assert self._conversation is not None, "started"
        self._ask_more(self._conversation)
        written, data = self._conversation.process.exchange(memoryview(self._to_tell), seconds)
        self._to_tell = self._to_tell[written:]
        if data:
            self._unanswered_bytes += len(data)
            self._read(data)
            self._keep_limits()
        if seconds and not self._done:
            self._keep_deadline()
            if len(data) < WORTH_READING:
                time.sleep(NAP_SECONDS)

    def _ask_more(self, conversation: Conversation) -> None:
        """Take blocks as long as there is room. The variant changes where nothing is under way: some read it late."""
        ahead = sum(len(block.sampled) for block in self._asked)
        while self._waiting and not (ahead and ahead + len(self._waiting[0].sampled) > MOST_AHEAD):
            block = self._waiting[0]
            if self._asked and self._asked[-1].sampled.chess960 != block.sampled.chess960:
                return
            self._asked.append(self._waiting.popleft())
            ahead += len(block.sampled)
            lines = "".join(f"{line}\n" for line in conversation.lines_of_variant(block.sampled.chess960))
            self._to_tell += lines.encode() + self.protocol.questions(block.sampled) + block.marker.question

    def _read(self, data: bytes) -> None:
        """Have all whole lines read, each by the block that it belongs to."""
        *whole, self._rest = (self._rest + data.replace(b"\r", b"\n")).split(b"\n")
        lines, at, before = list(filter(None, whole)), 0, self._progress()
        while self._asked:
            at = self._asked[0].read(lines, at)
            if not self._asked[0].is_closed:
                break
            self._done.append(self._asked.popleft().finish(None))
        if not self._asked:
            self._rest = b""  # nobody has asked for it
        if self._progress() != before:
            self._heard, self._unanswered_bytes = time.monotonic(), 0

    def _progress(self) -> tuple[int, ...]:
        """Return what changes with each answer to a question, not with one that is given again."""
        return (len(self._asked), *(self._asked[0].progress if self._asked else ()))

    def _keep_limits(self) -> None:
        """Raise EngineFlood where an answer is too long."""
        what = self._limits.describe_excess(self._unanswered_bytes, len(self._rest))
        if what is not None:
            raise EngineFlood(f"{self._name} floods: {what}")

    def _keep_deadline(self) -> None:
        """Raise EngineTimeout where an answer is too late."""
        if time.monotonic() - self._heard > self.seconds:
            raise overdue(self._name, "has not answered", self.seconds)
