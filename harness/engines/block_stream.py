"""The interface for pipelining: send blocks of positions to an engine, and compare its answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from .base import EngineError
from .call import EngineCall

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...generator.sampling.position_batch import PositionBatch
    from ..coverage.model import BlockCoverage


@dataclass(frozen=True)
class CollectedBlock:
    """The result of comparing the engine's answers about a block of positions."""

    sampled: PositionBatch
    doubtful: NDArray[np.int64]
    """Sorted indices of positions with unexpected answers, including the position at which the engine failed."""
    answered: int
    """Number of leading positions that were answered. After a failure, the others must be retried."""
    trouble: EngineError | None = None
    """The error that stopped the engine, if any."""
    coverage: BlockCoverage | None = None
    """Branches of the engine's code reached by this block, if coverage is measured."""
    failed: tuple[int, ...] = ()
    """Indices of the positions at which the engine crashed or hung and was restarted within the block."""


class BlockStream(Protocol):
    """Accepts blocks in `submit` and returns their results from `collect` in the same order."""

    def start(self, call: EngineCall) -> None:
        """Start the process, or restart it after an error and drop the submitted blocks. Raises EngineError."""

    def submit(self, sampled: PositionBatch) -> None:
        """Send the questions of a block, now or as soon as the pipe has room."""

    def collect(self) -> CollectedBlock:
        """Wait for the oldest submitted block, and return its result.

        Raises ValueError if no block was submitted.
        """

    @property
    def under_way(self) -> int:
        """Number of blocks that were submitted but not collected."""

    def interrupt(self) -> None:
        """Terminate the process from another thread; `collect` then reports an error."""

    def close(self) -> None:
        """Terminate the process and its descendants."""


@dataclass(frozen=True)
class OpenedStream:
    """An engine process for pipelining, and its properties."""

    stream: BlockStream
    castles_to_rook: dict[bool, bool]
    """Whether castling is written as king takes rook, for standard chess (False) and Chess960 (True)."""
    min_depth: int
    max_depth: int
