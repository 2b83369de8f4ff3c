"""Squares, numbered from a1 = 0 along the ranks to h8 = 63, and their names."""

from __future__ import annotations

FILES = "abcdefgh"
RANKS = "12345678"


def name_of(square: int) -> str:
    """Return the name of a square, such as "e4"."""
    return FILES[square % 8] + RANKS[square // 8]


def square_of(name: str) -> int:
    """Return the square with a name such as "e4". Raises ValueError if there is none."""
    if len(name) != 2 or name[0] not in FILES or name[1] not in RANKS:
        raise ValueError(f"{name!r} is not a square")
    return RANKS.index(name[1]) * 8 + FILES.index(name[0])


def pushed_pawn(target: int) -> int:
    """Return the square of the pawn that has passed the en passant square `target`."""
    return target - 8 if target >= 32 else target + 8


def squares_in(bitboard: int) -> list[int]:
    """Return the squares of a bitboard in ascending order."""
    squares = []
    while bitboard:
        squares.append((bitboard & -bitboard).bit_length() - 1)
        bitboard &= bitboard - 1
    return squares
