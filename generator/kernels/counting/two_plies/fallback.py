"""Moves that are not simple: each is made, and the replies to it are counted one by one."""

from __future__ import annotations

import numpy as np

from ...board import Board
from ...encoding import CASTLING, EN_PASSANT, encode
from ...machine.bits import ZERO, lsb, rest
from ...machine.jit import inlined, subroutine
from ...play import play
from ...sliders.common import Tables
from ..last_ply import count_legal


@subroutine
def replies_to(tables: Tables, board: Board, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return the number of replies to the moves from a square to `targets`; no castling, promotion, en passant."""
    count = ZERO
    while targets != ZERO:
        count += count_legal(tables, play(board, encode(origin, lsb(targets))))
        targets = rest(targets)
    return count


@subroutine
def replies_to_move(tables: Tables, board: Board, move: np.uint64) -> np.uint64:
    """Return the number of replies to one move."""
    return count_legal(tables, play(board, move))


@inlined
def replies_to_pawns(tables: Tables, board: Board, targets: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return the number of replies to pawn moves that end on `targets`, so many squares ahead of their start."""
    count = ZERO
    while targets != ZERO:
        count += replies_to_move(tables, board, encode(lsb(targets) - ahead, lsb(targets)))
        targets = rest(targets)
    return count


@inlined
def replies_to_castling(tables: Tables, board: Board, king: np.uint64, rook: np.uint64) -> np.uint64:
    """Return the number of replies to castling."""
    return replies_to_move(tables, board, CASTLING | encode(king, rook))


@inlined
def replies_to_en_passant(tables: Tables, board: Board, origin: np.uint64) -> np.uint64:
    """Return the number of replies when the pawn on a square takes en passant."""
    return replies_to_move(tables, board, EN_PASSANT | encode(origin, lsb(board.en_passant)))
