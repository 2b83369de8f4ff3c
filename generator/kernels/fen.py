"""Positions with all fields of a FEN, and kernels that write them as X-FEN or Shredder-FEN."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .board import BOARD_WORDS, Board, load_board, mirror_board, store_board, theirs
from .encoding import CASTLING, EN_PASSANT, KIND_MASK, bit, origin_of, target_of
from .machine.bits import ONE, ZERO, load, lsb, rest, store, store8
from .machine.jit import inline, kernel
from .play import play

STATE_WORDS = 16
NOWHERE = np.uint64(64)
"""The value of `State.passed` if there is no en passant square."""
MAX_COUNTER = np.uint64(99_999)
"""Maximum value of the counters, as in `notation.fen`."""
FLIP = np.uint64(56)
"""XOR with this converts a square between Black's and White's views."""

BLACK, PASSED, HALFMOVE, FULLMOVE = (np.uint64(place) for place in range(BOARD_WORDS, STATE_WORDS))
_BYTES = np.uint64(8 * STATE_WORDS)


class State(NamedTuple):
    """A position as a FEN describes it; `black` is 1 if Black is to move, otherwise 0.

    `passed` is the square that a pawn has just passed, from White's view, or `NOWHERE`. It does not depend on whether a
    pawn attacks this square.
    """

    board: Board
    black: np.uint64
    passed: np.uint64
    halfmove: np.uint64
    fullmove: np.uint64


@inline
def load_state(states: np.uint64, index: np.uint64) -> State:
    """Return element `index` of the array of states at address `states`."""
    words = states + index * _BYTES
    return State(
        load_board(words), load(words, BLACK), load(words, PASSED), load(words, HALFMOVE), load(words, FULLMOVE)
    )


@inline
def store_state(states: np.uint64, index: np.uint64, state: State) -> None:
    """Store a state as element `index` of the array at address `states`."""
    words = states + index * _BYTES
    store_board(words, state.board)
    store(words, BLACK, state.black)
    store(words, PASSED, state.passed)
    store(words, HALFMOVE, state.halfmove)
    store(words, FULLMOVE, state.fullmove)


@inline
def flip_of(state: State) -> np.uint64:
    """Return the constant whose XOR converts squares from the side to move's view to White's view."""
    return FLIP if state.black != ZERO else ZERO


@inline
def state_after(state: State, move: np.uint64) -> State:
    """Return the state after a legal move, with en passant square and counters as in `Position.play`."""
    board, origin, target = state.board, origin_of(move), target_of(move)
    is_pawn = bit(origin) & board.pawns != ZERO
    kind = move & KIND_MASK
    takes = kind == EN_PASSANT or (kind != CASTLING and bit(target) & theirs(board) != ZERO)
    # As in a FEN, the square is set after every double push, even if no pawn can capture there.
    passed = origin + _8 ^ flip_of(state) if is_pawn and target == origin + _16 else NOWHERE
    halfmove = ZERO if is_pawn or takes else min(state.halfmove + ONE, MAX_COUNTER)
    # The move number is incremented after Black's move.
    fullmove = min(state.fullmove + state.black, MAX_COUNTER)
    return State(play(board, move), state.black ^ ONE, passed, halfmove, fullmove)


LONGEST_FEN = 96
"""Maximum bytes of a FEN with its newline: 71 for the pieces, 2 for the side to move, 5 for castling, 3 for the en
passant square, 6 for each counter, and one for a gap digit, which is written even if there is no gap.
"""

_LETTERS = np.uint64(int.from_bytes(b"\0PNBRK\0Q", "little"))
"""Letters, indexed by the sum of these codes: pawn 1, knight 2, king 5, moves like a bishop 3, moves like a rook 4."""
_RANK, _LOWER = np.uint64(0xFF), np.uint64(0x20)
_2, _3, _4, _5, _7, _8, _10, _16, _56, _100 = (np.uint64(number) for number in (2, 3, 4, 5, 7, 8, 10, 16, 56, 100))
_SPACE, _DASH, _SLASH, _DIGIT, _NEWLINE = (np.uint64(ord(letter)) for letter in " -/0\n")
_A, _K, _Q, _SMALL_A, _W, _B = (np.uint64(ord(letter)) for letter in "AKQawb")


@inline
def _put(text: np.uint64, length: np.uint64, letter: np.uint64) -> np.uint64:
    """Append a letter; return the new length."""
    store8(text, length, letter)
    return length + ONE


@inline
def _letter(board: Board, square: np.uint64) -> np.uint64:
    """Return the letter of the piece on a square of a board from White's view."""
    bishops, rooks = board.diagonals | board.their_diagonals, board.orthogonals | board.their_orthogonals
    code = (board.pawns | board.their_pawns) >> square & ONE
    code += _2 * ((board.knights | board.their_knights) >> square & ONE)
    code += _3 * (bishops >> square & ONE) + _4 * (rooks >> square & ONE)
    code += _5 * ((board.king | board.their_king) >> square & ONE)
    black = board.their_pawns | board.their_knights | board.their_diagonals | board.their_orthogonals | board.their_king
    return _LETTERS >> (_8 * code) & _RANK | _LOWER * (black >> square & ONE)


@inline
def _put_gap(text: np.uint64, length: np.uint64, gap: np.uint64) -> np.uint64:
    """Append the number of empty squares, unless it is 0; return the new length."""
    # The digit is always written; if there is no gap, the next letter overwrites it.
    store8(text, length, _DIGIT + gap)
    return length + (ONE if gap != ZERO else ZERO)


