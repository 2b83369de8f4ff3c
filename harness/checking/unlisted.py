"""Moves that an engine is told to play and does not list: what follows from them is no fault of its own."""

from __future__ import annotations

from dataclasses import replace

from ...generator.line import Line
from ...generator.types.moves import Move
from ..asking.client import EngineClient
from ..engines.base import EngineError


def first_unlisted(line: Line, engine: EngineClient) -> int | None:
    """Return the place of the first move of a line that the engine does not list, or None. Raises EngineError."""
    for place, move in enumerate(line.moves):
        if not lists(replace(line, moves=line.moves[:place]), move, engine):
            return place
    return None


def lists(before: Line, move: Move, engine: EngineClient) -> bool:
    """Tell whether an engine lists a legal move after a line. Raises EngineError.

    An engine that prints no root moves is taken not to list it where it counts too few moves and
    ignores this one, refuses it or ends with it.
    """
    told = engine.divide(before, max(1, engine.min_depth))
    if not told.is_total_only:
        return move.uci(chess960=True) in told.counts
    too_few = engine.min_depth <= 1 and told.total < len(before.position.legal_moves)
    return not (too_few and _is_not_played(before, move, engine))


def counts_as_before(before: Line, after: Line, engine: EngineClient) -> bool:
    """Tell whether the engine, told to play one more move, answers as before it: it has ignored the move."""
    depth = max(1, engine.min_depth)
    try:
        return all(engine.divide(before, plies) == engine.divide(after, plies) for plies in (depth, depth + 1))
    except EngineError:
        return False


def _is_not_played(before: Line, move: Move, engine: EngineClient) -> bool:
    after = before.after(move)
    try:
        engine.perft(after, max(1, engine.min_depth))
    except EngineError:
        return True
    return counts_as_before(before, after, engine)
