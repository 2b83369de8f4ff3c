"""Events of checks: of being in check, and of giving it by discovery."""

from __future__ import annotations

import numpy as np

from ..attacks import between, bishop_attacks, king_attacks, knight_attacks, line, rook_attacks
from ..board import Board
from ..encoding import CASTLING, EN_PASSANT
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inline
from ..pawns import RANK_3
from ..sliders.lookup import Tables
from . import flags
from .context import EventContext, MoveInfo, gives_check, gives_double_check, our_attackers
from .flags import when

_8 = np.uint64(8)


@inline
def _quiet_targets(tables: Tables, board: Board, piece: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the empty squares that a piece of ours, not the king, could move to."""
    square = lsb(piece)
    # Without captures: what is asked is whether it could go between king and checker, where no piece stands.
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


@inline
def _single_check_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of pinned pieces that cannot help against a single checker."""
    checker = lsb(context.checkers)
    takers = our_attackers(tables, board, checker, context.occupied) & context.pinned
    found = flags.CK_SINGLE | when(takers != ZERO, flags.CK_CAPTURE_CHECKER_PINNED_ILLEGAL)
    way = between(tables, context.king, checker)
    pinned = context.pinned
    while pinned != ZERO:
        blocks = _quiet_targets(tables, board, lowest(pinned), context.occupied) & way
        found |= when(blocks != ZERO, flags.CK_BLOCK_PINNED_ILLEGAL)
        pinned = rest(pinned)
    return found


@inline
def check_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of a position in check."""
    sliders = board.their_diagonals | board.their_orthogonals
    in_contact = context.checkers & sliders & king_attacks(tables, context.king)
    found = when(in_contact != ZERO, flags.CK_CONTACT_SLIDER)
    if rest(context.checkers) == ZERO:
        return found | _single_check_events(tables, board, context)
    found |= flags.CK_DOUBLE
    # Each checker could be taken alone, but the check by the other one remains.
    checkers = context.checkers
    while checkers != ZERO:
        takers = our_attackers(tables, board, lsb(checkers), context.occupied)
        found |= when(takers != ZERO, flags.CK_DOUBLE_PIECE_COULD_TAKE_ONE)
        checkers = rest(checkers)
    return found


@inline
def discovered_check_events(board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move that gives discovered check."""
    found = flags.DC_ANY | when(gives_double_check(info), flags.DC_DOUBLE_CHECK_MOVE)
    if info.origin & board.pawns != ZERO:
        found |= when(info.target & context.their != ZERO, flags.DC_BY_PAWN_CAPTURE)
        found |= when(info.target & context.their == ZERO and info.kind != EN_PASSANT, flags.DC_BY_PAWN_PUSH)
    return found


@inline
def shield_events(tables: Tables, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move by a piece that shields the enemy king from a slider of ours."""
    along = line(tables, context.their_king, lsb(info.origin)) & info.target != ZERO
    return when(along and info.kind != CASTLING and not gives_check(info), flags.DC_SHIELD_STAYS_ON_LINE)
