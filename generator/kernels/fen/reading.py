"""Read a FEN that is plainly right, and of any other line say only that it is doubtful.

The rules are those of `notation.fen.parse_fen`, which tells in words what is wrong with a doubtful line, or reads it.
"""

from __future__ import annotations

import numpy as np

from ..attacks import is_attacked
from ..board import Board, mirror_board, ours, theirs
from ..machine.bits import ONE, ZERO, byteswap, load8, lsb, store8
from ..machine.jit import inline, kernel, subroutine
from ..pawns import en_passant_target
from ..sliders.lookup import Tables
from .fields import (
    NEWLINE,
    NOT_READ,
    after_spaces,
    are_standard,
    read_counters,
    read_pieces,
    read_rights,
    read_square,
    read_turn,
)
from .state import FLIP, NOWHERE, State, store_state

DOUBTFUL, STANDARD, CHESS960 = (np.uint64(mark) for mark in range(3))
"""What is said of a line: another reader is to be asked; it is read; it is read, and needs Chess960."""

_8, _RANK_6 = np.uint64(8), np.uint64(0xFF << 40)


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
    board = Board(
        board.pawns,
        board.knights,
        board.diagonals,
        board.orthogonals,
        board.king,
        board.their_pawns,
        board.their_knights,
        board.their_diagonals,
        board.their_orthogonals,
        board.their_king,
        target,
        castling,
    )
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
