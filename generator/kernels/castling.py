"""Castling, Chess960 throughout: any king square, any rook square; standard chess is one case of it.

In the frame of the side to move our back rank is always the first.
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
    """Return where the king lands: the g-file beside a rook on its right, else the c-file."""
    # In Chess960, too: castling ends on the squares of standard chess, wherever it starts.
    return G1 if rook > king else C1


@inline
def rook_target(king: np.uint64, rook: np.uint64) -> np.uint64:
    """Return where the rook lands: the f-file if it stood to the right of the king, else the d-file."""
    return F1 if rook > king else D1


@inline
def free_castling(tables: Tables, board: Board, own: np.uint64, king: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return our castling rooks for which no third piece stands where king or rook pass or land."""
    free = ZERO
    rooks = board.castling & own
    while rooks != ZERO:
        rook = lsb(rooks)
        king_to, rook_to = king_target(king, rook), rook_target(king, rook)
        way = between(tables, king, king_to) | ONE << king_to | between(tables, rook, rook_to) | ONE << rook_to
        # King and rook do not stand in each other's way: they pass, or change places.
        if way & (occupied ^ board.king ^ ONE << rook) == ZERO:
            free |= ONE << rook
        rooks = rest(rooks)
    return free


@inline
def castling_is_safe(
    tables: Tables, king: np.uint64, rook: np.uint64, attacked: np.uint64, orthogonal_pins: np.uint64
) -> bool:
    """Return True if the king, not in check, neither passes nor reaches an attacked square.

    The rook itself must not be pinned (`orthogonal_pins` are the orthogonal pin lines): in Chess960 its
    departure can open the first rank for a slider in the corner behind it. Whether the rook is
    attacked, or passes an attacked square, does not matter.
    """
    king_to = king_target(king, rook)
    # `attacked` is found with the king lifted off its square, through which it goes.
    way = between(tables, king, king_to) | ONE << king_to
    return bool(way & attacked == ZERO and ONE << rook & orthogonal_pins == ZERO)
