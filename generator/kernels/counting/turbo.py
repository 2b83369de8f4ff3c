"""The simple counting kernel: perft by popcount of strictly legal target sets.

No move is ever written down. Checks and pins are found once per position; then each kind of piece has a set of
squares that are legal for it. At the last ply their sizes are added (`last_ply.py`); above it each square is played
at once, as twelve new words that never need undoing (`walk.py`).
"""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..machine.bits import ONE
from ..machine.jit import inlined
from ..sliders.common import Tables
from .last_ply import count_legal
from .walk import walking


@inlined
def _last_ply(tables: Tables, board: Board, _notes: np.uint64) -> np.uint64:
    return count_legal(tables, board)


count_leaves = walking("count_leaves", _last_ply, ONE)
