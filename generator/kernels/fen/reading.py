"""Read a FEN that is plainly right, and of any other line say only that it is doubtful.

The rules are those of `notation.fen.parse_fen`, which tells in words what is wrong with a doubtful line, or reads it.

The fields are read one after the other. Each reader gets the address of the line and the place where the field before
ends. It returns what it has read and the place where its own field ends, or `NOT_READ`; behind a field that is not read
none is. No reader goes on behind a byte that it does not expect, so that none leaves its line. Castling rights are
KQkq (X-FEN) or the files of the rooks (Shredder-FEN), mixed as they come.
"""

from __future__ import annotations

import numpy as np

from ..attacks import is_attacked
from ..board import Board, change_board, mirror_board, ours, theirs
from ..machine.bits import ALL, ONE, ZERO, byteswap, load8, lowest, lsb, popcount, rest, store8
from ..machine.jit import inline, kernel, subroutine
from ..pawns import RANK_8, en_passant_target
from ..sliders.lookup import Tables
from .state import FLIP, MAX_COUNTER, NOWHERE, State, store_state

_2, _8, _10, _56 = (np.uint64(number) for number in (2, 8, 10, 56))
DOUBTFUL, STANDARD, CHESS960 = (np.uint64(mark) for mark in range(3))
"""What is said of a line: another reader is to be asked; it is read; it is read, and needs Chess960."""
NOT_READ = ZERO
"""No field ends before the first byte, and that is no space."""
RANK_1, _RANK_6, _FILE_A = np.uint64(0xFF), np.uint64(0xFF << 40), np.uint64(0x0101010101010101)
_E1_E8, _CORNERS = np.uint64(0x1000000000000010), np.uint64(0x8100000000000081)

_LETTER_BITS, _LETTER, _CASE, _NUMBER = (np.uint64(number) for number in (0xC0, 0x40, 5, 31))
"""Of a byte: what tells a letter; of a letter: the bit that lower case has, and its number in the alphabet."""
_SPACE, DASH, _SLASH, _DIGIT, _A, _H, _W, _B = (np.uint64(ord(letter)) for letter in " -/0ahwb")
NEWLINE = np.uint64(ord("\n"))
_K, _Q = (np.uint64(ord(letter) & 31) for letter in "kq")
_MOST_DIGITS = np.uint64(len(str(MAX_COUNTER)))


def _letters(text: str) -> np.uint64:
    """Return a set of letters, one bit for each by its number in the alphabet."""
    return np.uint64(sum(1 << (ord(letter) & int(_NUMBER)) for letter in text))


_PIECES, _PAWN, _KNIGHT, _DIAGONAL, _ORTHOGONAL, _KING = map(_letters, ("pnbrqk", "p", "n", "bq", "rq", "k"))


@inline
def is_letter(byte: np.uint64) -> bool:
    """Tell whether a byte is a letter, or one of the signs beside them, whose numbers no letter has."""
    return bool(byte & _LETTER_BITS == _LETTER)


@inline
def is_lower(letter: np.uint64) -> np.uint64:
    """Return 1 for a letter in lower case, else 0."""
    return letter >> _CASE & ONE


@inline
def number_of(letter: np.uint64) -> np.uint64:
    """Return the number of a letter in the alphabet, from 1."""
    return letter & _NUMBER


@inline
def after_spaces(line: np.uint64, at: np.uint64) -> np.uint64:
    """Return the place behind one space or more, or `NOT_READ` where there is none."""
    if load8(line, at) != _SPACE:
        return NOT_READ
    while load8(line, at) == _SPACE:
        at += ONE
    return at


@inline
def _has(letters: np.uint64, letter: np.uint64) -> np.uint64:
    """Return 1 for a letter of a set, in either case, else 0."""
    return letters >> number_of(letter) & ONE


@inline
def _are_right(board: Board) -> bool:
    """Tell whether each side has one king, and no pawn stands on a back rank."""
    kings = popcount(board.king) == ONE and popcount(board.their_king) == ONE
    return bool(kings and (board.pawns | board.their_pawns) & (RANK_1 | RANK_8) == ZERO)


