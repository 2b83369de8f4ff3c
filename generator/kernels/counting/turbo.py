"""The counting kernel: perft by popcount of strictly legal target sets.

No move is ever written down. Checks and pins are found once per position; then each kind of piece
has a set of squares that are legal for it. At the last ply their sizes are added; above it each
square is played at once, as twelve new words that never need undoing.
"""

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
from ..board import Board, following, mirrored, ours, theirs
from ..castling import castling_is_safe, free_castling, king_target, rook_target
from ..machine.bits import ALL, ONE, ZERO, byteswap, load, lowest, lsb, popcount, rest, store
from ..machine.control import NODES, STOP
from ..machine.jit import inlined, kernel, subroutine
from ..pawns import RANK_7, RANK_8, en_passant_target, legal_pawn_targets
from ..safety import en_passant_is_safe, safety
from ..sliders.common import Tables

_2, _3, _4 = np.uint64(2), np.uint64(3), np.uint64(4)
_7, _8, _9, _16 = np.uint64(7), np.uint64(8), np.uint64(9), np.uint64(16)


@inlined
def _count_sliders(
    tables: Tables, board: Board, straight: np.uint64, oblique: np.uint64, occupied: np.uint64, targets: np.uint64
) -> np.uint64:
    """Return the number of legal slider moves; a queen is counted once as bishop and once as rook."""
    count = ZERO
    pinned = straight | oblique
    sliders = board.diagonals & ~pinned
    while sliders != ZERO:
        count += popcount(bishop_attacks(tables, lsb(sliders), occupied) & targets)
        sliders = rest(sliders)
    sliders = board.orthogonals & ~pinned
    while sliders != ZERO:
        count += popcount(rook_attacks(tables, lsb(sliders), occupied) & targets)
        sliders = rest(sliders)
    if pinned == ZERO:
        return count
    sliders = board.diagonals & oblique
    while sliders != ZERO:
        count += popcount(bishop_attacks(tables, lsb(sliders), occupied) & targets & oblique)
        sliders = rest(sliders)
    sliders = board.orthogonals & straight
    while sliders != ZERO:
        count += popcount(rook_attacks(tables, lsb(sliders), occupied) & targets & straight)
        sliders = rest(sliders)
    return count


@subroutine
def count_legal(tables: Tables, board: Board) -> np.uint64:
    """Return the number of legal moves."""
    own, their = ours(board), theirs(board)
    occupied = own | their
    king = lsb(board.king)
    checkers, mask, straight, oblique = safety(tables, board, king, occupied)
    count = ZERO
    steps = king_attacks(tables, king) & ~own
    if checkers == ZERO and board.castling & own != ZERO:
        castling = free_castling(tables, board, own, king, occupied)
        if castling != ZERO:
            attacked = attacked_by_them(tables, board, occupied ^ board.king)
            count += popcount(steps & ~attacked)
            while castling != ZERO:
                if castling_is_safe(tables, king, lsb(castling), attacked, straight):
                    count += ONE
                castling = rest(castling)
            steps = ZERO
    if steps != ZERO:
        count += popcount(steps & ~attacked_near_king(tables, board, king, occupied ^ board.king))
    if rest(checkers) != ZERO:
        return count
    targets = mask & ~own
    knights = board.knights & ~(straight | oblique)
    while knights != ZERO:
        count += popcount(knight_attacks(tables, lsb(knights)) & targets)
        knights = rest(knights)
    count += _count_sliders(tables, board, straight, oblique, occupied, targets)
    single, double, left, right = legal_pawn_targets(board.pawns, straight, oblique, occupied, their, mask)
    count += popcount(single) + popcount(double) + popcount(left) + popcount(right)
    if board.pawns & RANK_7 != ZERO:
        count += _3 * (popcount(single & RANK_8) + popcount(left & RANK_8) + popcount(right & RANK_8))
    if board.en_passant != ZERO:
        takers = their_pawn_attacks(board.en_passant) & board.pawns
        while takers != ZERO:
            if en_passant_is_safe(tables, board, king, occupied, lowest(takers)):
                count += ONE
            takers = rest(takers)
    return count


@inlined
def _slider_targets(
    tables: Tables, board: Board, slider: np.uint64, straight: np.uint64, oblique: np.uint64, occupied: np.uint64
) -> np.uint64:
    """Return the squares that one slider may reach without leaving its pin line."""
    square = lsb(slider)
    reach = ZERO
    if slider & board.diagonals & ~straight != ZERO:
        reach |= bishop_attacks(tables, square, occupied) & (oblique if slider & oblique != ZERO else ALL)
    if slider & board.orthogonals & ~oblique != ZERO:
        reach |= rook_attacks(tables, square, occupied) & (straight if slider & straight != ZERO else ALL)
    return reach


