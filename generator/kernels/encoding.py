"""The 16-bit move of the kernels, and the numbers of the GenTypes.

    bits 0-5    target square; for castling the square of the own rook ("king takes rook")
    bits 6-11   origin square
    bits 12-13  promotion piece: knight, bishop, rook, queen
    bits 14-15  kind: normal, promotion, en passant, castling

Squares are seen by the side to move; `frame.flip_move` converts a move of Black to White's view and back.
"""

from __future__ import annotations

import numpy as np

from .machine.bits import ONE
from .machine.jit import inline

MAX_MOVES = 1024
"""Size of a move buffer, in moves: more than any placement of pieces on the board has.

n pieces of one side have at most 27 n + 2 moves, because a queen, the most mobile piece, has 27, and there are at most
two castling moves. They also have at most 16 (64 - n) + 74 moves: each square without an own piece can be reached from
each of eight directions by one piece, and by eight knights. On the last rank, moves from three pawn directions count
fourfold, which adds 9 for each of 8 squares, and 2 are castling. The smaller bound is never above 682. (Known maxima:
218 in reachable positions, 270 on any board tried.)
"""

BUFFER_BYTES = np.uint64(2 * MAX_MOVES)
"""Bytes of a move buffer."""

# The upper bits of a normal move are 0, so that it consists of its two squares only.
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
