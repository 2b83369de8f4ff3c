"""Everything looked up: sets of targets made beforehand, a mailbox for what is taken (after S. Luijten's Winglet).

    free  = every square but those of own pieces
    for each piece: for each square in attacks of piece from origin & free:
        move = (origin, target, piece, what the mailbox has on the target)

    knight on e4   attacks      &  free         =  moves
                   . . . . .       all but         the set, one move a bit,
                   . 1 . 1 .       own pieces      the lowest first
                   1 . . . 1
    rook on e4     attacks along the rank | attacks along the file, each looked up by the state of its line

Many moves at once come from one look-up; a loop takes them apart. What a target is worth stands in
the mailbox. The safety of the king is tested only when a move is made: if the other side could then
take it (after castling: on any square of its way), the move is taken back. A search that cuts most
moves off never makes them, and so never pays for the test.
"""

from __future__ import annotations

import numpy as np

from ..kernels.board import Board
from ..kernels.encoding import BUFFER_BYTES, CASTLING, EN_PASSANT, KIND_MASK, bit, encode, origin_of, target_of
from ..kernels.machine.bits import ONE, ZERO, load, load8, load16, lsb, rest, store, store16
from ..kernels.machine.jit import inline, kernel, subroutine
from ..kernels.machine.memory import NODES, STOP
from ..kernels.sliders.lookup import Tables
from . import lookup_tables as of
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
    make_move,
    of_board,
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
"""A list has two columns: half-words, as all techniques have, and bytes with the piece that moves and the one it takes.

Both fit a buffer that has room for 1024 half-words, since no placement of pieces has more than 682 moves (see
`MAX_MOVES`).
"""
_4 = np.uint64(4)


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
    pawns = board.ours.pawns
    while pawns != ZERO:
        origin = lsb(pawns)
        targets = of.of_pawn(walk, of.PUSH, board.side, origin) & empty
        if targets != ZERO:
            targets |= of.of_pawn(walk, of.DOUBLE_PUSH, board.side, origin) & empty
        captures = of.of_pawn(walk, of.PAWN_CAPTURE, board.side, origin)
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
    """Store castling where king and rook have never moved and the way is empty."""
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
    count = _append_pieces(walk, board, KNIGHT, board.ours.knights, moves, count)
    count = _append_pieces(walk, board, BISHOP, board.ours.bishops, moves, count)
    count = _append_pieces(walk, board, ROOK, board.ours.rooks, moves, count)
    count = _append_pieces(walk, board, QUEEN, board.ours.queens, moves, count)
    count = _append_pieces(walk, board, KING, board.ours.king, moves, count)
    return _append_castling(board, moves, count)


@inline
def _attacks(walk: np.uint64, board: LookupBoard, square: np.uint64) -> bool:
    """Return True if the mover attacks a square: a piece there would see, by its own moves, one of its kind."""
    occupied = board.own | board.their
    seen = of.of_square(walk, of.KNIGHT, square) & board.ours.knights
    seen |= of.of_square(walk, of.KING, square) & board.ours.king
    seen |= of.of_pawn(walk, of.PAWN_CAPTURE, board.side ^ ONE, square) & board.ours.pawns
    seen |= of.orthogonal(walk, square, occupied) & (board.ours.rooks | board.ours.queens)
    seen |= of.diagonal(walk, square, occupied) & (board.ours.bishops | board.ours.queens)
    return bool(seen != ZERO)


@inline
def _is_legal(walk: np.uint64, after: LookupBoard, move: np.uint64) -> bool:
    """Tell, once a move is made, whether it was legal: the king, and the squares that it passed, must be safe."""
    legal = not _attacks(walk, after, lsb(after.theirs.king))
    if move & KIND_MASK == CASTLING:
        king, rook = origin_of(move), target_of(move)
        passed = king + ONE if rook > king else king - ONE
        legal = legal and not _attacks(walk, after, king) and not _attacks(walk, after, passed)
    return legal


@subroutine
def _keep_legal(walk: np.uint64, board: LookupBoard, moves: np.uint64, found: np.uint64) -> np.uint64:
    """Take out of the first column the moves that turn out illegal when made; return how many remain."""
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
    """Return the number of leaves; each move is made before its legality is tested."""
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
    """Write the legal moves; return their number. `walk` is the address of the tables, the shared ones are unused."""
    state = of_board(board)
    return _keep_legal(walk, state, moves, generate(walk, state, moves))


@kernel
def count_leaves_by_lookup(
    tables: Tables, walk: np.uint64, board: Board, depth: np.uint64, control: np.uint64, moves: np.uint64
) -> np.uint64:
    """Return the number of leaves `depth` plies below, at least one; see `count_leaves_by_list`."""
    return _count(walk, of_board(board), depth, control, moves)


LOOKUP = Technique(
    name=TechniqueName.LOOKUP,
    origin="S. Luijten, Winglet",
    idea="every set of targets is made beforehand, and a move is tested when it is made",
    cost="making a move costs more than any test of it, and the moves of the last ply are made, too",
    build=of.build,
    chess960=False,
)
