"""Attacks from table lookups: squares attacked by a piece, attackers of a square, lines between squares.

All squares and bitboards are from the side to move's view (see `board`).
"""

from __future__ import annotations

import numpy as np

from .board import Board
from .machine.bits import ONE, ZERO, load, lsb, rest
from .machine.jit import inline
from .sliders.lookup import Tables, slider_index
from .tables import (
    BETWEEN,
    BEYOND,
    BISHOP_ATTACKS,
    BISHOP_MASK,
    BISHOP_RAYS,
    BISHOP_ZONE,
    KING,
    KNIGHT,
    LINE,
    MAGIC,
    ROOK_ATTACKS,
    ROOK_MASK,
    ROOK_RAYS,
    ROOK_ZONE,
)

# A shift across the edge of the board wraps around to the other side. The leftmost file or two are therefore cleared
# before a shift to the left, and the rightmost before a shift to the right.
NOT_FILE_A = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_FILE_H = np.uint64(0x7F7F7F7F7F7F7F7F)

_RECORD_SHIFT = np.uint64(3)
_MAGIC_SHIFT = np.uint64(2)
_PAIR_SHIFT = np.uint64(6)
_ROOK_PLACE = np.uint64(0)
_BISHOP_PLACE = np.uint64(2)
_7, _9 = np.uint64(7), np.uint64(9)
_6, _10, _15, _17 = np.uint64(6), np.uint64(10), np.uint64(15), np.uint64(17)
_NOT_FILES_AB = np.uint64(0xFCFCFCFCFCFCFCFC)
_NOT_FILES_GH = np.uint64(0x3F3F3F3F3F3F3F3F)


@inline
def _magics(square: np.uint64, place: np.uint64) -> np.uint64:
    """Return the table index of a slider's magic number and shift; `place` selects rook or bishop."""
    return MAGIC + (square << _MAGIC_SHIFT) + place


