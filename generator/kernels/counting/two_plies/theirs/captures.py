"""Captures: who may take back, and what the piece taken would have done.

Everything else is counted as if the piece taken still stood there, and ours had only left its square.
"""

from __future__ import annotations

import numpy as np

from ....attacks import bishop_attacks, knight_attacks, rook_attacks, their_pawn_attacks
from ....machine.bits import ZERO, lsb, popcount, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..scene import Scene
from .pawns import RANK_6, TheirPawns, offered
from .pins import Pins, pin_lines

_2, _8 = np.uint64(2), np.uint64(8)
_RANK_2 = np.uint64(0xFF00)


@inlined
def pawn_moves(pawn: np.uint64, own: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the number of moves of one pawn of theirs that is not pinned."""
    push = pawn >> _8 & ~occupied
    moves = popcount(push | their_pawn_attacks(pawn) & own)
    if pawn & _RANK_2 != ZERO:
        moves = moves << _2
    return moves + popcount((push & RANK_6) >> _8 & ~occupied)


@inlined
def capture_change(
    tables: Tables, scene: Scene, pins: Pins, pawns: TheirPawns, origin: np.uint64, target: np.uint64
) -> np.uint64:
    """Return how many may take back on `target` what came from `origin`, less the moves of the piece taken there.

    Modulo 2**64. Their king is apart.
    """
    board, square, after = scene.board, lsb(target), scene.occupied ^ origin
    by_bishop, by_rook = bishop_attacks(tables, square, after), rook_attacks(tables, square, after)
    by_knight = knight_attacks(tables, square)
    takers = popcount(by_bishop & board.their_diagonals & ~pin_lines(pins))
    takers += popcount(by_rook & board.their_orthogonals & ~pin_lines(pins))
    takers += popcount(by_knight & board.their_knights & ~pin_lines(pins)) + offered(pawns, target)
    if target & board.their_pawns != ZERO:
        return takers - pawn_moves(target, scene.own & ~origin, after)
    if target & board.their_knights != ZERO:
        return takers - popcount(by_knight & ~scene.their)
    if target & board.their_diagonals != ZERO:
        takers -= popcount(by_bishop & ~scene.their)
    if target & board.their_orthogonals != ZERO:
        takers -= popcount(by_rook & ~scene.their)
    return takers


@inlined
def capture_changes(
    tables: Tables, scene: Scene, pins: Pins, pawns: TheirPawns, origin: np.uint64, targets: np.uint64
) -> np.uint64:
    """Return the sum of `capture_change` over those of `targets` that are captures."""
    change = ZERO
    targets &= scene.their
    while targets != ZERO:
        change += capture_change(tables, scene, pins, pawns, origin, targets & ~rest(targets))
        targets = rest(targets)
    return change