@inline
def _put_pieces(text: np.uint64, board: Board) -> np.uint64:
    """Write the first field and a space; return their length."""
    occupied = board.pawns | board.knights | board.diagonals | board.orthogonals | board.king
    occupied |= board.their_pawns | board.their_knights | board.their_diagonals | board.their_orthogonals
    occupied |= board.their_king
    length, rank = ZERO, _8
    while rank != ZERO:
        rank -= ONE
        row, file = occupied >> (_8 * rank) & _RANK, ZERO
        while row != ZERO:
            length = _put_gap(text, length, lsb(row) - file)
            file = lsb(row)
            length = _put(text, length, _letter(board, _8 * rank + file))
            file += ONE
            row = rest(row)
        length = _put_gap(text, length, _8 - file)
        length = _put(text, length, _SLASH if rank != ZERO else _SPACE)
    return length


@inline
def _put_right(text: np.uint64, length: np.uint64, rook: np.uint64, beyond: np.uint64, names: np.uint64) -> np.uint64:
    """Append the letter of a castling right if the bitboard `rook` is not empty; return the new length.

    The letter is the rook's file if the bitboard `beyond` contains a rook further outside, otherwise K or Q. The low
    byte of `names` is this K or Q; the next byte is 32 for Black, otherwise 0.
    """
    if rook == ZERO:
        return length
    # X-FEN writes the file if another rook stands further outside, because K or Q would refer to that rook.
    letter = names & _RANK if beyond == ZERO else _A + (lsb(rook) & _7)
    return _put(text, length, letter | names >> _8)


@inline
def _put_side(
    text: np.uint64,
    length: np.uint64,
    king: np.uint64,
    rooks: np.uint64,
    castling: np.uint64,
    lower: np.uint64,
    by_file: np.uint64,
) -> np.uint64:
    """Append the castling rights of one side; only its rooks on the king's rank matter."""
    rooks &= _RANK << (lsb(king) & _56)
    left = castling & (king - ONE)
    right = castling ^ left
    length = _put_right(text, length, right, rooks & ~(right | (right - ONE)) | by_file, _K | lower << _8)
    return _put_right(text, length, left, rooks & (left - ONE) | by_file, _Q | lower << _8)


@inline
def _put_rights(text: np.uint64, length: np.uint64, board: Board, by_file: np.uint64) -> np.uint64:
    """Append the third field and a space."""
    before = length
    if board.castling != ZERO:
        rooks, their_rooks = board.orthogonals & ~board.diagonals, board.their_orthogonals & ~board.their_diagonals
        length = _put_side(text, length, board.king, rooks, board.castling & rooks, ZERO, by_file)
        theirs = board.castling & their_rooks
        length = _put_side(text, length, board.their_king, their_rooks, theirs, _LOWER, by_file)
    if length == before:
        length = _put(text, length, _DASH)
    return _put(text, length, _SPACE)


@inline
def _put_square(text: np.uint64, length: np.uint64, square: np.uint64) -> np.uint64:
    """Append the en passant square, or a dash, and a space."""
    if square == NOWHERE:
        length = _put(text, length, _DASH)
    else:
        length = _put(text, length, _SMALL_A + (square & _7))
        length = _put(text, length, _DIGIT + ONE + (square >> _3))
    return _put(text, length, _SPACE)


@inline
def _put_number(text: np.uint64, length: np.uint64, number: np.uint64) -> np.uint64:
    """Append a number in decimal digits."""
    # Nearly all numbers are below 100. The compiler converts a division by the constant 10 to a multiplication, but not
    # a division by a variable.
    if number < _100:
        store8(text, length, _DIGIT + number // _10)
        return _put(text, length + (ONE if number >= _10 else ZERO), _DIGIT + number % _10)
    scale = ONE
    while number // scale >= _10:
        scale *= _10
    while scale != ZERO:
        length = _put(text, length, _DIGIT + number // scale % _10)
        scale //= _10
    return length


@inline
def write_fen(state: State, text: np.uint64, by_file: np.uint64) -> np.uint64:
    """Write the FEN to address `text`, which has space for `LONGEST_FEN` bytes; return its length.

    If `by_file` is 1, castling rights are the files of the rooks (Shredder-FEN); if it is 0, they are written as in
    X-FEN.
    """
    board = mirror_board(state.board) if state.black != ZERO else state.board
    length = _put_pieces(text, board)
    length = _put(text, length, _B if state.black != ZERO else _W)
    length = _put(text, length, _SPACE)
    length = _put_rights(text, length, board, by_file)
    length = _put_square(text, length, state.passed)
    length = _put_number(text, length, state.halfmove)
    length = _put(text, length, _SPACE)
    return _put_number(text, length, state.fullmove)


@kernel
def write_lines(states: np.uint64, number: np.uint64, text: np.uint64, by_file: np.uint64) -> np.uint64:
    """Write the FENs of `number` states to address `text`, each followed by a newline; return the number of bytes.

    There must be space for `LONGEST_FEN` bytes per state. `by_file` is as in `write_fen`.
    """
    length = ZERO
    for place in range(number):
        length += write_fen(load_state(states, np.uint64(place)), text + length, by_file)
        length = _put(text, length, _NEWLINE)
    return length
