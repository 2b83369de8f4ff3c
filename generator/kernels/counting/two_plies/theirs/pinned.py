"""Their pinned pieces: what they can do, and what they could if they were not pinned."""

from __future__ import annotations

import numpy as np

from ....attacks import bishop_attacks, knight_attacks, rook_attacks, their_pawn_attacks
from ....machine.bits import ZERO, lowest, lsb, popcount, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..scene import Scene
from .captures import pawn_moves
from .pawns import RANK_6
from .pins import Pins

_2, _8, _16 = np.uint64(2), np.uint64(8), np.uint64(16)
_RANK_2 = np.uint64(0xFF00)


@inlined
def _pinned_pawn(
    pawn: np.uint64, orthogonal: np.uint64, diagonal: np.uint64, own: np.uint64, occupied: np.uint64
) -> np.uint64:
    if pawn & orthogonal != ZERO:
        push = pawn >> _8 & ~occupied & orthogonal
        return popcount(push) + popcount((push & RANK_6) >> _8 & ~occupied)
    moves = popcount(their_pawn_attacks(pawn) & own & diagonal)
    return moves << _2 if pawn & _RANK_2 != ZERO else moves


@inlined
def pinned_moves(
    tables: Tables,
    scene: Scene,
    piece: np.uint64,
    orthogonal: np.uint64,
    diagonal: np.uint64,
    own: np.uint64,
    occupied: np.uint64,
) -> np.uint64:
    """Return the number of moves of one piece of theirs on an orthogonal or diagonal pin line."""
    board, square = scene.board, lsb(piece)
    if piece & board.their_pawns != ZERO:
        return _pinned_pawn(piece, orthogonal, diagonal, own, occupied)
    moves = ZERO
    if piece & board.their_diagonals & diagonal != ZERO:
        moves = popcount(bishop_attacks(tables, square, occupied) & diagonal)
    if piece & board.their_orthogonals & orthogonal != ZERO:
        moves = popcount(rook_attacks(tables, square, occupied) & orthogonal)
    return moves


@inlined
def reach_of(tables: Tables, scene: Scene, piece: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares on which the moves of one piece of theirs depend: what it attacks, or may be pushed to."""
    board, square = scene.board, lsb(piece)
    if piece & board.their_pawns != ZERO:
        return their_pawn_attacks(piece) | piece >> _8 | piece >> _16
    reach = ZERO
    if piece & board.their_knights != ZERO:
        reach = knight_attacks(tables, square)
    if piece & board.their_diagonals != ZERO:
        reach |= bishop_attacks(tables, square, occupied)
    if piece & board.their_orthogonals != ZERO:
        reach |= rook_attacks(tables, square, occupied)
    return reach


@inlined
def freed_moves(tables: Tables, scene: Scene, piece: np.uint64, own: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the number of moves of one piece of theirs that is not pinned any more."""
    if piece & scene.board.their_pawns != ZERO:
        return pawn_moves(piece, own, occupied)
    # A piece of theirs that is taken meanwhile is a square to go to.
    return popcount(reach_of(tables, scene, piece, occupied) & ~(scene.their & ~own))


@inlined
def pinned_replies(tables: Tables, scene: Scene, pins: Pins) -> np.uint64:
    """Return the number of moves of all their pinned pieces before we move."""
    count = ZERO
    pieces = scene.their & (pins.orthogonal | pins.diagonal)
    while pieces != ZERO:
        count += pinned_moves(tables, scene, lowest(pieces), pins.orthogonal, pins.diagonal, scene.own, scene.occupied)
        pieces = rest(pieces)
    return count