@inline
def read_pieces(line: np.uint64) -> tuple[Board, np.uint64]:
    """Read the first field, with which the line begins: the board as White sees it, without rights."""
    at, first, file, after_digit = ZERO, _56, ZERO, False
    occupied, black, pawns, knights, diagonals, orthogonals, kings = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    while True:
        # A newline is none of these, so that the loop ends with the line.
        byte = load8(line, at)
        if is_letter(byte) and _has(_PIECES, byte) != ZERO and file < _8:
            square = first + file
            occupied |= ONE << square
            black |= is_lower(byte) << square
            pawns |= _has(_PAWN, byte) << square
            knights |= _has(_KNIGHT, byte) << square
            diagonals |= _has(_DIAGONAL, byte) << square
            orthogonals |= _has(_ORTHOGONAL, byte) << square
            kings |= _has(_KING, byte) << square
            file += ONE
            after_digit = False
        elif byte > _DIGIT and byte <= _DIGIT + _8 and not after_digit:
            file += byte - _DIGIT
            after_digit = True
        elif byte == _SLASH and file == _8 and first != ZERO:
            first -= _8
            file, after_digit = ZERO, False
        else:
            break
        at += ONE
    # Letters set bits by their numbers, without a branch for each piece: a queen's is in both sets of sliders.
    white = occupied & ~black
    board = Board(
        pawns & white,
        knights & white,
        diagonals & white,
        orthogonals & white,
        kings & white,
        pawns & black,
        knights & black,
        diagonals & black,
        orthogonals & black,
        kings & black,
        ZERO,
        ZERO,
    )
    return board, (at if file == _8 and first == ZERO and _are_right(board) else NOT_READ)


