"""Sparse positions: few pieces with castling rights, en passant or pawns near promotion, whose deep trees are small."""

from __future__ import annotations

import numpy as np

from ..attacks import is_attacked, their_pawn_attacks
from ..board import Board, mirrored, ours, theirs
from ..fen.state import NOWHERE, State
from ..machine.bits import ZERO, byteswap, lsb, popcount, rest
from ..machine.draw import is_drawn
from ..machine.jit import inlined, subroutine
from ..safety import safety
from ..sliders.common import Tables
from .schedule import PoolWords, next_random

NEAR_OURS, NEAR_THEIRS = np.uint64(0x00FF_FF00_0000_0000), np.uint64(0x00FF_FF00)
"""The two ranks before promotion, of our pawns and of theirs."""
TRIES = 4
_2, _8 = np.uint64(2), np.uint64(8)


@inlined
def is_sparse(board: Board, most: np.uint64) -> bool:
    """Tell whether a board has at most so many pieces, and rights, en passant or a pawn near promotion."""
    near = board.pawns & NEAR_OURS | board.their_pawns & NEAR_THEIRS
    return bool(board.castling | board.en_passant | near != ZERO and popcount(ours(board) | theirs(board)) <= most)


@inlined
def _kept(pool: PoolWords, board: Board, most: np.uint64) -> np.uint64:
    """Return the squares whose pieces stay: those that matter with three chances in four, of the others one in four."""
    kings, occupied = board.king | board.their_king, ours(board) | theirs(board)
    passed = board.en_passant
    capture = passed >> _8 | their_pawn_attacks(passed) & board.pawns
    near = board.pawns & NEAR_OURS | board.their_pawns & NEAR_THEIRS
    special = (board.castling | capture | near) & (next_random(pool) | next_random(pool))
    others = occupied & next_random(pool) & next_random(pool)
    for _ in range(TRIES):
        if popcount(kings | special | others) <= most:
            return kings | special | others
        others &= next_random(pool)
        near &= next_random(pool)
        special &= board.castling | capture | near
    return kings | special & (board.castling | capture)


@inlined
def _reduced_to(board: Board, kept: np.uint64) -> Board:
    """Return the board with the pieces within `kept` alone, and the rights and en passant that they allow."""
    passed = board.en_passant
    takers = their_pawn_attacks(passed) & board.pawns & kept
    has_passed = passed >> _8 & kept != ZERO and takers != ZERO
    return Board(
        board.pawns & kept,
        board.knights & kept,
        board.diagonals & kept,
        board.orthogonals & kept,
        board.king,
        board.their_pawns & kept,
        board.their_knights & kept,
        board.their_diagonals & kept,
        board.their_orthogonals & kept,
        board.their_king,
        passed if has_passed else ZERO,
        board.castling & kept,
    )


@subroutine
def thinned(pool: PoolWords, state: State, most: np.uint64) -> State:
    """Return a position without most of its pieces, drawn at random; about `most` pieces stay.

    One that is sparse stays whole half of the times: pieces that matter together stay together.
    """
    is_whole = is_sparse(state.board, most) and is_drawn(next_random(pool), _2)
    occupied = ours(state.board) | theirs(state.board)
    board = _reduced_to(state.board, occupied if is_whole else _kept(pool, state.board, most))
    passed = state.passed if board.en_passant != ZERO else NOWHERE
    return State(board, state.black, passed, state.halfmove, state.fullmove)


@inlined
def is_playable(tables: Tables, board: Board) -> bool:
    """Tell whether the side that has moved is not in check, and the other one from one piece at the most.

    Pieces taken away may leave checks from several pieces, which no move can give.
    """
    other, occupied = mirrored(board), ours(board) | theirs(board)
    if is_attacked(tables, other, lsb(other.king), byteswap(occupied)):
        return False
    checkers, _, _, _ = safety(tables, board, lsb(board.king), occupied)
    return bool(rest(checkers) == ZERO)
