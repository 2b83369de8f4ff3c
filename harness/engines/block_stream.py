"""The interface of pipelines: blocks of positions are sent to an engine and come back with its answers compared."""

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
    """A block of positions with the outcome of their comparison."""

    sampled: PositionBatch
    doubtful: NDArray[np.int64]
    """Indices of the positions whose answers differed, and of the next one when the engine failed, in order."""
    answered: int
    """The number of positions, from the first on, that were answered. After a failure the others must be retried."""
    strays: int = 0
    """The number of answers that belong to another position than expected: answers were missing or repeated."""
    trouble: EngineError | None = None
    """Why the engine does not answer any more, if it does not."""
    coverage: BlockCoverage | None = None
    """The branches of the engine's code that the answers have reached, if coverage is measured."""
    failed: tuple[int, ...] = ()
    """Indices of the positions at which the engine crashed or hung and was restarted within the block."""


class BlockStream(Protocol):
    """Takes blocks with `submit`, and returns them from `collect` in the same order."""

    def start(self, call: EngineCall) -> None:
        """Start the process, or restart it after trouble and drop the submitted blocks. Raises EngineError."""

    def submit(self, sampled: PositionBatch) -> None:
        """Send the questions of a block, now or as soon as the pipe has room."""

    def collect(self) -> CollectedBlock:
        """Wait for the block that was submitted first, and return its outcome.

        Raises ValueError if no block was submitted.
        """

    @property
    def under_way(self) -> int:
        """The number of blocks that were submitted and not collected."""

    def forget_coverage(self) -> bool:
        """Make branches that were reached count as new again; return False if that needs a new process."""

    def interrupt(self) -> None:
        """End the process from another thread; `collect` then reports trouble."""

    def close(self) -> None:
        """End the process and all processes that it has started."""


@dataclass(frozen=True)
class OpenedStream:
    """A process of an engine for pipelining, and its properties."""

    stream: BlockStream
    castles_to_rook: dict[bool, bool]
    """Whether castling is written as king takes rook, for standard chess (False) and Chess960 (True)."""
    min_depth: int
    max_depth: int
