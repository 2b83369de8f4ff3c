"""Moves that an engine is told to play and does not list: what follows from them is no fault of its own."""

from __future__ import annotations

from ...generator.line import Line
from ...generator.types.moves import Move
from ..engines.asker import Asker
from .descent.findings import counts_as_before


def first_unlisted(line: Line, engine: Asker) -> int | None:
    """Return the place of the first move of a line that the engine does not list, or None. Raises EngineError."""
    for place, move in enumerate(line.moves):
        if not lists(Line(line.base, line.moves[:place]), move, engine):
            return place
    return None


def lists(before: Line, move: Move, engine: Asker) -> bool:
    """Tell whether an engine lists a legal move after a line. Raises EngineError.

    An engine that prints no root moves is taken not to list it where it counts too few moves and
    ignores this one.
    """
    told = engine.divide(before, max(1, engine.min_depth))
    if not told.is_total_only:
        return move.uci(chess960=True) in told.counts
    too_few = engine.min_depth <= 1 and told.total < len(before.position.legal_moves)
    return not (too_few and counts_as_before(before, before.after(move), engine))
