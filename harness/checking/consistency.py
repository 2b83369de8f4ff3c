"""Does an engine agree with itself? No reference is needed.

The count below a root move must be the count after playing that move, and the count of the child's
own FEN. The root moves' FENs are made by our generator; nothing else of it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...generator.line import Line
from ...generator.position import Position
from ..engines.asker import Asker


@dataclass(frozen=True)
class Contradiction:
    """A root move under which an engine gives more than one count."""

    uci: str
    san: str | None
    fen: str
    """The position after the move."""
    divided: int
    """Its count in the divide of the position before."""
    played: int
    """The count after the engine has played the move."""
    from_fen: int
    """The count from the FEN after the move."""

    @property
    def sentence(self) -> str:
        """What the contradiction says about the engine."""
        if self.played == self.from_fen:
            return "counting within a divide differs from counting the position: look at how moves are made and undone"
        if self.divided == self.played:
            return "the position after the move differs from its FEN: the move is played wrongly, or the FEN is misread"
        return "the position played to, divided and read from its FEN are three different ones"


def contradictions(position: Position, depth: int, engine: Asker) -> list[Contradiction]:
    """Return the root moves of a divide at `depth` under which the engine contradicts itself.

    `depth` is at least 2. Moves that our generator does not know are left out: they cannot be
    played. Raises EngineError.
    """
    found = []
    counts = engine.divide(Line(position), depth).counts
    for move in position.legal_moves:
        divided = counts.get(move.uci(chess960=True))
        if divided is None:
            continue
        after = Line(position).after(move)
        played, from_fen = engine.perft(after, depth - 1), engine.perft(after.afresh(), depth - 1)
        if not divided == played == from_fen:
            uci, san = move.uci(position.chess960), position.san(move)
            found.append(Contradiction(uci, san, after.position.fen(), divided, played, from_fen))
    return found
