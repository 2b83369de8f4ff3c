"""Does an engine agree with itself? No reference is needed.

The count below a root move must be the count after playing that move, and the count of the child's
own FEN. The root moves' FENs are made by our generator; nothing else of it is asked.
"""

from __future__ import annotations

from ...generator.line import Line
from ...generator.position import Position
from ..asking.client import EngineClient
from ..engines.base import EngineError
from ..model.results.divide import ConsistencyFinished, Contradiction
from .unlisted import lists


def check_consistency(position: Position, depth: int, engine: EngineClient) -> ConsistencyFinished:
    """Return whether an engine agrees with itself under the root moves of a divide. Raises EngineError."""
    found = tuple(contradictions(position, depth, engine))
    return ConsistencyFinished(engine.name, position.fen(), position.chess960, depth, len(position.legal_moves), found)


def contradictions(position: Position, depth: int, engine: EngineClient) -> list[Contradiction]:
    """Return the root moves of a divide at `depth` under which the engine contradicts itself.

    `depth` is at least 2. Moves that our generator does not know are left out, and moves that the engine does not list:
    they cannot be played. An engine that prints no root moves is asked after each legal move. Raises EngineError.
    """
    found = []
    told = engine.divide(Line(position), depth)
    for move in position.legal_moves:
        after, text = Line(position).after(move), move.uci(chess960=True)
        if not told.is_total_only and text not in told.counts:
            continue
        from_fen = engine.perft(after.afresh(), depth - 1)
        try:
            played = engine.perft(after, depth - 1)
        except EngineError:
            if lists(Line(position), move, engine):
                raise
            continue
        divided = told.counts.get(text, played)
        if not divided == played == from_fen and (not told.is_total_only or lists(Line(position), move, engine)):
            uci, san = move.uci(position.chess960), position.san(move)
            found.append(Contradiction(uci, san, after.position.fen(), divided, played, from_fen))
    return found
