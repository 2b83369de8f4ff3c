"""The rules that the sources leave to the engine, written once: pawns, castling, and what is legal."""

from __future__ import annotations

import numpy as np

from ..kernels.attacks import NOT_FILE_A, NOT_FILE_H, is_attacked, king_attacks, knight_attacks, line
from ..kernels.board import Board, ours, theirs
from ..kernels.encoding import (
    BISHOP,
    EN_PASSANT,
    KIND_MASK,
    KNIGHT,
    NON_EVASIONS,
    PROMOTION,
    QUEEN,
    ROOK,
    bit,
    encode,
    origin_of,
    target_of,
)
from ..kernels.generate import generate_castling, generate_pawn_moves
from ..kernels.machine.bits import ALL, ONE, ZERO, load16, lsb, rest, store16
from ..kernels.machine.jit import inline
from ..kernels.pawns import RANK_8
from ..kernels.safety import en_passant_is_safe, king_safety
from ..kernels.sliders.lookup import Tables
from .vocabulary import append, append_targets, looked_up

_7, _9 = np.uint64(7), np.uint64(9)


@inline
def append_pawn_move(moves: np.uint64, count: np.uint64, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Store a pawn's move, or on the last rank its four promotions."""
    move = encode(origin, target)
    if bit(target) & RANK_8 == ZERO:
        return append(moves, count, move)
    count = append(moves, count, PROMOTION | move | QUEEN)
    count = append(moves, count, PROMOTION | move | ROOK)
    count = append(moves, count, PROMOTION | move | BISHOP)
    return append(moves, count, PROMOTION | move | KNIGHT)


@inline
def append_en_passant(board: Board, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store the captures en passant, safe or not."""
    takers = (board.en_passant >> _7 & NOT_FILE_A | board.en_passant >> _9 & NOT_FILE_H) & board.pawns
    while takers != ZERO:
        count = append(moves, count, EN_PASSANT | encode(lsb(takers), lsb(board.en_passant)))
        takers = rest(takers)
    return count


@inline
def append_pawns(tables: Tables, board: Board, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store all moves of pawns, found by shifts: for techniques whose sources speak of pieces alone."""
    their = theirs(board)
    occupied = ours(board) | their
    return generate_pawn_moves(tables, board, NON_EVASIONS, ALL, occupied, their, ZERO, moves, count)


@inline
def append_steppers(tables: Tables, board: Board, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store the moves of knights and king, looked up: for techniques whose sources speak of sliders alone."""
    target = ~ours(board)
    knights = board.knights
    while knights != ZERO:
        origin = lsb(knights)
        count = append_targets(moves, count, origin, looked_up(origin, knight_attacks(tables, origin) & target))
        knights = rest(knights)
    king = lsb(board.king)
    return append_targets(moves, count, king, looked_up(king, king_attacks(tables, king) & target))


@inline
def keep_legal(tables: Tables, board: Board, moves: np.uint64, found: np.uint64) -> np.uint64:
    """Add castling to `found` pseudo-legal moves and take out those that leave the king attacked.

    Checkers and pins are found once for all of them, so that most need a test of two masks only.
    """
    own = ours(board)
    occupied = own | theirs(board)
    king = lsb(board.king)
    safety = king_safety(tables, board, king, occupied)
    pinned = (safety.orthogonal_pins | safety.diagonal_pins) & own
    count = ZERO
    for index in range(found):
        move = load16(moves, np.uint64(index))
        store16(moves, count, move)
        origin, target = origin_of(move), target_of(move)
        if move & KIND_MASK == EN_PASSANT:
            legal = en_passant_is_safe(tables, board, king, occupied, bit(origin))
        elif origin == king:
            legal = not is_attacked(tables, board, target, occupied ^ board.king)
        else:
            legal = rest(safety.checkers) == ZERO and bit(target) & safety.mask != ZERO
            if bit(origin) & pinned != ZERO:
                legal = legal and line(tables, king, origin) & bit(target) != ZERO
        if legal:
            count += ONE
    if safety.checkers == ZERO and board.castling & own != ZERO:
        count = generate_castling(tables, board, NON_EVASIONS, own, occupied, safety.orthogonal_pins, moves, count)
    return count
