"""The board of the ray-cast technique: twelve bitboards, and three occupancies that follow every change.

Nothing says what stands on a square: to take a piece, its square is cleared on all six boards that
could have it. After each change the three occupancies are made again from the twelve, and so
cannot differ from them.

The board is not turned when the turn passes: the two sides change their roles, and `side` tells
which way the pawns of the mover go (0: up, 1: down).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.board import Board
from ..kernels.encoding import (
    BISHOP,
    CASTLING,
    EN_PASSANT,
    KIND_MASK,
    KNIGHT,
    NORMAL,
    PROMOTION,
    PROMOTION_MASK,
    QUEEN,
    ROOK,
    bit,
    origin_of,
    target_of,
)
from ..kernels.machine.bits import ONE, ZERO
from ..kernels.machine.jit import inline

_2, _8, _16 = np.uint64(2), np.uint64(8), np.uint64(16)


class RayCastBoard(NamedTuple):
    """The pieces of the mover and of the other side, the squares that each and both occupy, and the state of play.

    `en_passant` is the square that a pawn has just passed, `castling` has the rooks that may castle.
    """

    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    king: np.uint64
    their_pawns: np.uint64
    their_knights: np.uint64
    their_bishops: np.uint64
    their_rooks: np.uint64
    their_queens: np.uint64
    their_king: np.uint64
    own: np.uint64
    their: np.uint64
    occupied: np.uint64
    en_passant: np.uint64
    castling: np.uint64
    side: np.uint64


@inline
def of_words(
    pawns: np.uint64,
    knights: np.uint64,
    bishops: np.uint64,
    rooks: np.uint64,
    queens: np.uint64,
    king: np.uint64,
    their_pawns: np.uint64,
    their_knights: np.uint64,
    their_bishops: np.uint64,
    their_rooks: np.uint64,
    their_queens: np.uint64,
    their_king: np.uint64,
    en_passant: np.uint64,
    castling: np.uint64,
    side: np.uint64,
) -> RayCastBoard:
    """Return a board of twelve bitboards, its occupancies put together."""
    own = pawns | knights | bishops | rooks | queens | king
    their = their_pawns | their_knights | their_bishops | their_rooks | their_queens | their_king
    return RayCastBoard(
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        king,
        their_pawns,
        their_knights,
        their_bishops,
        their_rooks,
        their_queens,
        their_king,
        own,
        their,
        own | their,
        en_passant,
        castling,
        side,
    )


@inline
def of_board(board: Board) -> RayCastBoard:
    """Return the same position; the mover goes up the board."""
    return of_words(
        board.pawns,
        board.knights,
        board.diagonals & ~board.orthogonals,
        board.orthogonals & ~board.diagonals,
        board.diagonals & board.orthogonals,
        board.king,
        board.their_pawns,
        board.their_knights,
        board.their_diagonals & ~board.their_orthogonals,
        board.their_orthogonals & ~board.their_diagonals,
        board.their_diagonals & board.their_orthogonals,
        board.their_king,
        board.en_passant,
        board.castling,
        ZERO,
    )


@inline
def _move(pieces: np.uint64, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return a bitboard with its piece on `origin`, if it has one there, on `target`."""
    return pieces ^ origin | target if pieces & origin != ZERO else pieces


@inline
def castled_king(king: np.uint64, rook: np.uint64) -> np.uint64:
    """Return the square where the king lands: two steps towards the rook."""
    return king + _2 if rook > king else king - _2


@inline
def simulate_move(board: RayCastBoard, move: np.uint64) -> RayCastBoard:
    """Return a copy of the board with a pseudo-legal move made on it, the roles changed."""
    kind = move & KIND_MASK
    origin, target = bit(origin_of(move)), bit(target_of(move))
    rights = board.castling & ~(origin | target)
    if origin == board.king:
        rights &= ~board.own
    cleared, passed = ~target, ZERO
    pawns, rooks, king = board.pawns, board.rooks, board.king
    knights, bishops, queens = board.knights, board.bishops, board.queens
    if kind == CASTLING:
        landing = castled_king(origin_of(move), target_of(move))
        king = bit(landing)
        rooks = rooks ^ target | bit((landing + origin_of(move)) >> ONE)
    elif kind == PROMOTION:
        piece = move & PROMOTION_MASK
        pawns ^= origin
        knights |= target if piece == KNIGHT else ZERO
        bishops |= target if piece == BISHOP else ZERO
        rooks |= target if piece == ROOK else ZERO
        queens |= target if piece == QUEEN else ZERO
    else:
        if kind == EN_PASSANT:
            cleared = ~(target >> _8 if board.side == ZERO else target << _8)
        # Two ranks apart, the numbers of a pawn's squares differ in one bit: a2 is 8, a4 is 24.
        if kind == NORMAL and origin & pawns != ZERO and origin_of(move) ^ target_of(move) == _16:
            passed = bit((origin_of(move) + target_of(move)) >> ONE)
        pawns = _move(pawns, origin, target)
        knights = _move(knights, origin, target)
        bishops = _move(bishops, origin, target)
        rooks = _move(rooks, origin, target)
        queens = _move(queens, origin, target)
        king = _move(king, origin, target)
    return of_words(
        board.their_pawns & cleared,
        board.their_knights & cleared,
        board.their_bishops & cleared,
        board.their_rooks & cleared,
        board.their_queens & cleared,
        board.their_king,
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        king,
        passed,
        rights,
        board.side ^ ONE,
    )
