"""The last ply: the number of legal moves, computed as a sum of population counts of legal target sets."""

from __future__ import annotations

import numpy as np

from ..attacks import (
    attacked_by_them,
    attacked_near_king,
    bishop_attacks,
    king_attacks,
    knight_attacks,
    rook_attacks,
    their_pawn_attacks,
)
from ..board import Board, ours, theirs
from ..castling import castling_is_safe, free_castling
from ..machine.bits import ONE, ZERO, lowest, lsb, popcount, rest
from ..machine.jit import inline, subroutine
from ..pawns import RANK_7, RANK_8, legal_pawn_targets
from ..safety import KingSafety, en_passant_is_safe, king_safety
from ..sliders.lookup import Tables

_3 = np.uint64(3)


@inline
def _count_sliders(
    tables: Tables, board: Board, safety: KingSafety, occupied: np.uint64, targets: np.uint64
) -> np.uint64:
    """Return the number of legal slider moves; a queen is counted once as a bishop and once as a rook."""
    count, orthogonal_pins, diagonal_pins = ZERO, safety.orthogonal_pins, safety.diagonal_pins
    pinned = orthogonal_pins | diagonal_pins
    sliders = board.diagonals & ~pinned
    while sliders != ZERO:
        count += popcount(bishop_attacks(tables, lsb(sliders), occupied) & targets)
        sliders = rest(sliders)
    sliders = board.orthogonals & ~pinned
    while sliders != ZERO:
        count += popcount(rook_attacks(tables, lsb(sliders), occupied) & targets)
        sliders = rest(sliders)
    # Most positions have no pins, so the loops below would do nothing.
    if pinned == ZERO:
        return count
    # A bishop or rook on a pin line of the other kind has no moves. A pinned queen moves either like a bishop or like a
    # rook.
    sliders = board.diagonals & diagonal_pins
    while sliders != ZERO:
        count += popcount(bishop_attacks(tables, lsb(sliders), occupied) & targets & diagonal_pins)
        sliders = rest(sliders)
    sliders = board.orthogonals & orthogonal_pins
    while sliders != ZERO:
        count += popcount(rook_attacks(tables, lsb(sliders), occupied) & targets & orthogonal_pins)
        sliders = rest(sliders)
    return count


@subroutine
def count_legal(tables: Tables, board: Board) -> np.uint64:
    """Return the number of legal moves."""
    own, their = ours(board), theirs(board)
    occupied = own | their
    king = lsb(board.king)
    safety = king_safety(tables, board, king, occupied)
    count = ZERO
    # Attacks are computed without our king, because sliders attack through the square that it leaves. Castling needs
    # the attacks on the whole back rank; king steps need only those next to the king, which are faster to compute. If
    # castling is possible, which is rare, king steps use the complete attacks, too.
    steps = king_attacks(tables, king) & ~own
    if safety.checkers == ZERO and board.castling & own != ZERO:
        castling = free_castling(tables, board, own, king, occupied)
        if castling != ZERO:
            attacked = attacked_by_them(tables, board, occupied ^ board.king)
            count += popcount(steps & ~attacked)
            while castling != ZERO:
                if castling_is_safe(tables, king, lsb(castling), attacked, safety.orthogonal_pins):
                    count += ONE
                castling = rest(castling)
            steps = ZERO
    if steps != ZERO:
        count += popcount(steps & ~attacked_near_king(tables, board, king, occupied ^ board.king))
    # Only a king move evades a double check.
    if rest(safety.checkers) != ZERO:
        return count
    targets = safety.mask & ~own
    # A pinned knight cannot move along its pin line.
    knights = board.knights & ~(safety.orthogonal_pins | safety.diagonal_pins)
    while knights != ZERO:
        count += popcount(knight_attacks(tables, lsb(knights)) & targets)
        knights = rest(knights)
    count += _count_sliders(tables, board, safety, occupied, targets)
    single, double, left, right = legal_pawn_targets(board.pawns, safety, occupied, their)
    # Pushes end on empty squares and captures on occupied ones, but two pawns may capture on the same square.
    count += popcount(single | double | left) + popcount(right)
    # A pawn move to the last rank has been counted once so far, but it is four moves, one per promotion piece.
    if board.pawns & RANK_7 != ZERO:
        count += _3 * (popcount((single | left) & RANK_8) + popcount(right & RANK_8))
    # En passant captures are tested one by one: two pawns leave their squares, which pin lines do not cover.
    if board.en_passant != ZERO:
        takers = their_pawn_attacks(board.en_passant) & board.pawns
        while takers != ZERO:
            if en_passant_is_safe(tables, board, king, occupied, lowest(takers)):
                count += ONE
            takers = rest(takers)
    return count
