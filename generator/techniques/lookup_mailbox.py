"""The mailbox of the lookup technique: what stands on a square, in four words of sixteen squares.

Bitboards answer "where are the rooks?". To learn from them what stands on e4, one has to ask all
twelve; the mailbox answers at once. Each square has four bits:

    bits 0-2   1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king, 0 nothing
    bit 3      the side
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.board import Board
from ..kernels.machine.bits import ZERO, lsb, rest
from ..kernels.machine.jit import inline

NOTHING, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = (np.uint64(number) for number in range(7))
SIDE = np.uint64(8)
_0, _1, _2, _3, _4, _15 = (np.uint64(number) for number in (0, 1, 2, 3, 4, 15))
_16, _32, _48 = np.uint64(16), np.uint64(32), np.uint64(48)


class Mailbox(NamedTuple):
    """Sixteen squares a word, from a1 to h2 to a7 to h8."""

    ranks_12: np.uint64
    ranks_34: np.uint64
    ranks_56: np.uint64
    ranks_78: np.uint64


@inline
def piece_on(mailbox: Mailbox, square: np.uint64) -> np.uint64:
    """Return what stands on `square`."""
    low = mailbox.ranks_12 if square < _16 else mailbox.ranks_34
    high = mailbox.ranks_56 if square < _48 else mailbox.ranks_78
    word = low if square < _32 else high
    return word >> ((square & _15) << _2) & _15


@inline
def _put(word: np.uint64, number: np.uint64, square: np.uint64, piece: np.uint64) -> np.uint64:
    """Return a word with `piece` on `square`, or as it was if that square is in a word of another number."""
    place = (square & _15) << _2
    return word & ~(_15 << place) | piece << place if square >> _4 == number else word


@inline
def put(mailbox: Mailbox, square: np.uint64, piece: np.uint64) -> Mailbox:
    """Return the mailbox with `piece`, or nothing, on `square`."""
    return Mailbox(
        _put(mailbox.ranks_12, _0, square, piece),
        _put(mailbox.ranks_34, _1, square, piece),
        _put(mailbox.ranks_56, _2, square, piece),
        _put(mailbox.ranks_78, _3, square, piece),
    )


@inline
def _put_each(mailbox: Mailbox, squares: np.uint64, piece: np.uint64) -> Mailbox:
    while squares != ZERO:
        mailbox = put(mailbox, lsb(squares), piece)
        squares = rest(squares)
    return mailbox


@inline
def mailbox_of(board: Board) -> Mailbox:
    """Return what stands on each square of a board; the pieces of the mover have the side bit clear."""
    mailbox = Mailbox(ZERO, ZERO, ZERO, ZERO)
    mailbox = _put_each(mailbox, board.pawns, PAWN)
    mailbox = _put_each(mailbox, board.knights, KNIGHT)
    mailbox = _put_each(mailbox, board.diagonals & ~board.orthogonals, BISHOP)
    mailbox = _put_each(mailbox, board.orthogonals & ~board.diagonals, ROOK)
    mailbox = _put_each(mailbox, board.orthogonals & board.diagonals, QUEEN)
    mailbox = _put_each(mailbox, board.king, KING)
    mailbox = _put_each(mailbox, board.their_pawns, SIDE | PAWN)
    mailbox = _put_each(mailbox, board.their_knights, SIDE | KNIGHT)
    mailbox = _put_each(mailbox, board.their_diagonals & ~board.their_orthogonals, SIDE | BISHOP)
    mailbox = _put_each(mailbox, board.their_orthogonals & ~board.their_diagonals, SIDE | ROOK)
    mailbox = _put_each(mailbox, board.their_orthogonals & board.their_diagonals, SIDE | QUEEN)
    return _put_each(mailbox, board.their_king, SIDE | KING)
