"""The kernels' 16-bit moves, and the numbers of the GenTypes.

    bits 0-5    target square; for castling the square of the own rook ("king takes rook")
    bits 6-11   origin square
    bits 12-13  promotion piece: knight, bishop, rook, queen
    bits 14-15  kind: normal, promotion, en passant, castling

Squares are from the side to move's view; `frame.flip_move` converts Black's moves to White's view and back.
"""

from __future__ import annotations

import numpy as np

from .machine.bits import ONE
from .machine.jit import inline

MAX_MOVES = 1024
"""Size of a move buffer, in moves: more than any placement of pieces allows.

n pieces of one side have at most 27 n + 2 moves, because a queen, the most mobile piece, has at most 27, and there are
at most two castling moves. They also have at most 16 (64 - n) + 74 moves: each square without a piece of that side can
be reached by one piece from each of eight directions and by eight knights. On the last rank, moves from three pawn
directions count fourfold, which adds 9 for each of 8 squares; the other 2 are castling. The smaller bound never exceeds
682. (Known maxima: 218 in reachable positions, 270 on any board tried.)
"""

BUFFER_BYTES = np.uint64(2 * MAX_MOVES)
"""Size of a move buffer, in bytes."""

# The upper bits of a normal move are 0, so that it consists of only two squares.
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
    """Return the target square of a move; for castling, the square of the rook."""
    return move & _SQUARE


@inline
def bit(square: np.uint64) -> np.uint64:
    """Return the bitboard of one square."""
    return ONE << square
