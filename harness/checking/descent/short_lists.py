"""Whether moves are missing because an engine's list holds too few: it ends at the same length elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from ....generator.line import Line
from ....generator.position import Position
from ....generator.symmetry import flip_colors
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError
from ...explaining import Rule, because
from ...model.results.finding import WrongMove
from ..comparing import explain_wrong_move, is_right

LEAST_LENGTH = 24
"""Shorter lists are not taken to be cut off: no program has room for so few moves."""
_MANY = (
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "8/1Q4Q1/8/2Q4R/8/3Q4/1Q4Rp/1K1B3k w - - 0 1",
    "8/8/1Q6/2Q4R/8/3Q4/7p/1K1B3k w - - 0 1",
    "8/8/8/2Q4R/8/3Q4/7p/1K1B3k w - - 0 1",
    "8/8/8/2Q4R/8/8/7p/1K1B3k w - - 0 1",
    "8/8/8/7R/8/8/7p/1K1B3k w - - 0 1",
)
"""Positions with ever fewer moves."""


def name_short_list(line: Line, wrong: Sequence[WrongMove], engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return the wrong moves of a list, or one in their place if the length of the list is why. Raises EngineError."""
    if len(wrong) < 2 or any(move.kind != "missing" or move.engine_is_right for move in wrong):
        return tuple(wrong)
    length = len(line.position.legal_moves) - len(wrong)
    return explain_short_list(line, length, engine) or tuple(wrong)


def explain_short_list(line: Line, length: int, engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return, as one wrong move, that an engine's list ends at a length, if it does so elsewhere; else none.

    All known positions with more moves have to have this length, and the next one with fewer has to be right.
    """
    position = line.position
    if length < max(LEAST_LENGTH, engine.min_depth) or engine.min_depth > 1:
        return ()
    longer = [one for one in _known() if len(one.legal_moves) > length and one.pieces != position.pieces]
    shorter = [one for one in _known() if len(one.legal_moves) <= length]
    if not longer or not shorter or not is_right(Line(shorter[0]), 1, engine):
        return ()
    try:
        if any(engine.divide(Line(one), 1).total != length for one in longer):
            return ()
    except EngineError:
        return ()
    many = len(position.legal_moves)
    text = f"It lists {length} of {many} moves here, and {length} in other positions with more: the list is full."
    why = because(Rule.LIST_TOO_SHORT, text)
    first = min(move.uci(chess960=True) for move in position.legal_moves)
    return (replace(explain_wrong_move(position, first, "missing", why), title=f"List of moves ends at {length}"),)


@cache
def _known() -> tuple[Position, ...]:
    """Return positions of both colors, those with most moves first."""
    positions = [Position.from_fen(fen) for fen in _MANY]
    both = [color for one in positions for color in (one, flip_colors(one))]
    return tuple(sorted(both, key=lambda one: -len(one.legal_moves)))
