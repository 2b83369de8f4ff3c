"""Write a position as FEN: the bytes that `Position.fen()` gives, as X-FEN or as Shredder-FEN."""

from __future__ import annotations

import numpy as np

from ..board import Board, mirror_board
from ..machine.bits import ONE, ZERO, lsb, rest, store8
from ..machine.jit import inline, kernel
from .state import NOWHERE, State, load_state

LONGEST_FEN = 96
"""Bytes that are enough for any FEN with its newline: 71 of pieces, 2 of the side to move, 5 of castling, 3 of the en
passant square, 6 of each counter, and one to spare for a digit of a gap that is not there.
"""

_LETTERS = np.uint64(int.from_bytes(b"\0PNBRK\0Q", "little"))
"""By what a piece counts: pawn 1, knight 2, king 5, and 3 for moving as a bishop, 4 as a rook."""
_RANK, _LOWER = np.uint64(0xFF), np.uint64(0x20)
_2, _3, _4, _5, _7, _8, _10, _56, _100 = (np.uint64(number) for number in (2, 3, 4, 5, 7, 8, 10, 56, 100))
_SPACE, _DASH, _SLASH, _DIGIT, _NEWLINE = (np.uint64(ord(letter)) for letter in " -/0\n")
_A, _K, _Q, _SMALL_A, _W, _B = (np.uint64(ord(letter)) for letter in "AKQawb")


@inline
def _put(text: np.uint64, length: np.uint64, letter: np.uint64) -> np.uint64:
    """Append a letter; return the new length."""
    store8(text, length, letter)
    return length + ONE


@inline
def _letter(board: Board, square: np.uint64) -> np.uint64:
    """Return the letter of the piece on a square of a board as White sees it."""
    bishops, rooks = board.diagonals | board.their_diagonals, board.orthogonals | board.their_orthogonals
    code = (board.pawns | board.their_pawns) >> square & ONE
    code += _2 * ((board.knights | board.their_knights) >> square & ONE)
    code += _3 * (bishops >> square & ONE) + _4 * (rooks >> square & ONE)
    code += _5 * ((board.king | board.their_king) >> square & ONE)
    black = board.their_pawns | board.their_knights | board.their_diagonals | board.their_orthogonals | board.their_king
    return _LETTERS >> (_8 * code) & _RANK | _LOWER * (black >> square & ONE)


@inline
def _put_gap(text: np.uint64, length: np.uint64, gap: np.uint64) -> np.uint64:
    """Append the number of empty squares, unless it is 0."""
    # Written in any case: where there is no gap, the next letter takes its place.
    store8(text, length, _DIGIT + gap)
    return length + (ONE if gap != ZERO else ZERO)


@inline
def _put_pieces(text: np.uint64, board: Board) -> np.uint64:
    """Write the first field and the space behind it; return the length."""
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
    """Append the letter of a castling rook, if there is one: its file where `beyond` has rooks outside of it.

    `names` is the letter of the side (K or Q), in the lower half of a word, and 32 for Black above it.
    """
    if rook == ZERO:
        return length
    # X-FEN names the file where another rook stands further outside, and K or Q would mean that one.
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
    """Append the castling rights of one side; of its rooks, those on the rank of its king matter."""
    rooks &= _RANK << (lsb(king) & _56)
    left = castling & (king - ONE)
    right = castling ^ left
    length = _put_right(text, length, right, rooks & ~(right | (right - ONE)) | by_file, _K | lower << _8)
    return _put_right(text, length, left, rooks & (left - ONE) | by_file, _Q | lower << _8)


@inline
def _put_rights(text: np.uint64, length: np.uint64, board: Board, by_file: np.uint64) -> np.uint64:
    """Append the third field and the space behind it."""
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
    """Append the en passant square, or a dash, and the space behind it."""
    if square == NOWHERE:
        length = _put(text, length, _DASH)
    else:
        length = _put(text, length, _SMALL_A + (square & _7))
        length = _put(text, length, _DIGIT + ONE + (square >> _3))
    return _put(text, length, _SPACE)


@inline
def _put_number(text: np.uint64, length: np.uint64, number: np.uint64) -> np.uint64:
    """Append a number in decimal digits."""
    # Nearly all numbers are: 10 is known to the compiler, which makes a product of the division, and a scale is not.
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
    """Write the FEN to address `text`, where `LONGEST_FEN` bytes are free; return its length.

    With `by_file` 1 castling rights are the files of the rooks (Shredder-FEN), with 0 letters of X-FEN.
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
    """Write the FENs of so many states to address `text`, a newline behind each; return the number of bytes.

    There is room for `LONGEST_FEN` bytes each. `by_file` is that of `write_fen`.
    """
    length = ZERO
    for place in range(number):
        length += write_fen(load_state(states, np.uint64(place)), text + length, by_file)
        length = _put(text, length, _NEWLINE)
    return length
