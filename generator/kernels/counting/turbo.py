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
    tables: Tables,
    board: Board,
    orthogonal_pins: np.uint64,
    diagonal_pins: np.uint64,
    occupied: np.uint64,
    targets: np.uint64,
) -> np.uint64:
    """Return the number of legal slider moves; a queen is counted once as bishop and once as rook."""
    count = ZERO
    pinned = orthogonal_pins | diagonal_pins
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
    # On a pin line of the other kind a bishop or rook has no move. A pinned queen moves as only one of them.
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
    checkers, mask, orthogonal_pins, diagonal_pins = safety(tables, board, king, occupied)
    count = ZERO
    # The king is lifted for both kinds of attacks: a slider attacks on through the square that it leaves.
    # Castling needs them on the whole back rank, the steps only next to the king, which is found faster.
    steps = king_attacks(tables, king) & ~own
    if checkers == ZERO and board.castling & own != ZERO:
        castling = free_castling(tables, board, own, king, occupied)
        if castling != ZERO:
            attacked = attacked_by_them(tables, board, occupied ^ board.king)
            count += popcount(steps & ~attacked)
            while castling != ZERO:
                if castling_is_safe(tables, king, lsb(castling), attacked, orthogonal_pins):
                    count += ONE
                castling = rest(castling)
            steps = ZERO
    if steps != ZERO:
        count += popcount(steps & ~attacked_near_king(tables, board, king, occupied ^ board.king))
    # Nothing but a king step answers a double check.
    if rest(checkers) != ZERO:
        return count
    targets = mask & ~own
    # A pinned knight cannot stay on its line.
    knights = board.knights & ~(orthogonal_pins | diagonal_pins)
    while knights != ZERO:
        count += popcount(knight_attacks(tables, lsb(knights)) & targets)
        knights = rest(knights)
    count += _count_sliders(tables, board, orthogonal_pins, diagonal_pins, occupied, targets)
    single, double, left, right = legal_pawn_targets(board.pawns, orthogonal_pins, diagonal_pins, occupied, their, mask)
    count += popcount(single) + popcount(double) + popcount(left) + popcount(right)
    # A promotion has been counted once, and is four moves.
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
    tables: Tables,
    board: Board,
    slider: np.uint64,
    orthogonal_pins: np.uint64,
    diagonal_pins: np.uint64,
    occupied: np.uint64,
) -> np.uint64:
    """Return the squares that one slider may reach without leaving its pin line."""
    square = lsb(slider)
    reach = ZERO
    if slider & board.diagonals & ~orthogonal_pins != ZERO:
        reach |= bishop_attacks(tables, square, occupied) & (diagonal_pins if slider & diagonal_pins != ZERO else ALL)
    if slider & board.orthogonals & ~diagonal_pins != ZERO:
        reach |= rook_attacks(tables, square, occupied) & (orthogonal_pins if slider & orthogonal_pins != ZERO else ALL)
    return reach


