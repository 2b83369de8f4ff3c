"""Castling in one notation: engines write e1g1 or e1h1, we compare king takes rook (e1h1)."""

from __future__ import annotations

from ...generator.position import Position
from ...generator.types.pieces import Kind
from ...generator.types.squares import name_of, square_of, squares_in


def as_king_takes_rook(position: Position, text: str) -> str:
    """Return a UCI move text of `position` with castling written as king takes rook.

    A king that goes two files or more castles with the rook on that side that may. Anything else
    comes back unchanged: king takes rook already, and text that is no move.
    """
    try:
        origin, target = square_of(text[0:2]), square_of(text[2:4])
    except ValueError:
        return text
    own = position.pieces[position.turn]
    is_king_move = bool(own[Kind.KING] >> origin & 1) and origin // 8 == target // 8
    if not is_king_move or abs(target - origin) < 2 or own[Kind.ROOK] >> target & 1:
        return text
    for rook in squares_in(position.castling & own[Kind.ROOK]):
        if (rook > origin) == (target > origin):
            return name_of(origin) + name_of(rook)
    return text


def as_king_steps(position: Position, text: str) -> str:
    """Return a UCI move text with castling, legal or not, as standard chess writes it: e1g1 for e1h1.

    Anything but a king that takes a rook of its own comes back unchanged.
    """
    try:
        origin, target = square_of(text[0:2]), square_of(text[2:4])
    except ValueError:
        return text
    own = position.pieces[position.turn]
    if not (own[Kind.KING] >> origin & 1 and own[Kind.ROOK] >> target & 1):
        return text
    return text[0:2] + ("g" if target > origin else "c") + text[3]
