"""Castling for Chess960, from any king and rook squares; standard chess is a special case.

Our back rank is always the first, because boards are from the side to move's view.
"""

from __future__ import annotations

import numpy as np

from .attacks import between
from .board import Board
from .machine.bits import ONE, ZERO, lsb, rest
from .machine.jit import inline
from .sliders.lookup import Tables

C1, D1, F1, G1 = np.uint64(2), np.uint64(3), np.uint64(5), np.uint64(6)


@inline
def king_target(king: np.uint64, rook: np.uint64) -> np.uint64:
    """Return the king's destination: on the g-file if the rook is to its right, otherwise on the c-file."""
    # Castling in Chess960 ends on the same squares as in standard chess.
    return G1 if rook > king else C1


@inline
def rook_target(king: np.uint64, rook: np.uint64) -> np.uint64:
    """Return the rook's destination: on the f-file if it is to the right of the king, otherwise on the d-file."""
    return F1 if rook > king else D1


@inline
def free_castling(tables: Tables, board: Board, own: np.uint64, king: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return our castling rooks for which no other piece stands on the paths of king and rook."""
    free = ZERO
    rooks = board.castling & own
    while rooks != ZERO:
        rook = lsb(rooks)
        king_to, rook_to = king_target(king, rook), rook_target(king, rook)
        path = between(tables, king, king_to) | ONE << king_to | between(tables, rook, rook_to) | ONE << rook_to
        # King and rook do not block each other.
        if path & (occupied ^ board.king ^ ONE << rook) == ZERO:
            free |= ONE << rook
        rooks = rest(rooks)
    return free


@inline
def castling_is_safe(
    tables: Tables, king: np.uint64, rook: np.uint64, attacked: np.uint64, orthogonal_pins: np.uint64
) -> bool:
    """Return True if the king, which is not in check, neither crosses an attacked square nor lands on one.

    The rook must not be pinned (`orthogonal_pins` are the orthogonal pin lines): in Chess960, its departure can open
    the first rank for a slider in the corner behind it. The rook may be attacked, and may cross attacked squares.
    """
    king_to = king_target(king, rook)
    # `attacked` was computed without the king, because sliders attack through its square.
    path = between(tables, king, king_to) | ONE << king_to
    return bool(path & attacked == ZERO and ONE << rook & orthogonal_pins == ZERO)
