"""The starting positions of Chess960 and of double Chess960, by their numbers."""

from __future__ import annotations

from itertools import combinations

from .position import Position

STANDARD = 518
"""The number of the standard starting position."""

_KNIGHT_SQUARES = list(combinations(range(5), 2))


def back_rank(number: int) -> str:
    """Return the back rank of Chess960 position `number`, 0 to 959, as letters from a to h.

    The usual numbering: two light and dark bishop squares, then the queen, the knights, and
    rook, king, rook on what is left. Raises ValueError for other numbers.
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
    for place in _KNIGHT_SQUARES[knights]:
        rank[squares[place]] = "N"
    for square, piece in zip(_free(rank), "RKR", strict=True):
        rank[square] = piece
    return "".join(rank)


def _free(rank: list[str]) -> list[int]:
    return [square for square, piece in enumerate(rank) if not piece]


def chess960_start(white: int, black: int | None = None) -> Position:
    """Return the starting position with White's and Black's numbers; the same for both by default."""
    ours, theirs = back_rank(white), back_rank(white if black is None else black)
    rights = _rook_files(ours) + _rook_files(theirs).lower()
    return Position.from_fen(f"{theirs.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{ours} w {rights} - 0 1", chess960=True)


def _rook_files(rank: str) -> str:
    return "".join(file for file, piece in reversed(list(zip("ABCDEFGH", rank, strict=True))) if piece == "R")
