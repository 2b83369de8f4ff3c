"""A stream to a process whose coverage is measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from ....generator.drawing.drawn import Drawn
from ...coverage.tally import BlockCoverage
from ..call import EngineCall
from ..capabilities import AheadStream, Collected


class BlockCounters(Protocol):
    """Reads the counters of a process that is asked ahead."""

    def collect(self, drawn: Drawn) -> BlockCoverage:
        """Return what the answers about a block have reached that was not reached before."""

    def close(self) -> None:
        """Free what it holds."""


class CountedStream:
    """A stream to a process whose coverage is measured: each block comes back with what it was the first to reach."""

    def __init__(self, stream: AheadStream, counters: BlockCounters) -> None:
        """Take the stream, and what reads the counters of its process."""
        self._stream, self._counters = stream, counters

    def start(self, call: EngineCall) -> None:
        """Start the process, also anew. Raises EngineError."""
        self._stream.start(call)

    def submit(self, drawn: Drawn) -> None:
        """Ask about a block."""
        self._stream.submit(drawn)

    def collect(self) -> Collected:
        """Wait for the block that was submitted first. Raises ValueError where no block is under way."""
        collected = self._stream.collect()
        return replace(collected, coverage=self._counters.collect(collected.drawn))

    @property
    def under_way(self) -> int:
        """How many blocks have been submitted and not been collected."""
        return self._stream.under_way

    def interrupt(self) -> None:
        """End the process from another thread."""
        self._stream.interrupt()

    def close(self) -> None:
        """End the process."""
        self._stream.close()
        self._counters.close()
