"""A legal move and the checks that it gives: what most events of moves are told from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..board import Board, ours, theirs
from ..castling import rook_target
from ..encoding import CASTLING, KIND_MASK, bit, origin_of, target_of
from ..machine.bits import ZERO, byteswap, lsb, rest
from ..machine.jit import inlined
from ..play import play
from ..safety import safety
from ..sliders.common import Tables


class MoveInfo(NamedTuple):
    """A legal move: its word and kind, the bitboards of its two squares, and what gives check after it.

    A check is `direct` from the piece that has moved (by castling: from the rook), else
    `discovered`; both are bitboards as we see them. `allows_en_passant` is the en passant square
    that it leaves to them, as they see it.
    """

    move: np.uint64
    kind: np.uint64
    origin: np.uint64
    target: np.uint64
    direct: np.uint64
    discovered: np.uint64
    allows_en_passant: np.uint64


@inlined
def move_info(tables: Tables, board: Board, move: np.uint64) -> MoveInfo:
    """Return what a legal move does."""
    kind = move & KIND_MASK
    origin, target = origin_of(move), target_of(move)
    # Castling gives check with the rook: the king cannot, and the rook is the piece that has come to a new line.
    landed = bit(rook_target(origin, target)) if kind == CASTLING else bit(target)
    child = play(board, move)
    checkers = byteswap(safety(tables, child, lsb(child.king), ours(child) | theirs(child))[0])
    return MoveInfo(move, kind, bit(origin), bit(target), checkers & landed, checkers & ~landed, child.en_passant)


@inlined
def gives_check(info: MoveInfo) -> bool:
    """Tell whether a move gives check."""
    return bool(info.direct | info.discovered != ZERO)


@inlined
def gives_double_check(info: MoveInfo) -> bool:
    """Tell whether two pieces or more give check after a move."""
    return bool(rest(info.direct | info.discovered) != ZERO)