@kernel
def count_leaves(tables: Tables, board: Board, depth: np.uint64, control: np.uint64) -> np.uint64:
    """Return the number of leaves `depth` plies below, at least one; `control` is the address of a `Control`.

    When the control asks to stop, the walk ends early and the count is meaningless.
    """
    if depth == ONE:
        return count_legal(tables, board)
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    own, their = ours(board), theirs(board)
    occupied = own | their
    king = lsb(board.king)
    checkers, mask, straight, oblique = safety(tables, board, king, occupied)
    attacked = attacked_by_them(tables, board, occupied ^ board.king)
    count = ZERO

    # From here on our words, and the squares that they change by, are those seen by the other side.
    other = mirrored(board)
    pawns, knights, diagonals = other.their_pawns, other.their_knights, other.their_diagonals
    orthogonals, at, rights = other.their_orthogonals, other.their_king, other.castling
    without_ours = rights & ~byteswap(own)

    steps = king_attacks(tables, king) & ~own & ~attacked
    while steps != ZERO:
        to = byteswap(lowest(steps))
        child = following(other, pawns, knights, diagonals, orthogonals, to, ~to, ZERO, without_ours & ~to)
        count += count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
        steps = rest(steps)
    if rest(checkers) != ZERO:
        return count
    if checkers == ZERO:
        castling = free_castling(tables, board, own, king, occupied)
        while castling != ZERO:
            rook = lsb(castling)
            if castling_is_safe(tables, king, rook, attacked, straight):
                to = byteswap(ONE << king_target(king, rook))
                change = byteswap(ONE << rook) ^ byteswap(ONE << rook_target(king, rook))
                child = following(other, pawns, knights, diagonals, orthogonals ^ change, to, ALL, ZERO, without_ours)
                count += (
                    count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
                )
            castling = rest(castling)

    targets = mask & ~own
    pieces = board.knights & ~(straight | oblique)
    while pieces != ZERO:
        origin = byteswap(lowest(pieces))
        reach = knight_attacks(tables, lsb(pieces)) & targets
        while reach != ZERO:
            to = byteswap(lowest(reach))
            child = following(other, pawns, knights ^ origin ^ to, diagonals, orthogonals, at, ~to, ZERO, rights & ~to)
            count += count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
            reach = rest(reach)
        pieces = rest(pieces)

    pieces = board.diagonals | board.orthogonals
    while pieces != ZERO:
        origin = byteswap(lowest(pieces))
        as_bishop = ALL if origin & diagonals != ZERO else ZERO
        as_rook = ALL if origin & orthogonals != ZERO else ZERO
        reach = _slider_targets(tables, board, lowest(pieces), straight, oblique, occupied) & targets
        while reach != ZERO:
            to = byteswap(lowest(reach))
            change = origin | to
            child = following(
                other,
                pawns,
                knights,
                diagonals ^ change & as_bishop,
                orthogonals ^ change & as_rook,
                at,
                ~to,
                ZERO,
                rights & ~change,
            )
            count += count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
            reach = rest(reach)
        pieces = rest(pieces)

    single, double, left, right = legal_pawn_targets(board.pawns, straight, oblique, occupied, their, mask)
    reach = single & ~RANK_8
    while reach != ZERO:
        to = byteswap(lowest(reach))
        child = following(other, pawns ^ to ^ to << _8, knights, diagonals, orthogonals, at, ALL, ZERO, rights)
        count += count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
        reach = rest(reach)
    while double != ZERO:
        to = byteswap(lowest(double))
        passed = en_passant_target(other.pawns, to)
        child = following(other, pawns ^ to ^ to << _16, knights, diagonals, orthogonals, at, ALL, passed, rights)
        count += count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
        double = rest(double)
    reach = left & ~RANK_8
    while reach != ZERO:
        to = byteswap(lowest(reach))
        child = following(other, pawns ^ to ^ to << _9, knights, diagonals, orthogonals, at, ~to, ZERO, rights & ~to)
        count += count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
        reach = rest(reach)
    reach = right & ~RANK_8
    while reach != ZERO:
        to = byteswap(lowest(reach))
        child = following(other, pawns ^ to ^ to << _7, knights, diagonals, orthogonals, at, ~to, ZERO, rights & ~to)
        count += count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
        reach = rest(reach)

    if board.pawns & RANK_7 != ZERO:
        for way in range(3):
            reach = (single if way == 0 else left if way == 1 else right) & RANK_8
            back = _8 if way == 0 else _9 if way == 1 else _7
            while reach != ZERO:
                to = byteswap(lowest(reach))
                left_over = pawns ^ to << back
                for piece in range(4):
                    child = following(
                        other,
                        left_over,
                        knights | (to if piece == 0 else ZERO),
                        diagonals | (to if piece & 1 else ZERO),
                        orthogonals | (to if piece & 2 else ZERO),
                        at,
                        ~to,
                        ZERO,
                        rights & ~to,
                    )
                    count += (
                        count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
                    )
                reach = rest(reach)

    if board.en_passant != ZERO:
        to = byteswap(board.en_passant)
        takers = their_pawn_attacks(board.en_passant) & board.pawns
        while takers != ZERO:
            if en_passant_is_safe(tables, board, king, occupied, lowest(takers)):
                change = byteswap(lowest(takers)) | to
                child = following(other, pawns ^ change, knights, diagonals, orthogonals, at, ~(to << _8), ZERO, rights)
                count += (
                    count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)
                )
            takers = rest(takers)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count
