"""The one protocol behind which every engine stands, and the ways in which an engine can fail."""

from __future__ import annotations

from typing import Protocol

from ...generator.position import Position
from ..task import Task
from ..verdict import Verdict


class EngineError(Exception):
    """An engine gave no answer; the message says why, `verdict` of which kind the failure is."""

    verdict = Verdict.CRASH


class EngineCrash(EngineError):
    """The engine died."""


class EngineRejection(EngineError):
    """The engine refused the position."""

    verdict = Verdict.REJECTED


class EngineTimeout(EngineError):
    """The engine gave no answer in time."""

    verdict = Verdict.TIMEOUT


class EngineGarbage(EngineError):
    """The engine answered something that is no count."""

    verdict = Verdict.UNPARSEABLE


class Engine(Protocol):
    """Whoever can count a position.

    Calls come from one worker thread at a time. A long call looks at `task.stopped` now and then
    and returns early, with any result, once it is set; it keeps `task.nodes` up to date if it can.
    """

    @property
    def name(self) -> str:
        """The name that reports show: what the user wrote, such as "own:turbo"."""

    def notice(self) -> str | None:
        """Return a line that says what `start` is going to wait for, if it takes long, else None."""

    def start(self, task: Task) -> None:
        """Get ready to answer: load, compile, start the process. Called once. Raises EngineError."""

    def perft(self, position: Position, depth: int, task: Task) -> int:
        """Return the number of leaf nodes. Raises EngineError."""

    def divide(self, position: Position, depth: int, task: Task) -> dict[str, int]:
        """Return the leaf nodes below each root move, `depth` at least 1.

        Moves are UCI texts with castling as king takes rook (e1h1), in standard chess, too. Raises
        EngineError.
        """

    def close(self) -> None:
        """Free what the engine holds; it is not asked again."""
