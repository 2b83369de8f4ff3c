"""The operations with which techniques are written (test a square, look up a set, store a move), and shared rules.

A technique tests squares and stores moves only with these functions, so that its steps can be traced (see
`tools/pages/pictures/tracing.py`):
which squares it visits, which moves it keeps. The shared rules are those that the sources leave to the engine: pawns,
castling, and legality.
"""

from __future__ import annotations

from typing import NamedTuple

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
from ..kernels.safety import en_passant_is_safe, king_safety
from ..kernels.sliders.lookup import Tables

LAST_RANKS = np.uint64(0xFF000000_000000FF)
_7, _9 = np.uint64(7), np.uint64(9)


class PieceSets(NamedTuple):
    """The pieces of one side as one bitboard per type, for techniques with a separate board."""

    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    king: np.uint64


@inline
def piece_sets(
    pawns: np.uint64, knights: np.uint64, diagonals: np.uint64, orthogonals: np.uint64, king: np.uint64
) -> PieceSets:
    """Return the sets of a side whose queens are in both slider bitboards."""
    queens = diagonals & orthogonals
    return PieceSets(pawns, knights, diagonals ^ queens, orthogonals ^ queens, queens, king)


@inline
def our_sets(board: Board) -> PieceSets:
    """Return the pieces of the side to move."""
    return piece_sets(board.pawns, board.knights, board.diagonals, board.orthogonals, board.king)


@inline
def their_sets(board: Board) -> PieceSets:
    """Return the pieces of the opponent."""
    return piece_sets(
        board.their_pawns, board.their_knights, board.their_diagonals, board.their_orthogonals, board.their_king
    )


@inline
def all_of(sets: PieceSets) -> np.uint64:
    """Return all pieces of a side."""
    return sets.pawns | sets.knights | sets.bishops | sets.rooks | sets.queens | sets.king


@inline
def without(sets: PieceSets, taken: np.uint64) -> PieceSets:
    """Return the pieces of a side except those on `taken`, which never includes the king."""
    return PieceSets(
        sets.pawns & ~taken,
        sets.knights & ~taken,
        sets.bishops & ~taken,
        sets.rooks & ~taken,
        sets.queens & ~taken,
        sets.king,
    )


@inline
def is_occupied(occupied: np.uint64, square: np.uint64) -> np.uint64:
    """Return 1 if a piece stands on `square`, otherwise 0."""
    return occupied >> square & ONE


@inline
def is_occupied_on_trial(occupied: np.uint64, square: np.uint64) -> np.uint64:
    """Return the same value as `is_occupied`; used in legality tests, on a board on which a move has been tried."""
    return occupied >> square & ONE


@inline
def looked_up(origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return `targets`, the complete set from one lookup for the piece on `origin`; this call is traced."""
    return targets


@inline
def append(moves: np.uint64, count: np.uint64, move: np.uint64) -> np.uint64:
    """Append a move to the list; return the new length."""
    store16(moves, count, move)
    return count + ONE


@inline
def append_if(moves: np.uint64, count: np.uint64, move: np.uint64, condition: np.uint64) -> np.uint64:
    """Append a move if `condition` is 1, not if it is 0, without a branch: the move is always written after the end."""
    store16(moves, count, move)
    return count + condition


@inline
def append_targets(moves: np.uint64, count: np.uint64, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Store a normal move from `origin` to each of `targets`."""
    while targets != ZERO:
        count = append(moves, count, encode(origin, lsb(targets)))
        targets = rest(targets)
    return count


@inline
def append_pawn_move(moves: np.uint64, count: np.uint64, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Store a pawn move, or its four promotions if it ends on the last rank of either side."""
    move = encode(origin, target)
    if bit(target) & LAST_RANKS == ZERO:
        return append(moves, count, move)
    count = append(moves, count, PROMOTION | move | QUEEN)
    count = append(moves, count, PROMOTION | move | ROOK)
    count = append(moves, count, PROMOTION | move | BISHOP)
    return append(moves, count, PROMOTION | move | KNIGHT)


@inline
def append_en_passant(board: Board, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store the pseudo-legal en passant captures."""
    takers = (board.en_passant >> _7 & NOT_FILE_A | board.en_passant >> _9 & NOT_FILE_H) & board.pawns
    while takers != ZERO:
        count = append(moves, count, EN_PASSANT | encode(lsb(takers), lsb(board.en_passant)))
        takers = rest(takers)
    return count


@inline
def append_pawns(tables: Tables, board: Board, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store all pawn moves, found by shifts, for techniques whose sources do not describe pawns."""
    their = theirs(board)
    occupied = ours(board) | their
    return generate_pawn_moves(tables, board, NON_EVASIONS, ALL, occupied, their, ZERO, moves, count)


@inline
def append_steppers(tables: Tables, board: Board, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store the moves of knights and king, found by lookups, for techniques whose sources describe only sliders."""
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
    """Remove the moves that leave the king attacked from `found` pseudo-legal moves; add castling.

    Checkers and pins are found once for all moves, so that most moves need only a test of two masks.
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
