"""An engine that is asked many questions before its first answer: blocks of positions go in and come back compared."""

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
    """What has become of a block."""

    sampled: PositionBatch
    doubtful: NDArray[np.int64]
    """The positions whose answers did not agree, and the one that was next when the engine failed, ascending."""
    answered: int
    """How many positions, from the first on, were answered. After a failure the others have to be asked again."""
    strays: int = 0
    """How many answers were about another position than the one whose turn it was: they were missing or came twice."""
    trouble: EngineError | None = None
    """Why the engine gives no more answers, if it does not."""
    coverage: BlockCoverage | None = None
    """What the answers have reached in the code of the engine, if that is measured."""
    failed: tuple[int, ...] = ()
    """The positions at which the engine has crashed or hung, after which it was restarted within the block."""


class BlockStream(Protocol):
    """Blocks go in by `submit` and come back by `collect` in the same order."""

    def start(self, call: EngineCall) -> None:
        """Start the process, or restart it after trouble; submitted blocks are dropped. Raises EngineError."""

    def submit(self, sampled: PositionBatch) -> None:
        """Ask about a block, now or as soon as there is room."""

    def collect(self) -> CollectedBlock:
        """Wait for the block that was submitted first, and return what has become of it.

        Raises ValueError if no block is under way.
        """

    @property
    def under_way(self) -> int:
        """How many blocks have been submitted and not been collected."""

    def forget_coverage(self) -> bool:
        """Have what was reached until now count as new again; return True if that needs no other process."""

    def interrupt(self) -> None:
        """End the process from another thread; `collect` then reports trouble."""

    def close(self) -> None:
        """End the process and whatever it has started."""


@dataclass(frozen=True)
class OpenedStream:
    """A process of an engine that is asked ahead, and how it is asked."""

    stream: BlockStream
    castles_to_rook: dict[bool, bool]
    """Whether it writes castling as king takes rook, by whether the position is one of Chess960."""
    min_depth: int
    max_depth: int
