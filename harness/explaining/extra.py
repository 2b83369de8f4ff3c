"""A move that an engine has and chess has not: which rule does it break?"""

from __future__ import annotations

from ...generator.position import Position
from ...generator.types.pieces import Kind
from .attempt import Attempt, read, same_square
from .castling import broken_castling, castling_of
from .movement import broken_movement
from .pawns import broken_pawn_move, broken_promotion
from .rules import Explanation
from .safety import unsafe


def broken_rule(position: Position, uci: str) -> Explanation | None:
    """Return the most fundamental rule that a move breaks, or None if it is legal.

    How pieces move comes first, then what promotion asks for, then the safety of the king.
    """
    attempt = read(position, uci)
    if isinstance(attempt, Explanation):
        return attempt
    castling = castling_of(attempt)
    if castling is not None:
        return broken_promotion(attempt) or broken_castling(castling)
    if attempt.origin == attempt.target:
        return same_square(uci)
    return _broken_move(attempt) or broken_promotion(attempt) or unsafe(attempt)


def _broken_move(attempt: Attempt) -> Explanation | None:
    return broken_pawn_move(attempt) if attempt.kind is Kind.PAWN else broken_movement(attempt)
