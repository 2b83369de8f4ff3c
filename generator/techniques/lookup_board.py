"""The board of the lookup technique with its mailbox, 32-bit moves, and making a move.

Bitboards answer the question "where are the rooks?". To find out what stands on e4, all twelve would have to be tested;
the mailbox answers that directly. It consists of four words for sixteen squares each, with four bits per square:

    bits 0-2   1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king, 0 nothing
    bit 3      the side

A move contains everything that is needed to make it:

    bits 0-15   target, origin, promotion piece and kind, as in all kernels
    bits 16-18  the piece that moves, as in the mailbox
    bits 19-21  the captured piece, or nothing

The board is not mirrored after a move. The two sides exchange their roles, and `side` states in which direction the
pawns of the side to move go (0: up, 1: down).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.board import Board, ours, theirs
from ..kernels.encoding import CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, bit, origin_of, target_of
from ..kernels.machine.bits import ONE, ZERO, lsb, rest
from ..kernels.machine.jit import inline
from .operations import PieceSets, all_of, our_sets, their_sets, without

_0, _1, _2, _3, _4, _7, _8, _12, _15, _16, _19, _32, _48 = (
    np.uint64(number) for number in (0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 19, 32, 48)
)
NOTHING, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = (np.uint64(number) for number in range(7))
SIDE = np.uint64(8)


class Mailbox(NamedTuple):
    """Four uint64 values of sixteen squares each, from a1-h2 to a7-h8."""

    ranks_12: np.uint64
    ranks_34: np.uint64
    ranks_56: np.uint64
    ranks_78: np.uint64


@inline
def piece_on(mailbox: Mailbox, square: np.uint64) -> np.uint64:
    """Return the content of `square`."""
    low = mailbox.ranks_12 if square < _16 else mailbox.ranks_34
    high = mailbox.ranks_56 if square < _48 else mailbox.ranks_78
    word = low if square < _32 else high
    return word >> ((square & _15) << _2) & _15


@inline
def _put(word: np.uint64, number: np.uint64, square: np.uint64, piece: np.uint64) -> np.uint64:
    """Return a mailbox value with `piece` on `square`, or unchanged if the square is not in value `number`."""
    shift = (square & _15) << _2
    return word & ~(_15 << shift) | piece << shift if square >> _4 == number else word


@inline
def put(mailbox: Mailbox, square: np.uint64, piece: np.uint64) -> Mailbox:
    """Return the mailbox with `piece` on `square`; piece 0 clears the square."""
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
def _put_sets(mailbox: Mailbox, sets: PieceSets, side: np.uint64) -> Mailbox:
    mailbox = _put_each(mailbox, sets.pawns, side | PAWN)
    mailbox = _put_each(mailbox, sets.knights, side | KNIGHT)
    mailbox = _put_each(mailbox, sets.bishops, side | BISHOP)
    mailbox = _put_each(mailbox, sets.rooks, side | ROOK)
    mailbox = _put_each(mailbox, sets.queens, side | QUEEN)
    return _put_each(mailbox, sets.king, side | KING)


class LookupBoard(NamedTuple):
    """The pieces of both sides, the mailbox, and the state.

    `ours` and `own` belong to the side to move. `en_passant` is the square that a pawn has just passed, `castling` the
    rooks with castling rights.
    """

    ours: PieceSets
    theirs: PieceSets
    own: np.uint64
    their: np.uint64
    mailbox: Mailbox
    en_passant: np.uint64
    castling: np.uint64
    side: np.uint64


@inline
def from_board(board: Board) -> LookupBoard:
    """Convert a board; the side to move moves up the board and has the side bit 0."""
    mover, other = our_sets(board), their_sets(board)
    mailbox = _put_sets(_put_sets(Mailbox(ZERO, ZERO, ZERO, ZERO), mover, ZERO), other, SIDE)
    return LookupBoard(mover, other, ours(board), theirs(board), mailbox, board.en_passant, board.castling, ZERO)


@inline
def fields(piece: np.uint64, captured: np.uint64) -> np.uint64:
    """Return the high bits of a move."""
    return piece << _16 | (captured & _7) << _19


@inline
def promotion_to(piece: np.uint64) -> np.uint64:
    """Return the bits of a move that promotes to `piece`."""
    return PROMOTION | (piece - KNIGHT) << _12


@inline
def _next_board(
    board: LookupBoard, moved: PieceSets, taken: np.uint64, mailbox: Mailbox, passed: np.uint64, rights: np.uint64
) -> LookupBoard:
    """Return the board after a move, with the sides exchanged and the piece on `taken` removed."""
    other, their = without(board.theirs, taken), board.their & ~taken
    return LookupBoard(other, moved, their, all_of(moved), mailbox, passed, rights, board.side ^ ONE)


@inline
def _castle(board: LookupBoard, rook: np.uint64) -> LookupBoard:
    """Return the board after castling with the rook on square `rook`, in standard chess only."""
    king = lsb(board.ours.king)
    is_short = rook > king
    king_to = king + _2 if is_short else king - _2
    rook_to = king + ONE if is_short else king - ONE
    color = board.side * SIDE
    mailbox = put(put(board.mailbox, king, NOTHING), rook, NOTHING)
    mailbox = put(put(mailbox, king_to, KING | color), rook_to, ROOK | color)
    pawns, knights, bishops, rooks, queens, _ = board.ours
    moved = PieceSets(pawns, knights, bishops, rooks ^ bit(rook) ^ bit(rook_to), queens, bit(king_to))
    return _next_board(board, moved, ZERO, mailbox, ZERO, board.castling & ~board.own)


@inline
def make_move(board: LookupBoard, move: np.uint64) -> LookupBoard:
    """Return the board after a pseudo-legal 32-bit move, with the sides exchanged."""
    kind, origin, target = move & KIND_MASK, origin_of(move), target_of(move)
    if kind == CASTLING:
        return _castle(board, target)
    piece, captured = move >> _16 & _7, move >> _19 & _7
    victim = target
    if kind == EN_PASSANT:
        victim = target - _8 if board.side == ZERO else target + _8
    leaves, lands = bit(origin), bit(target)
    becomes = KNIGHT + (move >> _12 & _3) if kind == PROMOTION else piece
    sets = board.ours
    moved = PieceSets(
        sets.pawns & ~leaves | (lands if becomes == PAWN else ZERO),
        sets.knights & ~leaves | (lands if becomes == KNIGHT else ZERO),
        sets.bishops & ~leaves | (lands if becomes == BISHOP else ZERO),
        sets.rooks & ~leaves | (lands if becomes == ROOK else ZERO),
        sets.queens & ~leaves | (lands if becomes == QUEEN else ZERO),
        lands if becomes == KING else sets.king,
    )
    mailbox = put(put(board.mailbox, origin, NOTHING), victim, NOTHING)
    mailbox = put(mailbox, target, becomes | board.side * SIDE)
    # A double push changes only one bit of the square number: a2 is 8, a4 is 24.
    passed = bit((origin + target) >> ONE) if piece == PAWN and origin ^ target == _16 else ZERO
    rights = board.castling & ~(leaves | lands | (board.own if piece == KING else ZERO))
    taken = bit(victim) if captured != NOTHING else ZERO
    return _next_board(board, moved, taken, mailbox, passed, rights)
