"""Selecting positions that were not sampled before, and sparse positions.

Short walks from the same bases reach the same positions repeatedly. Therefore a bit is set for the hash value of each
sampled position. A new position is lost if another position has set its bit. This happens to at most one in four
positions, because all bits are cleared once a quarter of them are set.

Sparse positions have few pieces, but castling rights, an en passant capture or a pawn near promotion. Their trees are
small even at large depths.
"""

from __future__ import annotations

import numpy as np

from ..attacks import is_attacked, their_pawn_attacks
from ..board import Board, change_board, mirror_board, ours, theirs
from ..encoding import bit
from ..fen import NOWHERE, State
from ..machine.bits import ONE, ZERO, byteswap, load, lsb, multiply, popcount, prefetch, rest, store
from ..machine.jit import inline, subroutine
from ..machine.xorshift import is_sampled
from ..safety import king_safety
from ..sliders.lookup import Tables
from .schedule import PoolWords, next_random

_2, _6, _8, _29, _40, _63 = (np.uint64(number) for number in (2, 6, 8, 29, 40, 63))
SEEN_WORDS = 1 << 18
MAX_SEEN = np.uint64(SEEN_WORDS * 64 // 4)

_MIXER = np.uint64(0x9E3779B97F4A7C15)


@inline
def place_of(board: Board, salt: np.uint64) -> np.uint64:
    """Return the index of a board's bit, a 24-bit hash that depends on `salt`."""
    # A product mixes bits only upwards, so each shift brings the upper bits down before the next bitboard is added. The
    # result is the top 24 bits, because there are 2**24 places.
    mixed = salt + ONE
    for word in board:
        mixed = multiply(mixed ^ word, _MIXER)
        mixed ^= mixed >> _29
    return multiply(mixed, _MIXER) >> _40


@inline
def fetch(seen: np.uint64, place: np.uint64) -> None:
    """Prefetch the memory of a bit before `is_first` needs it, because the bits do not fit into the cache."""
    prefetch(seen, ONE + (place >> _6))


@inline
def is_first(seen: np.uint64, place: np.uint64) -> bool:
    """Set the bit of a board; return True if it was not set before.

    `seen` is the address of the number of set bits, followed by `SEEN_WORDS` uint64 values.
    """
    bits = seen + np.uint64(8)
    word = load(bits, place >> _6)
    if word & bit(place & _63) != ZERO:
        return False
    # The bits are cleared, because the more of them are set, the more often a new position appears to be known.
    if load(seen, ZERO) >= MAX_SEEN:
        for index in range(SEEN_WORDS):
            store(bits, np.uint64(index), ZERO)
        store(seen, ZERO, ZERO)
        word = ZERO
    store(bits, place >> _6, word | bit(place & _63))
    store(seen, ZERO, load(seen, ZERO) + ONE)
    return True


NEAR_OURS, NEAR_THEIRS = np.uint64(0x00FF_FF00_0000_0000), np.uint64(0x00FF_FF00)
"""The two ranks before promotion for our pawns and the opponent's pawns."""
TRIES = 4


@inline
def is_sparse(board: Board, most: np.uint64) -> bool:
    """Return True if a board has at most `most` pieces and castling rights, en passant or a pawn near promotion."""
    near = board.pawns & NEAR_OURS | board.their_pawns & NEAR_THEIRS
    return bool(board.castling | board.en_passant | near != ZERO and popcount(ours(board) | theirs(board)) <= most)


@inline
def _random_kept_squares(pool: PoolWords, board: Board, most: np.uint64) -> np.uint64:
    """Return the squares whose pieces are kept: special pieces with probability 3/4, others with 1/4."""
    kings, occupied = board.king | board.their_king, ours(board) | theirs(board)
    passed = board.en_passant
    capture = passed >> _8 | their_pawn_attacks(passed) & board.pawns
    near = board.pawns & NEAR_OURS | board.their_pawns & NEAR_THEIRS
    # A bit is set with probability 3/4 in the OR of two random numbers, and 1/4 in their AND.
    special = (board.castling | capture | near) & (next_random(pool) | next_random(pool))
    others = occupied & next_random(pool) & next_random(pool)
    for _ in range(TRIES):
        if popcount(kings | special | others) <= most:
            return kings | special | others
        others &= next_random(pool)
        near &= next_random(pool)
        special &= board.castling | capture | near
    return kings | special & (board.castling | capture)


@inline
def _reduce_to(board: Board, kept: np.uint64) -> Board:
    """Return the board with only the pieces within `kept`, and the rights and en passant square that they allow."""
    passed = board.en_passant
    takers = their_pawn_attacks(passed) & board.pawns & kept
    # The en passant square remains if the pawn that has passed it and a pawn that may capture remain.
    has_passed = passed >> _8 & kept != ZERO and takers != ZERO
    return change_board(board, kept, board.king, passed if has_passed else ZERO, board.castling & kept)


@subroutine
def thin_out(pool: PoolWords, state: State, most: np.uint64) -> State:
    """Return a position with random pieces removed so that about `most` pieces remain.

    Half of the time, a sparse position is not changed, so that pieces that matter together stay together.
    """
    is_whole = is_sparse(state.board, most) and is_sampled(next_random(pool), _2)
    occupied = ours(state.board) | theirs(state.board)
    board = _reduce_to(state.board, occupied if is_whole else _random_kept_squares(pool, state.board, most))
    passed = state.passed if board.en_passant != ZERO else NOWHERE
    return State(board, state.black, passed, state.halfmove, state.fullmove)


@inline
def is_playable(tables: Tables, board: Board) -> bool:
    """Return True if the side that has moved is not in check and the other side is in check from at most one piece.

    Removing pieces may create checks from several pieces, which no move can give.
    """
    other, occupied = mirror_board(board), ours(board) | theirs(board)
    if is_attacked(tables, other, lsb(other.king), byteswap(occupied)):
        return False
    return bool(rest(king_safety(tables, board, lsb(board.king), occupied).checkers) == ZERO)
