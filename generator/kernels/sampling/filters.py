"""Which positions are wanted: those that were not drawn already, and where it is asked for, sparse ones.

Short walks from the same bases lead to the same places again and again. So there is one bit for each hash of a
position. A position whose bit is set by another one is left out as well, which concerns one in four at the most, for
the bits are cleared once a quarter of them is set.

Sparse positions have few pieces, with castling rights, en passant or pawns near promotion: their deep trees are small.
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
MOST_SEEN = np.uint64(SEEN_WORDS * 64 // 4)

_MIXER = np.uint64(0x9E3779B97F4A7C15)


@inline
def place_of(board: Board, salt: np.uint64) -> np.uint64:
    """Return the bit of a board with this salt, a number: 24 bits of a hash."""
    # A product mixes upwards alone: each shift brings the upper bits down before the next word comes. The top 24 bits
    # of the last one are as many as there are places.
    mixed = salt + ONE
    for word in board:
        mixed = multiply(mixed ^ word, _MIXER)
        mixed ^= mixed >> _29
    return multiply(mixed, _MIXER) >> _40


@inline
def fetch(seen: np.uint64, place: np.uint64) -> None:
    """Have the word of a bit brought near, before `is_first` needs it: the words are too many to be there."""
    prefetch(seen, ONE + (place >> _6))


@inline
def is_first(seen: np.uint64, place: np.uint64) -> bool:
    """Return True if the board of this bit comes for the first time; it does not the next time.

    `seen` is the address of a word with the number of bits set, and of `SEEN_WORDS` behind it.
    """
    bits = seen + np.uint64(8)
    word = load(bits, place >> _6)
    if word & bit(place & _63) != ZERO:
        return False
    # The fuller the bits are, the more often another position has set one: they begin anew.
    if load(seen, ZERO) >= MOST_SEEN:
        for index in range(SEEN_WORDS):
            store(bits, np.uint64(index), ZERO)
        store(seen, ZERO, ZERO)
        word = ZERO
    store(bits, place >> _6, word | bit(place & _63))
    store(seen, ZERO, load(seen, ZERO) + ONE)
    return True


NEAR_OURS, NEAR_THEIRS = np.uint64(0x00FF_FF00_0000_0000), np.uint64(0x00FF_FF00)
"""The two ranks before promotion, of our pawns and of theirs."""
TRIES = 4


@inline
def is_sparse(board: Board, most: np.uint64) -> bool:
    """Return True if a board has at most so many pieces, and rights, en passant or a pawn near promotion."""
    near = board.pawns & NEAR_OURS | board.their_pawns & NEAR_THEIRS
    return bool(board.castling | board.en_passant | near != ZERO and popcount(ours(board) | theirs(board)) <= most)


@inline
def _draw_kept_squares(pool: PoolWords, board: Board, most: np.uint64) -> np.uint64:
    """Return the squares whose pieces stay: those that matter with three chances in four, of the others one in four."""
    kings, occupied = board.king | board.their_king, ours(board) | theirs(board)
    passed = board.en_passant
    capture = passed >> _8 | their_pawn_attacks(passed) & board.pawns
    near = board.pawns & NEAR_OURS | board.their_pawns & NEAR_THEIRS
    # A bit of two random words together is set with three chances in four by or, with one in four by and.
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
    """Return the board with the pieces within `kept` alone, and the rights and en passant that they allow."""
    passed = board.en_passant
    takers = their_pawn_attacks(passed) & board.pawns & kept
    # The square is there as long as both pawns are: the one that has passed it and one that may take.
    has_passed = passed >> _8 & kept != ZERO and takers != ZERO
    return change_board(board, kept, board.king, passed if has_passed else ZERO, board.castling & kept)


@subroutine
def thin_out(pool: PoolWords, state: State, most: np.uint64) -> State:
    """Return a position without most of its pieces, drawn at random; about `most` pieces stay.

    One that is sparse stays whole half of the times: pieces that matter together stay together.
    """
    is_whole = is_sparse(state.board, most) and is_sampled(next_random(pool), _2)
    occupied = ours(state.board) | theirs(state.board)
    board = _reduce_to(state.board, occupied if is_whole else _draw_kept_squares(pool, state.board, most))
    passed = state.passed if board.en_passant != ZERO else NOWHERE
    return State(board, state.black, passed, state.halfmove, state.fullmove)


@inline
def is_playable(tables: Tables, board: Board) -> bool:
    """Return True if the side that has moved is not in check, and the other one from one piece at the most.

    Pieces taken away may leave checks from several pieces, which no move can give.
    """
    other, occupied = mirror_board(board), ours(board) | theirs(board)
    if is_attacked(tables, other, lsb(other.king), byteswap(occupied)):
        return False
    return bool(rest(king_safety(tables, board, lsb(board.king), occupied).checkers) == ZERO)
