"""The 16-bit move of the kernels, and the numbers of the GenTypes.

    bits 0-5    target square; for castling the square of the own rook ("king takes rook")
    bits 6-11   origin square
    bits 12-13  promotion piece: knight, bishop, rook, queen
    bits 14-15  kind: normal, promotion, en passant, castling

Squares are those of the side to move; `frame.flip_move` turns a move of Black into the usual squares and back.
"""

from __future__ import annotations

import numpy as np

from .machine.bits import ONE
from .machine.jit import inline

MAX_MOVES = 1024
"""Size of a move buffer, in moves: more than any placement of pieces on the board can produce.

With n own pieces there are at most 27 n + 2 moves: no piece has more than the 27 of a queen, and
two rooks may castle. There are also at most 16 (64 - n) + 74: each square free of own pieces is
reached by one piece from each of eight directions and by eight knights, on the last rank each of
three pawn directions counts fourfold, which adds 9 to 8 squares, and castling is apart. The smaller
of the two never exceeds 682. (Known maxima: 218 in reachable positions, 270 on any tried board.)
"""

BUFFER_BYTES = np.uint64(2 * MAX_MOVES)
"""Bytes of a move buffer."""

# A normal move is 0 in its upper bits, so that its two squares are all of it.
NORMAL, PROMOTION, EN_PASSANT, CASTLING = (np.uint64(kind << 14) for kind in range(4))
KNIGHT, BISHOP, ROOK, QUEEN = (np.uint64(piece << 12) for piece in range(4))
KIND_MASK = np.uint64(3 << 14)
PROMOTION_MASK = np.uint64(3 << 12)

CAPTURES, QUIETS, QUIET_CHECKS, EVASIONS, NON_EVASIONS, LEGAL = (np.uint64(number) for number in range(6))

_SQUARE = np.uint64(63)
_6 = np.uint64(6)


@inline
def encode(origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return a normal move."""
    return origin << _6 | target


@inline
def origin_of(move: np.uint64) -> np.uint64:
    """Return the origin square of a move."""
    return move >> _6 & _SQUARE


@inline
def target_of(move: np.uint64) -> np.uint64:
    """Return the target square of a move; for castling that of the rook."""
    return move & _SQUARE


@inline
def bit(square: np.uint64) -> np.uint64:
    """Return the bitboard of one square."""
    return ONE << square
