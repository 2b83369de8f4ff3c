"""Events of being in check."""

from __future__ import annotations

import numpy as np

from ..attacks import between, bishop_attacks, king_attacks, knight_attacks, rook_attacks
from ..board import Board
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inlined
from ..pawns import RANK_3
from ..sliders.common import Tables
from .catalogue import Event
from .context import EventContext, our_attackers
from .flags import flag, when

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
def _single_check_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of pinned pieces that cannot help against a single checker."""
    checker = lsb(context.checkers)
    takers = our_attackers(tables, board, checker, context.occupied) & context.pinned
    found = SINGLE | when(takers != ZERO, CAPTURE_CHECKER_PINNED_ILLEGAL)
    way = between(tables, context.king, checker)
    pinned = context.pinned
    while pinned != ZERO:
        blocks = _quiet_targets(tables, board, lowest(pinned), context.occupied) & way
        found |= when(blocks != ZERO, BLOCK_PINNED_ILLEGAL)
        pinned = rest(pinned)
    return found


@inlined
def check_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of a position in check."""
    sliders = board.their_diagonals | board.their_orthogonals
    in_contact = context.checkers & sliders & king_attacks(tables, context.king)
    found = when(in_contact != ZERO, CONTACT_SLIDER)
    if rest(context.checkers) == ZERO:
        return found | _single_check_events(tables, board, context)
    found |= DOUBLE
    checkers = context.checkers
    while checkers != ZERO:
        takers = our_attackers(tables, board, lsb(checkers), context.occupied)
        found |= when(takers != ZERO, DOUBLE_PIECE_COULD_TAKE_ONE)
        checkers = rest(checkers)
    return found
