"""Sets of targets from tables, and a mailbox for captured pieces (after S. Luijten's Winglet).

    free  = all squares without a piece of the side to move
    for each piece: for each square in attacks of piece from origin & free:
        move = (origin, target, piece, content of the mailbox on the target)

    knight on e4   attacks      &  free         =  moves
                   . . . . .       all but         the set, one bit
                   . 1 . 1 .       own pieces      per move, lowest
                   1 . . . 1                       bit first
    rook on e4     attacks along the rank | attacks along the file, each looked up by the state of its line

One lookup gives a set of moves, which a loop takes apart. The mailbox shows what a move captures. King safety is tested
only when a move is made: if the opponent could then capture the king (or, after castling, attacks any square of its
path), the move is taken back. A search that prunes most moves never makes them, so it never pays for their tests.
"""

from __future__ import annotations

import numpy as np

from ..kernels.board import Board
from ..kernels.encoding import BUFFER_BYTES, CASTLING, EN_PASSANT, KIND_MASK, bit, encode, origin_of, target_of
from ..kernels.machine.bits import ONE, ZERO, load, load8, load16, lsb, rest, store, store16
from ..kernels.machine.jit import inline, kernel, subroutine
from ..kernels.machine.memory import NODES, STOP
from ..kernels.sliders.lookup import Tables
from . import lookup_tables
from .lookup_board import (
    BISHOP,
    KING,
    KNIGHT,
    NOTHING,
    PAWN,
    QUEEN,
    ROOK,
    LookupBoard,
    fields,
    from_board,
    make_move,
    piece_on,
    promotion_to,
)
from .operations import LAST_RANKS, append, looked_up
from .technique import Technique, TechniqueName

_16, _56 = np.uint64(16), np.uint64(56)
_F1G1, _B1C1D1 = np.uint64(0x60), np.uint64(0x0E)
_H1, _A1 = np.uint64(7), np.uint64(0)
_FIRST_HALF = np.uint64(0xFFFF)
_SECOND_COLUMN = np.uint64(2 * 682)
"""A list has two columns: 16-bit moves, as in all techniques, and bytes with the moving and the captured piece.

Both fit into a buffer for 1024 uint16 elements, because no placement of pieces has more than 682 moves (see
`MAX_MOVES`).
"""
_4 = np.uint64(4)


@inline
def _append(moves: np.uint64, count: np.uint64, move: np.uint64) -> np.uint64:
    """Store a move in both columns; in the second column, the next move overwrites the upper byte."""
    store16(moves + _SECOND_COLUMN + count, ZERO, move >> _16)
    return append(moves, count, move & _FIRST_HALF)


@inline
def _append_set(
    board: LookupBoard, moves: np.uint64, count: np.uint64, origin: np.uint64, piece: np.uint64, targets: np.uint64
) -> np.uint64:
    """Store a move to each of `targets`, with the piece on it according to the mailbox."""
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
    """Store the pawn moves, which have separate sets for pushes and captures."""
    empty = ~(board.own | board.their)
    pawns = board.ours.pawns
    while pawns != ZERO:
        origin = lsb(pawns)
        targets = lookup_tables.at_pawn_square(walk, lookup_tables.PUSH, board.side, origin) & empty
        if targets != ZERO:
            targets |= lookup_tables.at_pawn_square(walk, lookup_tables.DOUBLE_PUSH, board.side, origin) & empty
        captures = lookup_tables.at_pawn_square(walk, lookup_tables.PAWN_CAPTURE, board.side, origin)
        targets = looked_up(origin, targets | captures & board.their)
        if targets & LAST_RANKS != ZERO:
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
    """Store castling if king and rook have never moved and the squares between them are empty."""
    rank = board.side * _56
    occupied, rights = (board.own | board.their) >> rank, board.castling >> rank
    king = lsb(board.ours.king)
    if rights & bit(_H1) != ZERO and occupied & _F1G1 == ZERO:
        count = _append(moves, count, CASTLING | encode(king, _H1 + rank) | fields(KING, NOTHING))
    if rights & bit(_A1) != ZERO and occupied & _B1C1D1 == ZERO:
        count = _append(moves, count, CASTLING | encode(king, _A1 + rank) | fields(KING, NOTHING))
    return count


