"""A doubt that shows nothing when its position is examined: what it is told with, and whether it comes again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ....generator.drawing.drawn import Drawn
from ....generator.line import Line
from ....generator.position import Position
from ...asking.histories import write_line
from ...asking.retry import FROM_TIME_TO_TIME
from ...engines.base import EngineError
from ...model.results.events import Cause, Finding
from ...model.results.verdict import Verdict
from ...model.shutdown import Interrupted
from ..model import Discrepancy
from .engine import AheadEngine

CHECK = "moves"
"""The check that examines such answers."""
ONCE = "asked ahead of its answers it differed once, and asked again it does not"
TRIES = 3
"""So often it has to differ, to differ each time."""
EACH_TIME = "asked ahead of its answers it differs each time after the same questions, and asked alone it does not"


@dataclass(frozen=True)
class UnreproducedMismatch:
    """A doubt, with the blocks that had been asked before it."""

    asked: tuple[Drawn, ...]
    """The last of them ends with the doubt."""
    trouble: EngineError | None
    """What the engine failed with there, if it did."""

    def discrepancy(self, engine: AheadEngine) -> Discrepancy:
        """Return what is to be said, after the engine was asked again, with as few questions before it as show it."""
        fewest: Sequence[Drawn] | None = None
        note = ONCE
        asked: Sequence[Drawn] = self.asked
        with suppress(EngineError, Interrupted):  # the time is over, or the engine does not start any more
            while asked and engine.doubts_last(asked):
                fewest, asked = asked, _second_half(asked)
                note = EACH_TIME
            if fewest and not all(engine.doubts_last(fewest) for _ in range(TRIES - 1)):
                note = FROM_TIME_TO_TIME
        return self._told(fewest or self.asked, note)

    def _told(self, asked: Sequence[Drawn], note: str) -> Discrepancy:
        chess960 = asked[-1].chess960
        fens = [drawn.fen(number) for drawn in asked for number in range(len(drawn))]
        history = tuple(write_line(Line(Position.from_fen(fen, chess960))) for fen in fens)
        here = Line(Position.from_fen(fens[-1], chess960))
        if self.trouble is not None:
            return Discrepancy(CHECK, self.trouble.verdict, here, None, str(self.trouble), history=history)
        finding = Finding(cause=Cause.VANISHED, fen=here.base.fen(), chess960=chess960, note=note)
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