@kernel
def count_leaves(tables: Tables, board: Board, depth: np.uint64, control: np.uint64) -> np.uint64:  # noqa: C901 - a loop for each kind of move, in one function (see below)
    """Return the number of leaves `depth` plies below, at least one; `control` is the address of a `Control`.

    When the control asks to stop, the walk ends early and the count is meaningless.

    The walk recurses in its own body, because Numba does not link functions that call each other (mutual
    recursion): no step of the walk can be a kernel of its own. The functions inside it are not called,
    for Numba copies their bodies to where they are used.
    """

    def below(child: Board) -> np.uint64:
        return count_legal(tables, child) if depth == _2 else count_leaves(tables, child, depth - ONE, control)

    if depth == ONE:
        return count_legal(tables, board)
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    own, their = ours(board), theirs(board)
    occupied = own | their
    king = lsb(board.king)
    checkers, mask, orthogonal_pins, diagonal_pins = safety(tables, board, king, occupied)
    # Without our king: a slider that gives check attacks the square behind the king, too.
    attacked = attacked_by_them(tables, board, occupied ^ board.king)
    count = ZERO

    # From here on our words, and the squares that they change by, are those seen by the other side.
    other = mirrored(board)
    pawns, knights, diagonals = other.their_pawns, other.their_knights, other.their_diagonals
    orthogonals, at, rights = other.their_orthogonals, other.their_king, other.castling
    without_ours = rights & ~byteswap(own)

    if checkers == ZERO:
        castling = free_castling(tables, board, own, king, occupied)
        while castling != ZERO:
            rook = lsb(castling)
            if castling_is_safe(tables, king, rook, attacked, orthogonal_pins):
                to = byteswap(ONE << king_target(king, rook))
                # Exclusive or twice: in Chess960 the rook may land where it stood.
                rooks = orthogonals ^ byteswap(ONE << rook) ^ byteswap(ONE << rook_target(king, rook))
                count += below(following(other, pawns, knights, diagonals, rooks, to, ALL, ZERO, without_ours))
            castling = rest(castling)

    targets = mask & ~own
    # Nothing but a king step answers a double check.
    pieces = board.king if rest(checkers) != ZERO else own & ~board.pawns
    while pieces != ZERO:
        piece = lowest(pieces)
        if piece == board.king:
            reach = king_attacks(tables, king) & ~own & ~attacked
        elif piece & board.knights != ZERO:
            # A pinned knight cannot stay on its line.
            pinned = piece & (orthogonal_pins | diagonal_pins)
            reach = knight_attacks(tables, lsb(piece)) & targets if pinned == ZERO else ZERO
        else:
            reach = _slider_targets(tables, board, piece, orthogonal_pins, diagonal_pins, occupied) & targets
        origin = byteswap(piece)
        as_king = ALL if piece == board.king else ZERO
        as_knight = ALL if origin & knights != ZERO else ZERO
        # A queen stands in both words, and moves in both.
        as_bishop = ALL if origin & diagonals != ZERO else ZERO
        as_rook = ALL if origin & orthogonals != ZERO else ZERO
        kept = without_ours if piece == board.king else rights
        while reach != ZERO:
            to = byteswap(lowest(reach))
            change = origin | to
            child = following(
                other,
                pawns,
                knights ^ change & as_knight,
                diagonals ^ change & as_bishop,
                orthogonals ^ change & as_rook,
                at ^ change & as_king,
                ~to,
                ZERO,
                kept & ~change,
            )
            count += below(child)
            reach = rest(reach)
        pieces = rest(pieces)
    if rest(checkers) != ZERO:
        return count

    single, double, left, right = legal_pawn_targets(board.pawns, orthogonal_pins, diagonal_pins, occupied, their, mask)
    # Our moves up the board are moves down for the other side: the origin is `<<` of the target.
    for way, back in ((single, _8), (double, _16), (left, _9), (right, _7)):
        reach = way
        while reach != ZERO:
            to = byteswap(lowest(reach))
            passed = en_passant_target(other.pawns, to) if back == _16 else ZERO
            promotes = lowest(reach) & RANK_8 != ZERO
            # Knight, bishop, rook, queen: bit 0 of the number says diagonal, bit 1 orthogonal. The last is a pawn.
            for becomes in range(0 if promotes else 4, 4 if promotes else 5):
                child = following(
                    other,
                    pawns ^ to << back ^ (to if becomes == 4 else ZERO),
                    knights | (to if becomes == 0 else ZERO),
                    diagonals | (to if becomes & 1 else ZERO),
                    orthogonals | (to if becomes & 2 else ZERO),
                    at,
                    ~to,
                    passed,
                    rights & ~to,
                )
                count += below(child)
            reach = rest(reach)

    if board.en_passant != ZERO:
        to = byteswap(board.en_passant)
        takers = their_pawn_attacks(board.en_passant) & board.pawns
        while takers != ZERO:
            # The pin lines say nothing here: they are about one piece that leaves a line, and two pawns do.
            if en_passant_is_safe(tables, board, king, occupied, lowest(takers)):
                moved = pawns ^ byteswap(lowest(takers)) ^ to
                count += below(following(other, moved, knights, diagonals, orthogonals, at, ~(to << _8), ZERO, rights))
            takers = rest(takers)
    # At depth 4: often enough to show progress, too rarely to cost time.
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count
