"""Colors and piece types."""

from __future__ import annotations

from enum import IntEnum


class Color(IntEnum):
    """The two sides."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Color:
        """The opponent."""
        return Color(1 - self)

    @property
    def word(self) -> str:
        """The name of the side in a sentence."""
        return "White" if self is Color.WHITE else "Black"

    @property
    def back_rank(self) -> int:
        """Index of the side's first rank: 0 or 7."""
        return 0 if self is Color.WHITE else 7


class PieceType(IntEnum):
    """The six types of pieces."""

    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5

    @property
    def letter(self) -> str:
        """Lower-case English letter, as in FEN and UCI."""
        return "pnbrqk"[self]


Pieces = tuple[tuple[int, ...], tuple[int, ...]]
"""Bitboards of White and of Black, each indexed by `PieceType`."""


def piece_letter(color: Color, kind: PieceType) -> str:
    """Return the FEN letter of a piece, in upper case for White."""
    return kind.letter.upper() if color is Color.WHITE else kind.letter


def piece_of(letter: str) -> tuple[Color, PieceType]:
    """Return the piece of a FEN letter. Raises ValueError for anything else."""
    if len(letter) != 1 or letter not in "pnbrqkPNBRQK":
        raise ValueError(f"{letter!r} is not a piece")
    color = Color.WHITE if letter.isupper() else Color.BLACK
    return color, PieceType("pnbrqk".index(letter.lower()))


def without(pieces: Pieces, squares: int) -> Pieces:
    """Return the pieces except those on `squares`."""
    white, black = (tuple(word & ~squares for word in side) for side in pieces)
    return white, black


def with_piece(pieces: Pieces, color: Color, kind: PieceType, square: int) -> Pieces:
    """Return the pieces with a piece added on an empty square."""
    sides = [list(side) for side in pieces]
    sides[color][kind] |= 1 << square
    return tuple(sides[0]), tuple(sides[1])
