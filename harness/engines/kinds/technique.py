"""The techniques as engines, `own:NAME`; root moves and counts are the technique's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....generator.position import Position
from ....generator.techniques.names import TechniqueName
from ..base import EngineRejection
from .own import KernelEngine

if TYPE_CHECKING:
    from ....generator.kernels.machine.memory import Control
    from ....generator.types.moves import Move

ENTRY_POINTS = {
    TechniqueName.LOOKUP: "count_leaves_by_lookup",
    TechniqueName.RAY_CAST: "count_leaves_by_ray_cast",
}
"""Of the techniques with a board of their own; all others share one."""


class TechniqueEngine(KernelEngine):
    """One technique, behind the engine protocol. Raises EngineRejection for Chess960 where it is unknown."""

    no_chess960 = "it knows castling of standard chess only"

    def __init__(self, technique: TechniqueName) -> None:
        """Choose a technique by its name in the registry."""
        self._technique = technique
        super().__init__(f"own:{technique}", ENTRY_POINTS.get(technique, "count_leaves_by_technique"))

    @property
    def chess960(self) -> bool:  # type: ignore[override]
        """Whether it knows castling of Chess960."""
        from ....generator.techniques.registry import ENTRIES

        return ENTRIES[self._technique].technique.chess960

    def moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves as the technique finds them, in its order."""
        from ....generator.techniques.registry import NoChess960, legal_moves

        try:
            return legal_moves(self._technique, position)
        except NoChess960 as refusal:
            raise EngineRejection(str(refusal)) from None

    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises Stopped."""
        from ....generator.techniques.registry import NoChess960, count_by

        try:
            return count_by(self._technique, position, depth, control)
        except NoChess960 as refusal:
            raise EngineRejection(str(refusal)) from None
