"""A legal move and the checks that it gives: what most events of moves are told from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..attacks import bishop_attacks, knight_attacks, rook_attacks, their_pawn_attacks
from ..board import Board, ours, theirs
from ..castling import rook_target
from ..encoding import CASTLING, KIND_MASK, NORMAL, bit, origin_of, target_of
from ..machine.bits import ZERO, byteswap, lsb, rest
from ..machine.jit import inlined
from ..play import play
from ..safety import safety
from ..sliders.common import Tables
from .context import EventContext

_16 = np.uint64(16)


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


class CheckSquares(NamedTuple):
    """The squares from which a piece of each way to move attacks the enemy king, as bitboards."""

    pawns: np.uint64
    knights: np.uint64
    diagonals: np.uint64
    orthogonals: np.uint64


@inlined
def check_squares(tables: Tables, board: Board, context: EventContext) -> CheckSquares:
    """Return the squares from which a piece of ours would give check."""
    king = context.their_king
    return CheckSquares(
        their_pawn_attacks(board.their_king),
        knight_attacks(tables, king),
        bishop_attacks(tables, king, context.occupied),
        rook_attacks(tables, king, context.occupied),
    )


@inlined
def _is_plain(board: Board, context: EventContext, squares: CheckSquares, move: np.uint64) -> bool:
    """Tell whether a move is seen to give no check, and to be no double push, without playing it."""
    origin, target = bit(origin_of(move)), bit(target_of(move))
    checks = context.shields & origin
    checks |= squares.knights & target if origin & board.knights != ZERO else ZERO
    checks |= squares.diagonals & target if origin & board.diagonals != ZERO else ZERO
    checks |= squares.orthogonals & target if origin & board.orthogonals != ZERO else ZERO
    if origin & board.pawns != ZERO:
        checks |= squares.pawns & target | origin << _16 & target
    return bool(checks == ZERO and move & KIND_MASK == NORMAL)


@inlined
def _info_of_played(tables: Tables, board: Board, move: np.uint64) -> MoveInfo:
    """Return what a legal move does, from the board after it."""
    kind = move & KIND_MASK
    origin, target = origin_of(move), target_of(move)
    # Castling gives check with the rook: the king cannot, and the rook is the piece that has come to a new line.
    landed = bit(rook_target(origin, target)) if kind == CASTLING else bit(target)
    child = play(board, move)
    checkers = byteswap(safety(tables, child, lsb(child.king), ours(child) | theirs(child))[0])
    return MoveInfo(move, kind, bit(origin), bit(target), checkers & landed, checkers & ~landed, child.en_passant)


@inlined
def move_info(tables: Tables, board: Board, context: EventContext, squares: CheckSquares, move: np.uint64) -> MoveInfo:
    """Return what a legal move does. Most moves need not be played for that, which is what takes time."""
    if _is_plain(board, context, squares, move):
        return MoveInfo(move, NORMAL, bit(origin_of(move)), bit(target_of(move)), ZERO, ZERO, ZERO)
    return _info_of_played(tables, board, move)


@inlined
def gives_check(info: MoveInfo) -> bool:
    """Tell whether a move gives check."""
    return bool(info.direct | info.discovered != ZERO)


@inlined
def gives_double_check(info: MoveInfo) -> bool:
    """Tell whether two pieces or more give check after a move."""
    return bool(rest(info.direct | info.discovered) != ZERO)
