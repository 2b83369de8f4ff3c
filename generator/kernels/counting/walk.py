"""The simple counting kernel: perft by popcount of strictly legal target sets.

No move is ever written down. Checks and pins are found once per position; then each kind of piece has a set of
squares that are legal for it. At the last ply their sizes are added (`last_ply.py`); above it each square is played
at once, as twelve new words that never need undoing. What counts the last plies is a parameter of the walk.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..attacks import attacked_by_them, bishop_attacks, king_attacks, knight_attacks, rook_attacks, their_pawn_attacks
from ..board import Board, mirror_board, next_board, ours, theirs
from ..castling import castling_is_safe, free_castling, king_target, rook_target
from ..machine.bits import ALL, ONE, ZERO, byteswap, load, lowest, lsb, rest, store
from ..machine.jit import inline, kernel, with_name
from ..machine.memory import NODES, STOP
from ..pawns import RANK_8, en_passant_target, legal_pawn_targets
from ..safety import KingSafety, en_passant_is_safe, king_safety
from ..sliders.lookup import Tables
from .last_ply import count_legal

_4, _7, _8, _9, _16 = (np.uint64(number) for number in (4, 7, 8, 9, 16))

Leaves = Callable[[Tables, Board, np.uint64], np.uint64]
"""Counts the leaves of a position with the last plies left; the last argument is for what it notes on the way."""
Walk = Callable[[Tables, Board, np.uint64, np.uint64, np.uint64], np.uint64]
"""Counts the leaves below a position: tables, board, depth, the address of a `Control`, and what `Leaves` notes."""


@inline
def _slider_targets(
    tables: Tables, board: Board, slider: np.uint64, safety: KingSafety, occupied: np.uint64
) -> np.uint64:
    """Return the squares that one slider may reach without leaving its pin line."""
    square, orthogonal_pins, diagonal_pins = lsb(slider), safety.orthogonal_pins, safety.diagonal_pins
    reach = ZERO
    # A bishop that is pinned on a rank or file has no move, nor has a rook on a diagonal.
    if slider & board.diagonals & ~orthogonal_pins != ZERO:
        reach |= bishop_attacks(tables, square, occupied) & (diagonal_pins if slider & diagonal_pins != ZERO else ALL)
    if slider & board.orthogonals & ~diagonal_pins != ZERO:
        reach |= rook_attacks(tables, square, occupied) & (orthogonal_pins if slider & orthogonal_pins != ZERO else ALL)
    return reach


def make_walk(name: str, leaves: Leaves, last: np.uint64) -> Walk:  # noqa: C901 - a loop for each kind of move, in one function (see below)
    """Return a kernel of this name that walks down to positions with `last` plies left, which `leaves` counts.

    The kernel recurses in its own body, because Numba does not link functions that call each other (mutual
    recursion): no step of the walk can be a kernel of its own. The functions inside it are not called,
    for Numba copies their bodies to where they are used: few such places make it fast to compile.
    """

    @kernel
    @with_name(name)
    def count(tables: Tables, board: Board, depth: np.uint64, control: np.uint64, notes: np.uint64) -> np.uint64:  # noqa: C901 - a loop for each kind of move, in one function (see above)
        """Return the number of leaves `depth` plies below, at least one; `control` is the address of a `Control`.

        When the control asks to stop, the walk ends early and the count is meaningless.
        """

        def below(child: Board) -> np.uint64:
            if depth == last + ONE:
                return leaves(tables, child, notes)
            return count(tables, child, depth - ONE, control, notes)

        if depth == ONE:
            return count_legal(tables, board)
        if depth == last:
            return leaves(tables, board, notes)
        # Not below depth 4: there are too many nodes to look each time at memory that another thread writes to.
        if depth >= _4 and load(control, STOP) != ZERO:
            return ZERO
        own, their = ours(board), theirs(board)
        occupied = own | their
        king = lsb(board.king)
        safety = king_safety(tables, board, king, occupied)
        # Without our king: a slider that gives check attacks the square behind the king, too.
        attacked = attacked_by_them(tables, board, occupied ^ board.king)
        nodes = ZERO

        # From here on our words, and the squares that they change by, are those seen by the other side.
        other = mirror_board(board)
        pawns, knights, diagonals = other.their_pawns, other.their_knights, other.their_diagonals
        orthogonals, at, rights = other.their_orthogonals, other.their_king, other.castling
        without_ours = rights & ~byteswap(own)

        if safety.checkers == ZERO:
            castling = free_castling(tables, board, own, king, occupied)
            while castling != ZERO:
                rook = lsb(castling)
                if castling_is_safe(tables, king, rook, attacked, safety.orthogonal_pins):
                    to = byteswap(ONE << king_target(king, rook))
                    # Exclusive or twice: in Chess960 the rook may land where it stood.
                    rooks = orthogonals ^ byteswap(ONE << rook) ^ byteswap(ONE << rook_target(king, rook))
                    nodes += below(next_board(other, pawns, knights, diagonals, rooks, to, ALL, ZERO, without_ours))
                castling = rest(castling)

        targets = safety.mask & ~own
        # Nothing but a king step answers a double check.
        pieces = board.king if rest(safety.checkers) != ZERO else own & ~board.pawns
        while pieces != ZERO:
            piece = lowest(pieces)
            if piece == board.king:
                reach = king_attacks(tables, king) & ~own & ~attacked
            elif piece & board.knights != ZERO:
                # A pinned knight cannot stay on its line.
                pinned = piece & (safety.orthogonal_pins | safety.diagonal_pins)
                reach = knight_attacks(tables, lsb(piece)) & targets if pinned == ZERO else ZERO
            else:
                reach = _slider_targets(tables, board, piece, safety, occupied) & targets
            origin = byteswap(piece)
            # Masks in place of branches: all kinds of pieces share one loop over their targets, and `below` one place.
            as_king = ALL if piece == board.king else ZERO
            as_knight = ALL if origin & knights != ZERO else ZERO
            # A queen stands in both words, and moves in both.
            as_bishop = ALL if origin & diagonals != ZERO else ZERO
            as_rook = ALL if origin & orthogonals != ZERO else ZERO
            # A right is the square of its rook. A king's move takes both of ours, a rook's or a capture its own.
            kept = without_ours if piece == board.king else rights
            while reach != ZERO:
                to = byteswap(lowest(reach))
                change = origin | to
                child = next_board(
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
                nodes += below(child)
                reach = rest(reach)
            pieces = rest(pieces)
        if rest(safety.checkers) != ZERO:
            return nodes

        single, double, left, right = legal_pawn_targets(board.pawns, safety, occupied, their)
        # Our moves up the board are moves down for the other side: the origin is `<<` of the target.
        for way, back in ((single, _8), (double, _16), (left, _9), (right, _7)):
            reach = way
            while reach != ZERO:
                to = byteswap(lowest(reach))
                passed = en_passant_target(other.pawns, to) if back == _16 else ZERO
                promotes = lowest(reach) & RANK_8 != ZERO
                # Knight, bishop, rook, queen: bit 0 of the number says diagonal, bit 1 orthogonal. The last is a pawn.
                for becomes in range(0 if promotes else 4, 4 if promotes else 5):
                    child = next_board(
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
                    nodes += below(child)
                reach = rest(reach)

        if board.en_passant != ZERO:
            to = byteswap(board.en_passant)
            takers = their_pawn_attacks(board.en_passant) & board.pawns
            while takers != ZERO:
                # The pin lines say nothing here: they are about one piece that leaves a line, and two pawns do.
                if en_passant_is_safe(tables, board, king, occupied, lowest(takers)):
                    moved = pawns ^ byteswap(lowest(takers)) ^ to
                    nodes += below(
                        next_board(other, moved, knights, diagonals, orthogonals, at, ~(to << _8), ZERO, rights)
                    )
                takers = rest(takers)
        # At depth 4: often enough to show progress, too rarely to cost time.
        if depth == _4:
            store(control, NODES, load(control, NODES) + nodes)
        return nodes

    return count


@inline
def _count_last_ply(tables: Tables, board: Board, _notes: np.uint64) -> np.uint64:
    return count_legal(tables, board)


count_leaves = make_walk("count_leaves", _count_last_ply, ONE)
