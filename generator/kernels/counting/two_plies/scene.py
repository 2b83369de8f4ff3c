"""The position with two plies left, and what is asked about it all the time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...board import Board, ours, theirs
from ...machine.bits import lsb
from ...machine.jit import inlined


class Scene(NamedTuple):
    """A board in which we are to move; kings are squares, the rest are sets of squares."""

    board: Board
    own: np.uint64
    their: np.uint64
    occupied: np.uint64
    king: np.uint64
    their_king: np.uint64


@inlined
def scene_of(board: Board) -> Scene:
    """Return the scene of a board."""
    own, their = ours(board), theirs(board)
    return Scene(board, own, their, own | their, lsb(board.king), lsb(board.their_king))
