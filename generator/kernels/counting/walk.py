"""The simple counting kernel: perft by population counts of legal target sets.

No move lists are written. Checks and pins are found once per position; then each piece type has a set of legal target
squares. At the last ply their sizes are added (`last_ply.py`). Above it, each move is played by computing twelve new
words, so that nothing has to be undone. The function that counts the last plies is a parameter of the walk.
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
"""A function that counts the leaf nodes in the last plies; its last argument is scratch memory."""
Walk = Callable[[Tables, Board, np.uint64, np.uint64, np.uint64], np.uint64]
"""A kernel that counts leaf nodes, given tables, board, depth, the address of a `Control`, and scratch memory."""


@inline
def _slider_targets(
    tables: Tables, board: Board, slider: np.uint64, safety: KingSafety, occupied: np.uint64
) -> np.uint64:
    """Return the target squares of one slider, which stays on its pin line if it is pinned."""
    square, orthogonal_pins, diagonal_pins = lsb(slider), safety.orthogonal_pins, safety.diagonal_pins
    reach = ZERO
    # A bishop pinned on a rank or file has no moves, nor does a rook pinned on a diagonal.
    if slider & board.diagonals & ~orthogonal_pins != ZERO:
        reach |= bishop_attacks(tables, square, occupied) & (diagonal_pins if slider & diagonal_pins != ZERO else ALL)
    if slider & board.orthogonals & ~diagonal_pins != ZERO:
        reach |= rook_attacks(tables, square, occupied) & (orthogonal_pins if slider & orthogonal_pins != ZERO else ALL)
    return reach


def make_walk(name: str, leaves: Leaves, last: np.uint64) -> Walk:  # noqa: C901 - a loop for each kind of move, in one function (see below)
    """Return a kernel named `name` that walks to positions with `last` remaining plies, which `leaves` counts.

    The kernel calls itself directly and is not divided into separate functions, because Numba does not link mutually
    recursive functions. Numba inlines the inner functions at every call, so there are few calls to keep compilation
    fast.
    """

    @kernel
    @with_name(name)
    def count(tables: Tables, board: Board, depth: np.uint64, control: np.uint64, notes: np.uint64) -> np.uint64:  # noqa: C901 - a loop for each kind of move, in one function (see above)
        """Return the number of leaf nodes at `depth`, which is at least 1; `control` is the address of a `Control`.

        If a stop is requested, the walk ends early and the count is meaningless.
        """

        def below(child: Board) -> np.uint64:
            if depth == last + ONE:
                return leaves(tables, child, notes)
            return count(tables, child, depth - ONE, control, notes)

        if depth == ONE:
            return count_legal(tables, board)
        if depth == last:
            return leaves(tables, board, notes)
        # Only from depth 4 on: reading memory that another thread writes to is too slow to be done at every node.
        if depth >= _4 and load(control, STOP) != ZERO:
            return ZERO
        own, their = ours(board), theirs(board)
        occupied = own | their
        king = lsb(board.king)
        safety = king_safety(tables, board, king, occupied)
        # Computed without our king, because a slider that gives check also attacks the square behind the king.
        attacked = attacked_by_them(tables, board, occupied ^ board.king)
        nodes = ZERO

        # From here on, our bitboards and the squares that change are from the opponent's view.
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
                    # Two XOR operations, because in Chess960 the rook may land on its own square.
                    rooks = orthogonals ^ byteswap(ONE << rook) ^ byteswap(ONE << rook_target(king, rook))
                    nodes += below(next_board(other, pawns, knights, diagonals, rooks, to, ALL, ZERO, without_ours))
                castling = rest(castling)

        targets = safety.mask & ~own
        # Only a king move evades a double check.
        pieces = board.king if rest(safety.checkers) != ZERO else own & ~board.pawns
        while pieces != ZERO:
            piece = lowest(pieces)
            if piece == board.king:
                reach = king_attacks(tables, king) & ~own & ~attacked
            elif piece & board.knights != ZERO:
                # A pinned knight cannot move along its pin line.
                pinned = piece & (safety.orthogonal_pins | safety.diagonal_pins)
                reach = knight_attacks(tables, lsb(piece)) & targets if pinned == ZERO else ZERO
            else:
                reach = _slider_targets(tables, board, piece, safety, occupied) & targets
            origin = byteswap(piece)
            # Masks replace branches, so that all pieces share one loop over their targets and one call of `below`.
            as_king = ALL if piece == board.king else ZERO
            as_knight = ALL if origin & knights != ZERO else ZERO
            # A queen is in both slider bitboards and moves in both.
            as_bishop = ALL if origin & diagonals != ZERO else ZERO
            as_rook = ALL if origin & orthogonals != ZERO else ZERO
            # A castling right is the square of its rook. A king move clears both of our rights; a rook move or a
            # capture clears one.
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
        # Our pawns move down the board from the opponent's view, so the origin is `<<` of the target.
        for destinations, back in ((single, _8), (double, _16), (left, _9), (right, _7)):
            reach = destinations
            while reach != ZERO:
                to = byteswap(lowest(reach))
                passed = en_passant_target(other.pawns, to) if back == _16 else ZERO
                promotes = lowest(reach) & RANK_8 != ZERO
                # 0 to 3 are knight, bishop, rook and queen: bit 0 means diagonal, bit 1 orthogonal. 4 remains a pawn.
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
                # Pin lines do not cover en passant, because two pawns leave a line.
                if en_passant_is_safe(tables, board, king, occupied, lowest(takers)):
                    moved = pawns ^ byteswap(lowest(takers)) ^ to
                    nodes += below(
                        next_board(other, moved, knights, diagonals, orthogonals, at, ~(to << _8), ZERO, rights)
                    )
                takers = rest(takers)
        # Depth 4 is frequent enough to show progress, and rare enough to cost no time.
        if depth == _4:
            store(control, NODES, load(control, NODES) + nodes)
        return nodes

    return count


@inline
def _count_last_ply(tables: Tables, board: Board, _notes: np.uint64) -> np.uint64:
    return count_legal(tables, board)


count_leaves = make_walk("count_leaves", _count_last_ply, ONE)
