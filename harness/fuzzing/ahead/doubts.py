"""Doubtful answers of an engine that is asked ahead: which are examined, and what is told of one that then shows
nothing. An engine with one fault may be wrong in half of all positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....generator.drawing.drawn import Drawn
from ....generator.line import Line
from ....generator.position import Position
from ...asking.ahead import AheadClient
from ...asking.histories import write_line
from ...asking.retry import FROM_TIME_TO_TIME, Reproducibility, shortest_history
from ...engines.base import EngineError
from ...model.results.events import Cause, Finding
from ...model.results.verdict import Verdict
from ..model import Discrepancy

ALL_OF = 16
"""So many doubts of a batch are all examined. Of the others those are that meet an event which none before has met,
and those whose number is a power of two."""
CHECK = "moves"
"""The check that examines such answers."""
ONCE = "asked ahead of its answers it differed once, and asked again it does not"
EACH_TIME = "asked ahead of its answers it differs each time after the same questions, and asked alone it does not"
_NOTES = {
    Reproducibility.NEVER: ONCE,
    Reproducibility.AFTER_HISTORY: EACH_TIME,
    Reproducibility.FROM_TIME_TO_TIME: FROM_TIME_TO_TIME,
}
"""What is told of a doubt, by when it comes again."""


class Doubts:
    """The doubts of one batch."""

    def __init__(self) -> None:
        self.number = 0
        """How many there were."""
        self._met: NDArray[Any] | None = None

    def is_worth_examining(self, events: NDArray[np.uint64]) -> bool:
        """Note a doubt about a position that shows these events; tell whether it is to be examined."""
        self.number += 1
        before = np.zeros_like(events) if self._met is None else self._met
        self._met = before | events
        is_power_of_two = self.number & (self.number - 1) == 0
        return self.number <= ALL_OF or is_power_of_two or bool((events & ~before).any())


@dataclass(frozen=True)
class UnreproducedMismatch:
    """A doubt that shows nothing when its position is examined, with the blocks that had been asked before it."""

    asked: tuple[Drawn, ...]
    """The last of them ends with the doubt."""
    trouble: EngineError | None
    """What the engine failed with there, if it did."""

    def discrepancy(self, engine: AheadClient) -> Discrepancy:
        """Ask the engine again, and return the doubt with as few questions before it as still show it."""
        asked, found = shortest_history(
            self.asked, lambda blocks: engine.ask_anew(blocks).is_last_doubtful, _second_half
        )
        chess960 = asked[-1].chess960
        fens = [drawn.fen(number) for drawn in asked for number in range(len(drawn))]
        history = tuple(write_line(Line(Position.from_fen(fen, chess960))) for fen in fens)
        here = Line(Position.from_fen(fens[-1], chess960))
        if self.trouble is not None:
            return Discrepancy(CHECK, self.trouble.verdict, here, None, str(self.trouble), history=history)
        finding = Finding(cause=Cause.VANISHED, fen=here.base.fen(), chess960=chess960, note=_NOTES[found])
        return Discrepancy(CHECK, Verdict.MISMATCH, here, finding, history=history)


def _second_half(asked: Sequence[Drawn]) -> tuple[Drawn, ...]:
    """Return the later half of what was asked."""
    left = sum(map(len, asked)) // 2
    half: list[Drawn] = []
    for drawn in reversed(asked):
        taken = min(left - sum(map(len, half)), len(drawn))
        if taken > 0:
            half.insert(0, drawn.part(len(drawn) - taken, len(drawn)))
    return tuple(half)
