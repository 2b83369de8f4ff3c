"""En passant: what our double pushes offer to their pawns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import NOT_FILE_A, NOT_FILE_H, bishop_rays, rook_rays
from ....machine.bits import ONE, ZERO, popcount
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..scene import Scene

_RANK_4 = np.uint64(0xFF << 24)


class Offers(NamedTuple):
    """Double pushes, by where they end, of which it is known what they offer, and the number of captures offered."""

    simple: np.uint64
    captures: np.uint64


@inlined
def offers(tables: Tables, scene: Scene, doubles: np.uint64) -> Offers:
    """Return which of these double pushes are simple.

    After a capture en passant three squares have changed. It is surely legal where no slider of ours is in line
    with their king; elsewhere it is tried.
    """
    board = scene.board
    beside = board.their_pawns & _RANK_4
    if beside == ZERO:
        return Offers(doubles, ZERO)
    left, right = (beside & NOT_FILE_A) >> ONE, (beside & NOT_FILE_H) << ONE
    king = scene.their_king
    if rook_rays(tables, king) & board.orthogonals | bishop_rays(tables, king) & board.diagonals != ZERO:
        return Offers(doubles & ~(left | right), ZERO)
    return Offers(doubles, popcount(doubles & left) + popcount(doubles & right))
