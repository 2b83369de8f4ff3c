"""Castling for Chess960, from any king and rook squares; standard chess is a special case.

Our back rank is always the first, because boards are from the side to move's view.
"""

from __future__ import annotations

import numpy as np

from .board import Board
from .machine.bits import ONE, ZERO, load, lsb, rest
from .machine.jit import inline
from .sliders.lookup import Tables
from .tables import CASTLING_PATH, CASTLING_WAY

C1, D1, F1, G1 = np.uint64(2), np.uint64(3), np.uint64(5), np.uint64(6)
_3 = np.uint64(3)


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
def castling_path(tables: Tables, king: np.uint64, rook: np.uint64) -> np.uint64:
    """Return the squares that our king crosses or reaches in castling."""
    return load(tables.base, CASTLING_PATH + (king << _3) + rook)


@inline
def castling_way(tables: Tables, king: np.uint64, rook: np.uint64) -> np.uint64:
    """Return the squares that king and rook cross or reach in castling, without their own squares."""
    return load(tables.base, CASTLING_WAY + (king << _3) + rook)


@inline
def free_castling(tables: Tables, board: Board, own: np.uint64, king: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return our castling rooks for which no other piece stands on the paths of king and rook."""
    free = ZERO
    rooks = board.castling & own
    while rooks != ZERO:
        rook = lsb(rooks)
        if castling_way(tables, king, rook) & occupied == ZERO:
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
    # `attacked` was computed without the king, because sliders attack through its square.
    is_free = castling_path(tables, king, rook) & attacked == ZERO
    return bool(is_free and ONE << rook & orthogonal_pins == ZERO)
