"""A library that is asked about one block after another, while the next ones wait."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from ..base import EngineError, EngineTimeout
from ..capabilities import Collected
from ..task import Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ....generator.drawing.drawn import Drawn


class AsksBlocks(Protocol):
    """An engine that is asked about all positions of a block at once."""

    def start(self, task: Task) -> None:
        """Get ready to answer. Raises EngineError."""

    def ask(self, questions: Drawn, task: Task) -> NDArray[np.int64]:
        """Return the positions whose answers are not as expected, in ascending order. Raises EngineError."""

    def close(self) -> None:
        """Free what the engine holds."""


class LibraryStream:
    """A library in a process of its own; see `ahead.AheadStream`. A block may take so many seconds."""

    def __init__(self, engine: AsksBlocks, seconds: float | None) -> None:
        """Take an engine that nobody else asks."""
        self._engine, self._seconds = engine, seconds
        self._waiting: deque[Drawn] = deque()
        self._task = Task()

    def start(self, task: Task) -> None:
        """Load the library, also anew. Raises EngineError."""
        self._engine.close()
        self._waiting.clear()
        self._engine.start(task)

    def submit(self, drawn: Drawn) -> None:
        """Have a block wait for its turn."""
        self._waiting.append(drawn)

    def collect(self) -> Collected:
        """Ask about the block that was submitted first, and return what has become of it."""
        if not self._waiting:
            raise ValueError("no block has been submitted")
        drawn, self._task = self._waiting.popleft(), Task(self._seconds)
        doubtful = self._engine.ask(drawn, self._task)
        trouble: EngineError | None = EngineTimeout("the library was stopped") if self._task.stopped else None
        return Collected(drawn, doubtful, 0 if trouble else len(drawn), trouble=trouble)

    @property
    def under_way(self) -> int:
        """How many blocks have been submitted and not been collected."""
        return len(self._waiting)

    def interrupt(self) -> None:
        """End the process from another thread."""
        self._task.stop()

    def close(self) -> None:
        """End the process."""
        self._engine.close()
