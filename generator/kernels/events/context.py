"""The checks, pins and attacks of a position, found once, from which its events are told."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..attacks import (
    attacked_by_them,
    between,
    bishop_attacks,
    bishop_rays,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_attacks,
    rook_rays,
    their_pawn_attacks,
)
from ..board import Board, ours, theirs
from ..machine.bits import ONE, ZERO, lsb, rest
from ..machine.jit import inlined
from ..safety import safety
from ..sliders.common import Tables


class EventContext(NamedTuple):
    """Checks, pins and attacks of a position; `king` and `their_king` are squares, all else bitboards.

    `pinned` are our pieces alone between our king and a slider of theirs, on the lines `orthogonal_pins`
    and `diagonal_pins`; `their_pinned` are theirs between their king and a slider of ours, and `shields`
    ours that stand so in our own way. `attacked` is what they attack once our king has left its square.
    """

    own: np.uint64
    their: np.uint64
    occupied: np.uint64
    king: np.uint64
    their_king: np.uint64
    checkers: np.uint64
    orthogonal_pins: np.uint64
    diagonal_pins: np.uint64
    pinned: np.uint64
    their_pinned: np.uint64
    shields: np.uint64
    attacked: np.uint64


@inlined
def lone_blockers(tables: Tables, king: np.uint64, sliders: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the pieces that stand alone between the king on `king` and one of `sliders`, in line with it."""
    alone = ZERO
    while sliders != ZERO:
        blockers = between(tables, king, lsb(sliders)) & occupied
        if rest(blockers) == ZERO:
            alone |= blockers
        sliders = rest(sliders)
    return alone


@inlined
def event_context(tables: Tables, board: Board) -> EventContext:
    """Return the context of a position."""
    own, their = ours(board), theirs(board)
    occupied = own | their
    king, their_king = lsb(board.king), lsb(board.their_king)
    checkers, _, orthogonal_pins, diagonal_pins = safety(tables, board, king, occupied)
    sliders = rook_rays(tables, their_king) & board.orthogonals | bishop_rays(tables, their_king) & board.diagonals
    alone = lone_blockers(tables, their_king, sliders, occupied)
    attacked = attacked_by_them(tables, board, occupied ^ board.king)
    return EventContext(
        own,
        their,
        occupied,
        king,
        their_king,
        checkers,
        orthogonal_pins,
        diagonal_pins,
        # A pin line has one piece between king and slider; it is a pin if that piece is ours.
        (orthogonal_pins | diagonal_pins) & own,
        alone & their,
        alone & own,
        attacked,
    )


@inlined
def their_attackers(tables: Tables, board: Board, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return their pieces that attack `square`, given the occupied squares."""
    attackers = knight_attacks(tables, square) & board.their_knights
    attackers |= king_attacks(tables, square) & board.their_king
    attackers |= pawn_attacks(ONE << square) & board.their_pawns
    attackers |= rook_attacks(tables, square, occupied) & board.their_orthogonals
    attackers |= bishop_attacks(tables, square, occupied) & board.their_diagonals
    return attackers


@inlined
def our_attackers(tables: Tables, board: Board, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return our pieces other than the king that attack `square`, given the occupied squares."""
    attackers = knight_attacks(tables, square) & board.knights
    attackers |= their_pawn_attacks(ONE << square) & board.pawns
    attackers |= rook_attacks(tables, square, occupied) & board.orthogonals
    attackers |= bishop_attacks(tables, square, occupied) & board.diagonals
    return attackers