@inline
def _append_pieces(
    walk: np.uint64, board: LookupBoard, piece: np.uint64, pieces: np.uint64, moves: np.uint64, count: np.uint64
) -> np.uint64:
    free = ~board.own
    occupied = board.own | board.their
    while pieces != ZERO:
        origin = lsb(pieces)
        attacks = ZERO
        if piece == KNIGHT:
            attacks = lookup_tables.at_square(walk, lookup_tables.KNIGHT, origin)
        elif piece == KING:
            attacks = lookup_tables.at_square(walk, lookup_tables.KING, origin)
        else:
            # A queen moves like a bishop and like a rook.
            if piece != BISHOP:
                attacks |= lookup_tables.orthogonal(walk, origin, occupied)
            if piece != ROOK:
                attacks |= lookup_tables.diagonal(walk, origin, occupied)
        count = _append_set(board, moves, count, origin, piece, looked_up(origin, attacks & free))
        pieces = rest(pieces)
    return count


@inline
def move_at(moves: np.uint64, index: np.uint64) -> np.uint64:
    """Return all bits of the move at `index` in the list."""
    return load16(moves, index) | load8(moves, _SECOND_COLUMN + index) << _16


@inline
def generate(walk: np.uint64, board: LookupBoard, moves: np.uint64) -> np.uint64:
    """Write all pseudo-legal moves; return their number."""
    count = _append_pawns(walk, board, moves, ZERO)
    count = _append_pieces(walk, board, KNIGHT, board.ours.knights, moves, count)
    count = _append_pieces(walk, board, BISHOP, board.ours.bishops, moves, count)
    count = _append_pieces(walk, board, ROOK, board.ours.rooks, moves, count)
    count = _append_pieces(walk, board, QUEEN, board.ours.queens, moves, count)
    count = _append_pieces(walk, board, KING, board.ours.king, moves, count)
    return _append_castling(board, moves, count)


@inline
def _attacks(walk: np.uint64, board: LookupBoard, square: np.uint64) -> bool:
    """Return True if the side to move attacks a square.

    Attacks are symmetric: a square is attacked if a piece of some type on it would attack a piece of the same type that
    belongs to the side to move.
    """
    occupied = board.own | board.their
    seen = lookup_tables.at_square(walk, lookup_tables.KNIGHT, square) & board.ours.knights
    seen |= lookup_tables.at_square(walk, lookup_tables.KING, square) & board.ours.king
    seen |= lookup_tables.at_pawn_square(walk, lookup_tables.PAWN_CAPTURE, board.side ^ ONE, square) & board.ours.pawns
    seen |= lookup_tables.orthogonal(walk, square, occupied) & (board.ours.rooks | board.ours.queens)
    seen |= lookup_tables.diagonal(walk, square, occupied) & (board.ours.bishops | board.ours.queens)
    return bool(seen != ZERO)


@inline
def _is_legal(walk: np.uint64, after: LookupBoard, move: np.uint64) -> bool:
    """Return True if the move just made was legal: the king and the squares it crossed are not attacked."""
    legal = not _attacks(walk, after, lsb(after.theirs.king))
    if move & KIND_MASK == CASTLING:
        king, rook = origin_of(move), target_of(move)
        passed = king + ONE if rook > king else king - ONE
        legal = legal and not _attacks(walk, after, king) and not _attacks(walk, after, passed)
    return legal


@subroutine
def _keep_legal(walk: np.uint64, board: LookupBoard, moves: np.uint64, found: np.uint64) -> np.uint64:
    """Remove illegal moves from the first column by making each move; return the number of legal moves."""
    count = ZERO
    for number in range(found):
        index = np.uint64(number)
        move = move_at(moves, index)
        store16(moves, count, move)
        if _is_legal(walk, make_move(board, move), move):
            count += ONE
    return count


@subroutine
def _count(walk: np.uint64, board: LookupBoard, depth: np.uint64, control: np.uint64, moves: np.uint64) -> np.uint64:
    """Return the number of leaf nodes, making each move before testing its legality."""
    found = generate(walk, board, moves)
    if depth == ONE:
        return _keep_legal(walk, board, moves, found)
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    count = ZERO
    for number in range(found):
        move = move_at(moves, np.uint64(number))
        after = make_move(board, move)
        if _is_legal(walk, after, move):
            count += _count(walk, after, depth - ONE, control, moves + BUFFER_BYTES)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count


@kernel
def list_moves_by_lookup(tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    """Write the legal moves; return their number. `walk` is the address of the table of moves."""
    state = from_board(board)
    return _keep_legal(walk, state, moves, generate(walk, state, moves))


@kernel
def count_leaves_by_lookup(
    tables: Tables, walk: np.uint64, board: Board, depth: np.uint64, control: np.uint64, moves: np.uint64
) -> np.uint64:
    """Return the number of leaf nodes at `depth`, which is at least 1; see `count_leaves_by_list`."""
    return _count(walk, from_board(board), depth, control, moves)


LOOKUP = Technique(
    name=TechniqueName.LOOKUP,
    origin="S. Luijten, Winglet",
    build=lookup_tables.build,
    chess960=False,
)
