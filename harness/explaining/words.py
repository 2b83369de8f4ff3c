"""Pieces and squares in words."""

from __future__ import annotations

from collections.abc import Sequence

from ...generator.position import Position
from ...generator.types.pieces import Kind
from ...generator.types.squares import name_of

NAMES = {kind: kind.name.lower() for kind in Kind}
"""The names of the kinds of pieces."""


def name_at(position: Position, square: int) -> str:
    """Return the name of the piece on a square, such as "knight"."""
    piece = position.piece_at(square)
    assert piece is not None, f"a piece stands on {name_of(square)}"
    return NAMES[piece[1]]


def the(position: Position, square: int) -> str:
    """Return the piece on a square with the square, such as "the knight on f3"."""
    return f"the {name_at(position, square)} on {name_of(square)}"


def join_words(items: Sequence[str], word: str = "and") -> str:
    """Return "a", "a and b", "a, b and c"."""
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else items[0]


def side_name(king_side: bool) -> str:
    """Return the side to which a king castles."""
    return "king-side" if king_side else "queen-side"


def sentence_case(text: str) -> str:
    """Return a sentence with a capital at its start."""
    return text[:1].upper() + text[1:]
