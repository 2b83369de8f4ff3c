"""Read castling rights, as KQkq (X-FEN) and as the files of the rooks (Shredder-FEN), mixed as they come."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..machine.bits import ONE, ZERO, load8, lowest, rest
from ..machine.jit import inlined
from ..pawns import RANK_8
from .fields import DASH, NOT_READ, RANK_1, after_spaces, is_letter, is_lower, number_of

_K, _Q = (np.uint64(ord(letter) & 31) for letter in "kq")
_8, _FILE_A = np.uint64(8), np.uint64(0x0101010101010101)
_E1_E8, _CORNERS = np.uint64(0x1000000000000010), np.uint64(0x8100000000000081)


@inlined
def _highest(squares: np.uint64) -> np.uint64:
    """Return the highest of a few squares, or none of none."""
    while rest(squares) != ZERO:
        squares = rest(squares)
    return squares


@inlined
def _castling_rook(board: Board, letter: np.uint64) -> np.uint64:
    """Return the rook that a letter means, or none where it means none."""
    if is_lower(letter) == ZERO:
        rank, king, rooks = RANK_1, board.king, board.orthogonals & ~board.diagonals
    else:
        rank, king, rooks = RANK_8, board.their_king, board.their_orthogonals & ~board.their_diagonals
    if king & rank == ZERO:
        return ZERO
    rooks &= rank
    side = number_of(letter)
    if side == _K:
        return _highest(rooks & ~(king - ONE))
    if side == _Q:
        return lowest(rooks & (king - ONE))
    return rooks & _FILE_A << (side - ONE) if side != ZERO and side <= _8 else ZERO


@inlined
def _are_apart(rights: np.uint64, king: np.uint64) -> bool:
    """Tell whether at most one castling rook of a side stands on each side of its king."""
    left = rights & (king - ONE)
    return bool(rest(left) | rest(rights ^ left) == ZERO)


@inlined
def read_rights(line: np.uint64, at: np.uint64, board: Board) -> tuple[np.uint64, np.uint64]:
    """Read the third field: the castling rooks, as White sees them."""
    at = after_spaces(line, at)
    if at == NOT_READ or load8(line, at) == DASH:
        return ZERO, (NOT_READ if at == NOT_READ else at + ONE)
    rights, letter = ZERO, load8(line, at)
    while is_letter(letter):
        rook = _castling_rook(board, letter)
        if rook & ~rights == ZERO:  # there is none, or it comes twice
            return ZERO, NOT_READ
        rights |= rook
        at += ONE
        letter = load8(line, at)
    are_right = _are_apart(rights & RANK_1, board.king) and _are_apart(rights & RANK_8, board.their_king)
    return rights, (at if are_right and rights != ZERO else NOT_READ)


@inlined
def are_standard(board: Board, rights: np.uint64) -> bool:
    """Tell whether every right is one of standard chess: king on the e-file, rook in the corner."""
    kings = (ZERO if rights & RANK_1 == ZERO else board.king) | (ZERO if rights & RANK_8 == ZERO else board.their_king)
    return bool(kings & ~_E1_E8 | rights & ~_CORNERS == ZERO)