@inline
def rook_attacks(tables: Tables, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that a rook on `square` attacks."""
    record = square << _RECORD_SHIFT
    index = slider_index(tables, occupied, load(tables.base, record + ROOK_MASK), _magics(square, _ROOK_PLACE))
    return load(tables.base, load(tables.base, record + ROOK_ATTACKS) + index)


@inline
def bishop_attacks(tables: Tables, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that a bishop on `square` attacks."""
    record = square << _RECORD_SHIFT
    index = slider_index(tables, occupied, load(tables.base, record + BISHOP_MASK), _magics(square, _BISHOP_PLACE))
    return load(tables.base, load(tables.base, record + BISHOP_ATTACKS) + index)


@inline
def rook_blockers(tables: Tables, square: np.uint64) -> np.uint64:
    """Return the squares whose occupancy changes the attacks of a rook on `square`: its rays without their ends."""
    return load(tables.base, (square << _RECORD_SHIFT) + ROOK_MASK)


@inline
def bishop_blockers(tables: Tables, square: np.uint64) -> np.uint64:
    """Return the squares whose occupancy changes the attacks of a bishop on `square`: its rays without their ends."""
    return load(tables.base, (square << _RECORD_SHIFT) + BISHOP_MASK)


@inline
def knight_attacks(tables: Tables, square: np.uint64) -> np.uint64:
    """Return the squares that a knight on `square` attacks."""
    return load(tables.base, (square << _RECORD_SHIFT) + KNIGHT)


@inline
def king_attacks(tables: Tables, square: np.uint64) -> np.uint64:
    """Return the squares next to `square`."""
    return load(tables.base, (square << _RECORD_SHIFT) + KING)


@inline
def rook_rays(tables: Tables, square: np.uint64) -> np.uint64:
    """Return the squares that a rook on `square` attacks on an empty board."""
    return load(tables.base, (square << _RECORD_SHIFT) + ROOK_RAYS)


@inline
def bishop_rays(tables: Tables, square: np.uint64) -> np.uint64:
    """Return the squares that a bishop on `square` attacks on an empty board."""
    return load(tables.base, (square << _RECORD_SHIFT) + BISHOP_RAYS)


@inline
def between(tables: Tables, first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the squares strictly between two squares; empty if they are not on one line."""
    return load(tables.base, BETWEEN + (first << _PAIR_SHIFT) + second)


@inline
def beyond(tables: Tables, first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the squares beyond the second square as seen from the first; empty if they are not on one line."""
    return load(tables.base, BEYOND + (first << _PAIR_SHIFT) + second)


@inline
def line(tables: Tables, first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the line from edge to edge through two squares; empty if they are not on one line."""
    return load(tables.base, LINE + (first << _PAIR_SHIFT) + second)


@inline
def pawn_attacks(pawns: np.uint64) -> np.uint64:
    """Return the squares that our pawns, which move up the board, attack."""
    return (pawns & NOT_FILE_A) << _7 | (pawns & NOT_FILE_H) << _9


@inline
def their_pawn_attacks(pawns: np.uint64) -> np.uint64:
    """Return the squares that the opponent's pawns, which move down the board, attack."""
    return (pawns & NOT_FILE_H) >> _7 | (pawns & NOT_FILE_A) >> _9


@inline
def all_knight_attacks(knights: np.uint64) -> np.uint64:
    """Return the squares that any of `knights` attacks, computed with parallel shifts."""
    # A knight moves two ranks and one file (17, 15) or one rank and two files (10, 6), so one or two files can wrap
    # around.
    one_left, one_right = knights & NOT_FILE_A, knights & NOT_FILE_H
    two_left, two_right = knights & _NOT_FILES_AB, knights & _NOT_FILES_GH
    return (
        one_right << _17
        | one_left << _15
        | two_right << _10
        | two_left << _6
        | one_left >> _17
        | one_right >> _15
        | two_left >> _10
        | two_right >> _6
    )


@inline
def attacked_by_them(tables: Tables, board: Board, occupied: np.uint64) -> np.uint64:
    """Return all squares that the opponent attacks, given the occupied squares.

    To find the squares to which our king may step, exclude the king from `occupied`, because sliders attack through the
    square that it leaves.
    """
    attacked = their_pawn_attacks(board.their_pawns) | all_knight_attacks(board.their_knights)
    attacked |= king_attacks(tables, lsb(board.their_king))
    sliders = board.their_diagonals
    while sliders != ZERO:
        attacked |= bishop_attacks(tables, lsb(sliders), occupied)
        sliders = rest(sliders)
    sliders = board.their_orthogonals
    while sliders != ZERO:
        attacked |= rook_attacks(tables, lsb(sliders), occupied)
        sliders = rest(sliders)
    return attacked


@inline
def attacked_near_king(tables: Tables, board: Board, king: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that the opponent attacks; complete only for the squares next to our king on `king`.

    Sliders that could not attack any of these squares even on an empty board are skipped.
    """
    attacked = their_pawn_attacks(board.their_pawns) | king_attacks(tables, lsb(board.their_king))
    if board.their_knights != ZERO:
        attacked |= all_knight_attacks(board.their_knights)
    # The zone contains the squares from which a slider attacks a square next to the king on an empty board.
    sliders = board.their_diagonals & load(tables.base, BISHOP_ZONE + king)
    while sliders != ZERO:
        attacked |= bishop_attacks(tables, lsb(sliders), occupied)
        sliders = rest(sliders)
    sliders = board.their_orthogonals & load(tables.base, ROOK_ZONE + king)
    while sliders != ZERO:
        attacked |= rook_attacks(tables, lsb(sliders), occupied)
        sliders = rest(sliders)
    return attacked


@inline
def reach_of(tables: Tables, board: Board, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that our knight, bishop, rook or queen on `square` attacks, given the occupied squares."""
    piece, reach = ONE << square, ZERO
    if piece & board.knights != ZERO:
        reach |= knight_attacks(tables, square)
    # Queens are in both slider bitboards.
    if piece & board.diagonals != ZERO:
        reach |= bishop_attacks(tables, square, occupied)
    if piece & board.orthogonals != ZERO:
        reach |= rook_attacks(tables, square, occupied)
    return reach


@inline
def is_attacked(tables: Tables, board: Board, square: np.uint64, occupied: np.uint64) -> bool:
    """Return True if the opponent attacks `square`, given the occupied squares.

    Slider attacks are looked up only if an opponent's slider is on a line with the square.
    """
    attackers = knight_attacks(tables, square) & board.their_knights
    attackers |= king_attacks(tables, square) & board.their_king
    # Attacks are symmetric: opponent pawns that attack the square stand on squares that our pawn would attack from it.
    attackers |= pawn_attacks(ONE << square) & board.their_pawns
    if rook_rays(tables, square) & board.their_orthogonals != ZERO:
        attackers |= rook_attacks(tables, square, occupied) & board.their_orthogonals
    if bishop_rays(tables, square) & board.their_diagonals != ZERO:
        attackers |= bishop_attacks(tables, square, occupied) & board.their_diagonals
    return bool(attackers != ZERO)


@inline
def their_attackers(tables: Tables, board: Board, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the opponent's pieces that attack `square`, given the occupied squares."""
    attackers = knight_attacks(tables, square) & board.their_knights
    attackers |= king_attacks(tables, square) & board.their_king
    attackers |= pawn_attacks(ONE << square) & board.their_pawns
    attackers |= rook_attacks(tables, square, occupied) & board.their_orthogonals
    attackers |= bishop_attacks(tables, square, occupied) & board.their_diagonals
    return attackers


@inline
def our_attackers(tables: Tables, board: Board, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return our pieces other than the king that attack `square`, given the occupied squares."""
    attackers = knight_attacks(tables, square) & board.knights
    attackers |= their_pawn_attacks(ONE << square) & board.pawns
    attackers |= rook_attacks(tables, square, occupied) & board.orthogonals
    attackers |= bishop_attacks(tables, square, occupied) & board.diagonals
    return attackers
