"""Positions a few changes away from another position.

Pieces are moved, added, removed or replaced, and the side to move or the clock changes. This leads to positions that
walks do not reach, such as those with a third knight. The changes are the same as in `strategies/mutations.py`.
"""

from __future__ import annotations

import numpy as np

from ..board import Board, change_board, mirror_board, ours, theirs
from ..fen import NOWHERE, State
from ..machine.bits import ALL, ONE, ZERO, popcount, rest
from ..machine.jit import inline, subroutine
from ..machine.xorshift import random_below
from .schedule import PoolWords, next_random

_KINDS, _PAWNS, _KNIGHTS, _BISHOPS, _ROOKS = (np.uint64(number) for number in (5, 0, 1, 2, 3))
"""The number of piece types, and the types except the queen, 4; those of the opponent are higher by 5."""
_2, _8, _10, _16 = (np.uint64(number) for number in (2, 8, 10, 16))
_CLOCKS = np.uint64(100)
"""Exclusive upper bound of random halfmove clocks, which stay below the fifty-move rule."""
_BACK_RANKS = np.uint64(0xFF00_0000_0000_00FF)
COME, GONE, CHANGED, DOUBLED, KING_MOVED = (np.uint64(number) for number in range(5))
_CHANGES = np.uint64(10)
"""A change is a random number below this; numbers without a name move a piece, the smallest change."""


@inline
def _nth(bits: np.uint64, number: np.uint64) -> np.uint64:
    """Return the set bit with `number` set bits below it."""
    for _ in range(number):
        bits = rest(bits)
    return bits & (ZERO - bits)


@inline
def _random_bit(pool: PoolWords, bits: np.uint64) -> np.uint64:
    return _nth(bits, random_below(next_random(pool), popcount(bits)))


@inline
def _without(board: Board, square: np.uint64) -> Board:
    """Return the board without the piece on a square and without en passant, which may depend on the piece."""
    return change_board(board, ~square, board.king, ZERO, board.castling & ~square)


@inline
def _kind_at(board: Board, square: np.uint64) -> np.uint64:
    """Return the type of the piece on a square, which must not be a king; 5 is added if it is the opponent's."""
    theirs_more = _KINDS if theirs(board) & square != ZERO else ZERO
    if (board.pawns | board.their_pawns) & square != ZERO:
        return _PAWNS + theirs_more
    if (board.knights | board.their_knights) & square != ZERO:
        return _KNIGHTS + theirs_more
    is_diagonal = (board.diagonals | board.their_diagonals) & square != ZERO
    is_orthogonal = (board.orthogonals | board.their_orthogonals) & square != ZERO
    if is_diagonal and is_orthogonal:
        return _ROOKS + ONE + theirs_more
    return (_BISHOPS if is_diagonal else _ROOKS) + theirs_more


@inline
def _with(board: Board, square: np.uint64, kind: np.uint64) -> Board:
    """Return the board with a piece added on an empty square, unless it is a pawn on a back rank."""
    own = square if kind < _KINDS else ZERO
    other = square ^ own
    kind -= ZERO if kind < _KINDS else _KINDS
    is_pawn = kind == _PAWNS and square & _BACK_RANKS == ZERO
    pawns, knights = square if is_pawn else ZERO, square if kind == _KNIGHTS else ZERO
    diagonals = square if kind == _BISHOPS or kind > _ROOKS else ZERO
    orthogonals = square if kind >= _ROOKS else ZERO
    return Board(
        board.pawns | own & pawns,
        board.knights | own & knights,
        board.diagonals | own & diagonals,
        board.orthogonals | own & orthogonals,
        board.king,
        board.their_pawns | other & pawns,
        board.their_knights | other & knights,
        board.their_diagonals | other & diagonals,
        board.their_orthogonals | other & orthogonals,
        board.their_king,
        ZERO,
        board.castling,
    )


@inline
def _change(pool: PoolWords, board: Board) -> Board:
    change, kind = random_below(next_random(pool), _CHANGES), random_below(next_random(pool), _10)
    occupied = ours(board) | theirs(board)
    pieces = occupied & ~(board.king | board.their_king)
    empty = _random_bit(pool, ~occupied)
    if change == KING_MOVED:
        return change_board(board, ALL, empty, ZERO, board.castling & ~ours(board))
    if change == COME or pieces == ZERO:
        return _with(board, empty, kind)
    square = _random_bit(pool, pieces)
    if change == GONE:
        return _without(board, square)
    if change == CHANGED:
        return _with(_without(board, square), square, kind)
    same = _kind_at(board, square)
    if change == DOUBLED:
        return _with(board, empty, same)
    return _with(_without(board, square), empty, same)


@inline
def _has_possible_pieces(pawns: np.uint64, knights: np.uint64, diagonals: np.uint64, orthogonals: np.uint64) -> bool:
    """Return True if promotions can account for all pieces of a side."""
    queens = diagonals & orthogonals
    bishops, rooks = diagonals ^ queens, orthogonals ^ queens
    missing = _8 - popcount(pawns)
    promoted = ZERO
    for number, first in ((popcount(knights), _2), (popcount(bishops), _2), (popcount(rooks), _2)):
        promoted += number - first if number > first else ZERO
    promoted += popcount(queens) - ONE if popcount(queens) > ONE else ZERO
    return bool(popcount(pawns) <= _8 and promoted <= missing)


@inline
def is_possible(board: Board) -> bool:
    """Return True if a game can lead to these pieces of both sides."""
    return _has_possible_pieces(board.pawns, board.knights, board.diagonals, board.orthogonals) and (
        _has_possible_pieces(board.their_pawns, board.their_knights, board.their_diagonals, board.their_orthogonals)
    )


@subroutine
def change_some(pool: PoolWords, state: State, most: np.uint64) -> State:
    """Return a position after 1 to `most` random changes; it may not be playable."""
    board, black, halfmove = _without(state.board, ZERO), state.black, state.halfmove  # clears only en passant
    for _ in range(ONE + random_below(next_random(pool), most)):
        sampled = random_below(next_random(pool), _16)
        if sampled == ZERO:
            board, black = mirror_board(board), black ^ ONE
        elif sampled == ONE:
            halfmove = random_below(next_random(pool), _CLOCKS)
        else:
            board = _change(pool, board)
    # The move number must be high enough for the clock, because some programs check this.
    return State(board, black, NOWHERE, halfmove, max(state.fullmove, halfmove // _2 + ONE))
