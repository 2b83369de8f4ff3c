"""Pipelining: a conversation in which many questions are sent before the first answer.

Reading and writing never wait for each other, so that an engine that stops reading or writing cannot block perft-check.
The number of unanswered questions is limited.
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
"""Maximum number of unanswered questions. A single block may contain more."""
NAP_SECONDS = 0.016
"""Time to let answers accumulate before reading them, because a read takes as long as many answers."""
WORTH_READING = 32_768
"""A read that returns at least this many bytes is repeated without delay."""


class Stream:
    """A pipelined engine. `submit` adds a block, and `collect` returns the results in the same order."""

    def __init__(
        self,
        name: str,
        protocol: StreamProtocol,
        markers: tuple[PositionBatch, PositionBatch],
        open_: Callable[[EngineCall], Conversation],
        limits: ProcessLimits,
        seconds: float,
    ) -> None:
        """Store the parameters.

        `markers` contain the engine's own answers. `open_` starts the engine. `seconds` is the time limit per answer.
        """
        self._name, self.protocol = name, protocol
        self._markers = tuple(Marker(protocol.questions(one), ExpectedAnswers(one, protocol)) for one in markers)
        self._open, self._limits = open_, limits
        self.seconds = seconds
        """Time limit for one answer."""
        self._reader = AnswerReader(protocol)
        self._conversation: Conversation | None = None
        self._counters: ProcessCounters | None = None
        """The source of the branch counters, if coverage is measured."""
        self._trouble: EngineError | None = None
        self._begin()

    def start(self, call: EngineCall) -> None:
        """Start or restart the process. Submitted blocks are dropped. Raises EngineError."""
        self._kill()
        self._begin()
        self.take_over(self._open(call))

    def take_over(self, conversation: Conversation) -> None:
        """Use a running process instead of starting one."""
        self._conversation = conversation
        conversation.process.widen_pipes()

    def submit(self, sampled: PositionBatch) -> None:
        """Queue a block, to be sent when the limit allows. Raises ValueError if the lengths of its arrays differ."""
        expected = ExpectedAnswers(sampled, self.protocol)
        # Markers alternate, because an engine may reject the first position of a block and count the last marker.
        self._submitted += 1
        self._waiting.append(StreamBlock(sampled, expected, self._markers[self._submitted % 2], self._reader))
        self._advance(0)

    def measure(self, counters: ProcessCounters) -> None:
        """Add newly covered branches to each result. The counters are closed with the stream."""
        self._counters = counters
        counters.begin()

    def collect(self) -> CollectedBlock:
        """Wait for the result of the oldest block, and return it. Raises ValueError if there is no block."""
        if not (self._waiting or self._asked or self._done):
            raise ValueError("no block has been submitted")
        self._last_answer_at = time.monotonic()
        while not self._done:
            self._advance(POLL_SECONDS)
        collected = self._done.popleft()
        if self._counters is None:
            return collected
        return replace(collected, coverage=self._counters.collect(collected.sampled))

    @property
    def under_way(self) -> int:
        """Number of blocks that were submitted but not collected."""
        return len(self._waiting) + len(self._asked) + len(self._done)

    def interrupt(self) -> None:
        """Kill the process from another thread; `collect` then reports an error."""
        if self._conversation is not None:
            self._conversation.process.interrupt()

    def close(self) -> None:
        """Kill the process and its descendants."""
        self._kill()
        if self._counters is not None:
            self._counters.close()

    def _kill(self) -> None:
        if self._conversation is not None:
            self._conversation.kill()
            self._conversation = None

    def _begin(self) -> None:
        self._waiting: deque[StreamBlock] = deque()
        self._asked: deque[StreamBlock] = deque()
        self._done: deque[CollectedBlock] = deque()
        self._submitted = 0
        self._to_write = self._rest = b""
        self._unanswered_bytes = 0
        self._last_answer_at = 0.0
        self._trouble = None

    def _advance(self, seconds: float) -> None:
        """Write and read as much as possible within `seconds`. After an error, all blocks are finished."""
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
        written, data = self._conversation.process.exchange(memoryview(self._to_write), seconds)
        self._to_write = self._to_write[written:]
        if data:
            self._unanswered_bytes += len(data)
            self._read(data)
            self._check_limits()
        if seconds and not self._done:
            self._check_deadline()
            if len(data) < WORTH_READING:
                time.sleep(NAP_SECONDS)

    def _ask_more(self, conversation: Conversation) -> None:
        """Send blocks up to the limit. A change of variant waits for all answers, as some engines apply it late."""
        ahead = sum(len(block.sampled) for block in self._asked)
        while self._waiting and not (ahead and ahead + len(self._waiting[0].sampled) > MOST_AHEAD):
            block = self._waiting[0]
            if self._asked and self._asked[-1].sampled.chess960 != block.sampled.chess960:
                return
            self._asked.append(self._waiting.popleft())
            ahead += len(block.sampled)
            lines = "".join(f"{line}\n" for line in conversation.lines_of_variant(block.sampled.chess960))
            self._to_write += lines.encode() + self.protocol.questions(block.sampled) + block.marker.question

    def _read(self, data: bytes) -> None:
        """Pass all complete lines to the blocks they belong to."""
        *complete, self._rest = (self._rest + data.replace(b"\r", b"\n")).split(b"\n")
        lines, at, before = list(filter(None, complete)), 0, self._progress()
        while self._asked:
            at = self._asked[0].read(lines, at)
            if not self._asked[0].is_closed:
                break
            self._done.append(self._asked.popleft().finish(None))
        if not self._asked:
            self._rest = b""  # it belongs to no question
        if self._progress() != before:
            self._last_answer_at, self._unanswered_bytes = time.monotonic(), 0

    def _progress(self) -> tuple[int, ...]:
        """Return a value that changes with each answer to a new question, but not with repeated answers."""
        return (len(self._asked), *(self._asked[0].progress if self._asked else ()))

    def _check_limits(self) -> None:
        what = self._limits.describe_excess(self._unanswered_bytes, len(self._rest))
        if what is not None:
            raise EngineFlood(f"{self._name} floods: {what}")

    def _check_deadline(self) -> None:
        if time.monotonic() - self._last_answer_at > self.seconds:
            raise overdue(self._name, "has not answered", self.seconds)