@inline
def read_turn(line: np.uint64, at: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Read the second field: 1 with Black to move, else 0."""
    at = after_spaces(line, at)
    turn = load8(line, at)
    black = ONE if turn == _B else ZERO
    return black, (at + ONE if at != NOT_READ and (turn == _W or turn == _B) else NOT_READ)


@inline
def read_square(line: np.uint64, at: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Read the fourth field: the square that a pawn has passed, or `NOWHERE`."""
    at = after_spaces(line, at)
    file = load8(line, at)
    if at == NOT_READ or file == DASH:
        return NOWHERE, (NOT_READ if at == NOT_READ else at + ONE)
    if file < _A or file > _H:
        return NOWHERE, NOT_READ
    rank = load8(line, at + ONE)
    if rank <= _DIGIT or rank > _DIGIT + _8:
        return NOWHERE, NOT_READ
    return _8 * (rank - _DIGIT - ONE) + file - _A, at + _2


@inline
def _read_counter(line: np.uint64, at: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Read a counter of at most as many digits as the largest has."""
    at = after_spaces(line, at)
    if at == NOT_READ:
        return ZERO, NOT_READ
    # No more digits than the largest counter has: others are doubtful, and 64 bits hold all that are read.
    number, first, end = ZERO, at, at + _MOST_DIGITS
    byte = load8(line, at)
    while byte >= _DIGIT and byte < _DIGIT + _10 and at != end:
        number = _10 * number + byte - _DIGIT
        at += ONE
        byte = load8(line, at)
    return number, (at if at != first else NOT_READ)


@inline
def _ends(line: np.uint64, at: np.uint64) -> bool:
    """Tell whether nothing but spaces is left of a line."""
    while load8(line, at) == _SPACE:
        at += ONE
    return bool(load8(line, at) == NEWLINE)


@inline
def read_counters(line: np.uint64, at: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Read the last two fields, or none, which mean 0 and 1, and what is left of the line: spaces."""
    if at == NOT_READ:
        return ZERO, ONE, NOT_READ
    if _ends(line, at):
        return ZERO, ONE, at
    halfmove, at = _read_counter(line, at)
    fullmove, at = _read_counter(line, at)
    return halfmove, max(ONE, fullmove), (at if at != NOT_READ and _ends(line, at) else NOT_READ)


@inline
def _highest(squares: np.uint64) -> np.uint64:
    """Return the highest of a few squares, or none of none."""
    while rest(squares) != ZERO:
        squares = rest(squares)
    return squares


@inline
def _castling_rook(board: Board, letter: np.uint64) -> np.uint64:
    """Return the rook that a letter means, or none where it means none."""
    if is_lower(letter) == ZERO:
        rank, king, rooks = RANK_1, board.king, board.orthogonals & ~board.diagonals
    else:
        rank, king, rooks = RANK_8, board.their_king, board.their_orthogonals & ~board.their_diagonals
    if king & rank == ZERO:
        return ZERO
    rooks &= rank
    # X-FEN: K and Q are the outermost rooks of their sides; a rook inside of another one is named by its file.
    side = number_of(letter)
    if side == _K:
        return _highest(rooks & ~(king - ONE))
    if side == _Q:
        return lowest(rooks & (king - ONE))
    return rooks & _FILE_A << (side - ONE) if side != ZERO and side <= _8 else ZERO


@inline
def _are_apart(rights: np.uint64, king: np.uint64) -> bool:
    """Tell whether at most one castling rook of a side stands on each side of its king."""
    left = rights & (king - ONE)
    return bool(rest(left) | rest(rights ^ left) == ZERO)


@inline
def read_rights(line: np.uint64, at: np.uint64, board: Board) -> tuple[np.uint64, np.uint64]:
    """Read the third field: the castling rooks, as White sees them."""
    at = after_spaces(line, at)
    if at == NOT_READ or load8(line, at) == DASH:
        return ZERO, (NOT_READ if at == NOT_READ else at + ONE)
    rights, letter = ZERO, load8(line, at)
    while is_letter(letter):
        rook = _castling_rook(board, letter)
        # There is no such rook, or it comes twice.
        if rook & ~rights == ZERO:
            return ZERO, NOT_READ
        rights |= rook
        at += ONE
        letter = load8(line, at)
    are_right = _are_apart(rights & RANK_1, board.king) and _are_apart(rights & RANK_8, board.their_king)
    return rights, (at if are_right and rights != ZERO else NOT_READ)


@inline
def are_standard(board: Board, rights: np.uint64) -> bool:
    """Tell whether every right is one of standard chess: king on the e-file, rook in the corner."""
    kings = (ZERO if rights & RANK_1 == ZERO else board.king) | (ZERO if rights & RANK_8 == ZERO else board.their_king)
    return bool(kings & ~_E1_E8 | rights & ~_CORNERS == ZERO)


@inline
def _may_be_passed(board: Board, target: np.uint64) -> bool:
    """Tell whether a pawn of theirs may just have passed a square with its double step."""
    empty = (ours(board) | theirs(board)) & (target | target << _8) == ZERO
    return bool(empty and target & _RANK_6 != ZERO and target >> _8 & board.their_pawns != ZERO)


@subroutine
def read_fen(tables: Tables, line: np.uint64, states: np.uint64, index: np.uint64) -> np.uint64:
    """Read the line at address `line`, write its state to place `index` at address `states`; return the line's mark.

    A line is ASCII with spaces as its only blanks, or doubtful. A doubtful one leaves the state as it was.
    """
    # `NOT_READ` is 0: a line that begins with no space stays where it is.
    line += after_spaces(line, ZERO)
    white, at = read_pieces(line)
    black, at = read_turn(line, at)
    rights, at = read_rights(line, at, white)
    passed, at = read_square(line, at)
    halfmove, fullmove, at = read_counters(line, at)
    if at == NOT_READ:
        return DOUBTFUL
    board, other = white, mirror_board(white)
    castling = rights
    if black != ZERO:
        board, other, castling = other, white, byteswap(rights)
    target = ZERO if passed == NOWHERE else ONE << (passed ^ FLIP * black)
    if target != ZERO and not _may_be_passed(board, target):
        return DOUBTFUL
    # The side that has just moved cannot have left its king in check.
    if is_attacked(tables, other, lsb(other.king), ours(other) | theirs(other)):
        return DOUBTFUL
    # A FEN may have the square although nobody can take there; the board has it where a pawn stands ready.
    target = en_passant_target(board.pawns, target >> _8)
    board = change_board(board, ALL, board.king, target, castling)
    store_state(states, index, State(board, black, passed, halfmove, fullmove))
    return STANDARD if are_standard(white, rights) else CHESS960


@kernel
def read_lines(tables: Tables, text: np.uint64, number: np.uint64, states: np.uint64, marks: np.uint64) -> None:
    """Read so many lines at address `text`, each with a newline behind it: a state and a mark (one byte) for each."""
    for place in range(number):
        store8(marks, np.uint64(place), read_fen(tables, text, states, np.uint64(place)))
        while load8(text, ZERO) != NEWLINE:
            text += ONE
        text += ONE
