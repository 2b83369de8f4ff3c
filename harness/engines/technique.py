"""The techniques of the museum as engines, `own:NAME`; root moves and counts are the technique's own."""

from __future__ import annotations

from ...generator.line import Line
from ...generator.position import Position
from ..task import Task
from .base import Divide, EngineRejection, InProcess
from .own import compile_notice

ENTRY_POINTS = {"lookup": "count_leaves_by_lookup", "ray-cast": "count_leaves_by_ray_cast"}
"""Of the techniques with a board of their own; all others share one."""


class TechniqueEngine(InProcess):
    """One technique, behind the engine protocol."""

    def __init__(self, technique: str) -> None:
        """Choose a technique by its name in the registry."""
        self.name = f"own:{technique}"
        self._technique = technique

    def notice(self) -> str | None:
        """Say so when this machine has to compile the kernels first."""
        return compile_notice(ENTRY_POINTS.get(self._technique, "count_leaves_by_technique"))

    def start(self, task: Task) -> None:
        """Load the kernel from the cache, or compile it."""
        self.perft(Line(Position.start()), 1, task)

    def perft(self, setup: Line, depth: int, task: Task) -> int:
        """Return the number of leaf nodes. Raises EngineRejection for Chess960 where it is unknown."""
        return self._count(setup.position, depth, task)

    def divide(self, setup: Line, depth: int, task: Task) -> Divide:
        """Return the leaf nodes below each root move. Raises EngineRejection for Chess960 where it is unknown."""
        from ...generator.techniques.registry import NoChess960, legal_moves

        position = setup.position
        try:
            moves = legal_moves(self._technique, position)
        except NoChess960 as refusal:
            raise EngineRejection(str(refusal)) from None
        pairs = []
        for move in moves:
            count = self._count(position.play_unchecked(move), depth - 1, task)
            if task.stopped:
                break
            pairs.append((move.uci(chess960=True), count))
            task.found(*pairs[-1])
        return Divide.of(pairs)

    def _count(self, position: Position, depth: int, task: Task) -> int:
        from ...generator.counting import Stopped
        from ...generator.kernels.control import Control
        from ...generator.techniques.registry import NoChess960, count_by

        control = Control()
        task.attach(control)
        try:
            return count_by(self._technique, position, depth, control)
        except NoChess960 as refusal:
            raise EngineRejection(str(refusal)) from None
        except Stopped:
            return 0
