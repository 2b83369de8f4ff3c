"""Events of being in check."""

from __future__ import annotations

import numpy as np

from ..attacks import between, bishop_attacks, king_attacks, knight_attacks, rook_attacks
from ..board import Board
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inlined, subroutine
from ..pawns import RANK_3
from ..sliders.common import Tables
from .catalogue import Event
from .flags import flag, when
from .scene import Scene, our_attackers

SINGLE = flag(Event.CK_SINGLE)
DOUBLE = flag(Event.CK_DOUBLE)
DOUBLE_PIECE_COULD_TAKE_ONE = flag(Event.CK_DOUBLE_PIECE_COULD_TAKE_ONE)
CAPTURE_CHECKER_PINNED_ILLEGAL = flag(Event.CK_CAPTURE_CHECKER_PINNED_ILLEGAL)
BLOCK_PINNED_ILLEGAL = flag(Event.CK_BLOCK_PINNED_ILLEGAL)
CONTACT_SLIDER = flag(Event.CK_CONTACT_SLIDER)
_8 = np.uint64(8)


@inlined
def _quiet_targets(tables: Tables, board: Board, piece: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the empty squares that a piece of ours, not the king, could move to."""
    square = lsb(piece)
    targets = ZERO
    if piece & board.pawns != ZERO:
        single = piece << _8 & ~occupied
        targets |= single | (single & RANK_3) << _8
    if piece & board.knights != ZERO:
        targets |= knight_attacks(tables, square)
    if piece & board.diagonals != ZERO:
        targets |= bishop_attacks(tables, square, occupied)
    if piece & board.orthogonals != ZERO:
        targets |= rook_attacks(tables, square, occupied)
    return targets & ~occupied


@inlined
def _single_check_events(tables: Tables, board: Board, scene: Scene) -> np.uint64:
    """Return the events of pinned pieces that cannot help against a single checker."""
    checker = lsb(scene.checkers)
    takers = our_attackers(tables, board, checker, scene.occupied) & scene.pinned
    found = SINGLE | when(takers != ZERO, CAPTURE_CHECKER_PINNED_ILLEGAL)
    way = between(tables, scene.king, checker)
    pinned = scene.pinned
    while pinned != ZERO:
        blocks = _quiet_targets(tables, board, lowest(pinned), scene.occupied) & way
        found |= when(blocks != ZERO, BLOCK_PINNED_ILLEGAL)
        pinned = rest(pinned)
    return found


@subroutine
def check_events(tables: Tables, board: Board, scene: Scene) -> np.uint64:
    """Return the events of a position in check."""
    sliders = board.their_diagonals | board.their_orthogonals
    in_contact = scene.checkers & sliders & king_attacks(tables, scene.king)
    found = when(in_contact != ZERO, CONTACT_SLIDER)
    if rest(scene.checkers) == ZERO:
        return found | _single_check_events(tables, board, scene)
    found |= DOUBLE
    checkers = scene.checkers
    while checkers != ZERO:
        takers = our_attackers(tables, board, lsb(checkers), scene.occupied)
        found |= when(takers != ZERO, DOUBLE_PIECE_COULD_TAKE_ONE)
        checkers = rest(checkers)
    return found
