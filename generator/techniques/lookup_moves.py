"""The pseudo-legal moves of the lookup technique: sets from tables, one move a bit.

A move has 32 bits, of which three bytes are used, and they are kept in two columns. The first, of
half-words, is the list that all techniques make; the second, of bytes, has the piece that moves and
the one it takes. Both fit a buffer that has room for 1024 half-words, since no placement of pieces
has more than 682 moves (see `MAX_MOVES`).
"""

from __future__ import annotations

import numpy as np

from ..kernels.encoding import CASTLING, EN_PASSANT, bit, encode
from ..kernels.machine.bits import ZERO, load8, load16, lsb, rest, store16
from ..kernels.machine.jit import inline
from . import lookup_tables as of
from .lookup_board import BISHOP, KING, KNIGHT, NOTHING, PAWN, QUEEN, ROOK, LookupBoard, fields, piece_on, promotion_to
from .vocabulary import append, looked_up

_16, _56 = np.uint64(16), np.uint64(56)
_LAST_RANKS = np.uint64(0xFF000000_000000FF)
_F1G1, _B1C1D1 = np.uint64(0x60), np.uint64(0x0E)
_H1, _A1 = np.uint64(7), np.uint64(0)
_FIRST_HALF = np.uint64(0xFFFF)
_SECOND_COLUMN = np.uint64(2 * 682)


@inline
def _append(moves: np.uint64, count: np.uint64, move: np.uint64) -> np.uint64:
    """Store a move in both columns; of the half-word in the second, the next move overwrites the empty half."""
    store16(moves + _SECOND_COLUMN + count, ZERO, move >> _16)
    return append(moves, count, move & _FIRST_HALF)


@inline
def _append_set(
    board: LookupBoard, moves: np.uint64, count: np.uint64, origin: np.uint64, piece: np.uint64, targets: np.uint64
) -> np.uint64:
    """Store a move to each of `targets`, with the piece that the mailbox has there."""
    while targets != ZERO:
        target = lsb(targets)
        captured = piece_on(board.mailbox, target)
        count = _append(moves, count, encode(origin, target) | fields(piece, captured))
        targets = rest(targets)
    return count


@inline
def _append_promotions(
    board: LookupBoard, moves: np.uint64, count: np.uint64, origin: np.uint64, targets: np.uint64
) -> np.uint64:
    """Store four moves to each of `targets`."""
    while targets != ZERO:
        target = lsb(targets)
        move = encode(origin, target) | fields(PAWN, piece_on(board.mailbox, target))
        count = _append(moves, count, promotion_to(QUEEN) | move)
        count = _append(moves, count, promotion_to(ROOK) | move)
        count = _append(moves, count, promotion_to(BISHOP) | move)
        count = _append(moves, count, promotion_to(KNIGHT) | move)
        targets = rest(targets)
    return count


@inline
def _append_pawns(walk: np.uint64, board: LookupBoard, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store the moves of pawns: one set says where they go, another where they take."""
    empty = ~(board.own | board.their)
    pawns = board.pawns
    while pawns != ZERO:
        origin = lsb(pawns)
        targets = of.of_pawn(walk, of.PUSH, board.side, origin) & empty
        if targets != ZERO:
            targets |= of.of_pawn(walk, of.DOUBLE_PUSH, board.side, origin) & empty
        captures = of.of_pawn(walk, of.PAWN_CAPTURE, board.side, origin)
        targets = looked_up(origin, targets | captures & board.their)
        if targets & _LAST_RANKS != ZERO:
            count = _append_promotions(board, moves, count, origin, targets)
        else:
            count = _append_set(board, moves, count, origin, PAWN, targets)
        if captures & board.en_passant != ZERO:
            move = EN_PASSANT | encode(origin, lsb(board.en_passant))
            count = _append(moves, count, move | fields(PAWN, PAWN))
        pawns = rest(pawns)
    return count


@inline
def _append_castling(board: LookupBoard, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store castling where king and rook have never moved and the way is empty."""
    rank = board.side * _56
    occupied, rights = (board.own | board.their) >> rank, board.castling >> rank
    king = lsb(board.king)
    if rights & bit(_H1) != ZERO and occupied & _F1G1 == ZERO:
        count = _append(moves, count, CASTLING | encode(king, _H1 + rank) | fields(KING, NOTHING))
    if rights & bit(_A1) != ZERO and occupied & _B1C1D1 == ZERO:
        count = _append(moves, count, CASTLING | encode(king, _A1 + rank) | fields(KING, NOTHING))
    return count


@inline
def _append_pieces(
    walk: np.uint64, board: LookupBoard, piece: np.uint64, pieces: np.uint64, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of all pieces of one kind."""
    free = ~board.own
    occupied = board.own | board.their
    while pieces != ZERO:
        origin = lsb(pieces)
        attacks = ZERO
        if piece == KNIGHT:
            attacks = of.of_square(walk, of.KNIGHT, origin)
        elif piece == KING:
            attacks = of.of_square(walk, of.KING, origin)
        else:
            # A queen is neither bishop nor rook: she is both.
            if piece != BISHOP:
                attacks |= of.orthogonal(walk, origin, occupied)
            if piece != ROOK:
                attacks |= of.diagonal(walk, origin, occupied)
        count = _append_set(board, moves, count, origin, piece, looked_up(origin, attacks & free))
        pieces = rest(pieces)
    return count


@inline
def move_at(moves: np.uint64, index: np.uint64) -> np.uint64:
    """Return all bits of a move in the list."""
    return load16(moves, index) | load8(moves, _SECOND_COLUMN + index) << _16


@inline
def generate(walk: np.uint64, board: LookupBoard, moves: np.uint64) -> np.uint64:
    """Write all pseudo-legal moves; return their number."""
    count = _append_pawns(walk, board, moves, ZERO)
    count = _append_pieces(walk, board, KNIGHT, board.knights, moves, count)
    count = _append_pieces(walk, board, BISHOP, board.bishops, moves, count)
    count = _append_pieces(walk, board, ROOK, board.rooks, moves, count)
    count = _append_pieces(walk, board, QUEEN, board.queens, moves, count)
    count = _append_pieces(walk, board, KING, board.king, moves, count)
    return _append_castling(board, moves, count)
