"""Positions in 32 bytes: packing a board and its number of games into a record of four uint64 values, and unpacking it.

A record consists of the occupied squares, the codes of the first 16 of them, the codes of the next 16, and the number
of games. Squares are in ascending order. Each code has 4 bits, starting at the lowest bits of a value: a piece type,
plus bit 3 for the opponent's pieces:

    0 pawn      1 knight    2 bishop    3 king
    4 rook      5 rook that may castle  6 queen    7 pawn that may be captured en passant

Each bit of the codes therefore corresponds to a bitboard; bits 1 and 2 are the slider bitboards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..board import BOARD_BYTES, Board, board_at, ours, store_board, theirs
from ..machine.bits import ONE, ZERO, load, lsb, rest, store
from ..machine.jit import inline, kernel

RECORD_WORDS = 4
RECORD_SQUARES = 32
"""Maximum number of squares whose codes fit into a record."""

OCCUPIED, FIRST_CODES, NEXT_CODES, GAMES = (np.uint64(place) for place in range(RECORD_WORDS))

_2, _3, _4, _8, _64 = (np.uint64(number) for number in (2, 3, 4, 8, 64))
_RECORD_BYTES = np.uint64(8 * RECORD_WORDS)


class Planes(NamedTuple):
    """The codes of all squares, with one bitboard per bit."""

    first: np.uint64
    second: np.uint64
    third: np.uint64
    theirs: np.uint64


@inline
def planes_of(board: Board) -> Planes:
    """Return the codes of all squares of a board."""
    # A queen has the bits of bishop and rook. Bits 1 and 2 are therefore the slider bitboards, except for kings and
    # pawns that may be captured en passant, which have the remaining codes.
    kings = board.king | board.their_king
    passed = board.en_passant >> _8
    return Planes(
        board.knights | board.their_knights | kings | board.castling | passed,
        board.diagonals | board.their_diagonals | kings | passed,
        board.orthogonals | board.their_orthogonals | passed,
        theirs(board),
    )


@inline
def board_of(occupied: np.uint64, planes: Planes) -> Board:
    """Return the board with these codes on its occupied squares."""
    their = planes.theirs
    # The inverse: a pawn that may be captured en passant has all three bits, a king the lower two, a castling rook the
    # outer two.
    our = occupied ^ their
    first, second, third = planes.first, planes.second, planes.third
    passed = first & second & third
    kings = first & second & ~third
    knights = first & ~(second | third)
    pawns = occupied & ~(first | second | third) | passed
    diagonals, orthogonals = second & ~first, third & ~passed
    return Board(
        pawns & our,
        knights & our,
        diagonals & our,
        orthogonals & our,
        kings & our,
        pawns & their,
        knights & their,
        diagonals & their,
        orthogonals & their,
        kings & their,
        passed << _8,
        first & third & ~second,
    )


@inline
def _pack(board: Board, record: np.uint64) -> None:
    planes = planes_of(board)
    occupied = ours(board) | theirs(board)
    left, word, codes, shift = occupied, FIRST_CODES, ZERO, ZERO
    store(record, OCCUPIED, occupied)
    store(record, NEXT_CODES, ZERO)
    while left != ZERO:
        square = lsb(left)
        code = planes.first >> square & ONE | (planes.second >> square & ONE) << ONE
        code |= (planes.third >> square & ONE) << _2 | (planes.theirs >> square & ONE) << _3
        codes |= code << shift
        shift += _4
        left = rest(left)
        # A value holds 16 codes. The next value is started before a shift by 64 bits, which is undefined.
        if shift == _64:
            store(record, word, codes)
            word, codes, shift = NEXT_CODES, ZERO, ZERO
    if shift != ZERO:
        store(record, word, codes)


@inline
def _unpack(record: np.uint64) -> Board:
    occupied = load(record, OCCUPIED)
    left, codes, following = occupied, load(record, FIRST_CODES), load(record, NEXT_CODES)
    first, second, third, their, shift = ZERO, ZERO, ZERO, ZERO, ZERO
    while left != ZERO:
        if shift == _64:
            codes, shift = following, ZERO
        square, code = lsb(left), codes >> shift
        first |= (code & ONE) << square
        second |= (code >> ONE & ONE) << square
        third |= (code >> _2 & ONE) << square
        their |= (code >> _3 & ONE) << square
        shift += _4
        left = rest(left)
    return board_of(occupied, Planes(first, second, third, their))


@kernel
def pack_boards(boards: np.uint64, games: np.uint64, number: np.uint64, records: np.uint64) -> None:
    """Pack `number` boards, each with at most `RECORD_SQUARES` pieces, into the records at address `records`.

    `boards` and `games` are the addresses of the boards and of the number of games that lead to each.
    """
    for place in range(number):
        index = np.uint64(place)
        record = records + index * _RECORD_BYTES
        _pack(board_at(boards, index), record)
        store(record, GAMES, load(games, index))


@kernel
def unpack_records(records: np.uint64, number: np.uint64, boards: np.uint64, games: np.uint64) -> None:
    """Unpack `number` records at address `records`, and write them to the addresses `boards` and `games`."""
    for place in range(number):
        index = np.uint64(place)
        record = records + index * _RECORD_BYTES
        store_board(boards + index * BOARD_BYTES, _unpack(record))
        store(games, index, load(record, GAMES))
