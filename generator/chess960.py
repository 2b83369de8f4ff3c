"""The starting positions of Chess960 and double Chess960, by number."""

from __future__ import annotations

from itertools import combinations

from .position import Position

STANDARD = 518
"""The number of the standard starting position."""

_KNIGHT_SQUARES = list(combinations(range(5), 2))


def back_rank(number: int) -> str:
    """Return the back rank of a Chess960 starting position as eight letters, from a-file to h-file.

    `number`, from 0 to 959, is the Scharnagl number of the position: it encodes the squares of the two bishops, the
    queen and the knights. Rook, king and rook fill the remaining squares in this order. Raises ValueError for any other
    number.
    """
    if not 0 <= number < 960:
        raise ValueError(f"Chess960 positions are numbered 0 to 959, not {number}")
    rank = [""] * 8
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank[2 * light + 1] = "B"
    rank[2 * dark] = "B"
    rank[_free(rank)[queen]] = "Q"
    squares = _free(rank)
    for index in _KNIGHT_SQUARES[knights]:
        rank[squares[index]] = "N"
    for square, piece in zip(_free(rank), "RKR", strict=True):
        rank[square] = piece
    return "".join(rank)


def _free(rank: list[str]) -> list[int]:
    return [square for square, piece in enumerate(rank) if not piece]


def chess960_start(white: int, black: int | None = None) -> Position:
    """Return a Chess960 starting position from the numbers of the back ranks; `black` defaults to `white`."""
    first, last = back_rank(white), back_rank(white if black is None else black)
    rights = _rook_files(first) + _rook_files(last).lower()
    return Position.from_fen(f"{last.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{first} w {rights} - 0 1", chess960=True)


def _rook_files(rank: str) -> str:
    return "".join(file for file, piece in reversed(list(zip("ABCDEFGH", rank, strict=True))) if piece == "R")
