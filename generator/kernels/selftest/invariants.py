"""The conditions that every board must satisfy after every legal move."""

from __future__ import annotations

import numpy as np

from ..attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks, their_pawn_attacks
from ..board import Board, ours, theirs
from ..machine.bits import ONE, ZERO, lsb, popcount, rest
from ..machine.jit import inline
from ..pawns import RANK_8
from ..sliders.lookup import Tables

_RANK_1, _RANK_6 = np.uint64(0xFF), np.uint64(0xFF << 40)
_8 = np.uint64(8)


@inline
def _rights_fit(rooks: np.uint64, king: np.uint64, back_rank: np.uint64) -> bool:
    """Tell whether castling rooks stand beside their king on the back rank, at most one on each side."""
    if rooks == ZERO:
        return True
    left = rooks & (king - ONE)
    return bool(
        king & back_rank != ZERO and rooks & ~back_rank == ZERO and rest(left) == ZERO and rest(rooks ^ left) == ZERO
    )


@inline
def is_possible(board: Board) -> bool:
    """Tell whether a board is one that moves can be generated from, safety of the kings apart."""
    if popcount(board.king) != ONE or popcount(board.their_king) != ONE:
        return False
    own, their = ours(board), theirs(board)
    sliders, their_sliders = board.diagonals | board.orthogonals, board.their_diagonals | board.their_orthogonals
    pieces = popcount(board.pawns) + popcount(board.knights) + popcount(sliders) + ONE
    pieces += popcount(board.their_pawns) + popcount(board.their_knights) + popcount(their_sliders) + ONE
    # As many pieces as squares: no two share one. A queen, which is in two words, has been counted by their union.
    if pieces != popcount(own | their) or (board.pawns | board.their_pawns) & (_RANK_1 | RANK_8) != ZERO:
        return False
    rooks, their_rooks = board.orthogonals & ~board.diagonals, board.their_orthogonals & ~board.their_diagonals
    if board.castling != ZERO:
        if board.castling & ~(rooks | their_rooks) != ZERO:
            return False
        if not _rights_fit(board.castling & own, board.king, _RANK_1):
            return False
        if not _rights_fit(board.castling & their, board.their_king, RANK_8):
            return False
    if board.en_passant == ZERO:
        return True
    passed = board.en_passant
    return bool(
        rest(passed) == ZERO
        and passed & _RANK_6 != ZERO
        and (passed | passed << _8) & (own | their) == ZERO
        and passed >> _8 & board.their_pawns != ZERO
        and their_pawn_attacks(passed) & board.pawns != ZERO
    )


@inline
def takes_king(tables: Tables, board: Board) -> bool:
    """Tell whether we attack their king: they have just moved, and it was not legal."""
    king, occupied = lsb(board.their_king), ours(board) | theirs(board)
    attackers = knight_attacks(tables, king) & board.knights | king_attacks(tables, king) & board.king
    attackers |= their_pawn_attacks(board.their_king) & board.pawns
    attackers |= bishop_attacks(tables, king, occupied) & board.diagonals
    attackers |= rook_attacks(tables, king, occupied) & board.orthogonals
    return bool(attackers != ZERO)
