"""King events: king steps, pinned pieces, being in check, and giving check by discovery."""

from __future__ import annotations

import numpy as np

from ..attacks import (
    between,
    king_attacks,
    line,
    our_attackers,
    pawn_attacks,
    reach_of,
    their_attackers,
)
from ..board import Board
from ..encoding import CASTLING, EN_PASSANT, NORMAL
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inline
from ..pawns import RANK_3
from ..sliders.lookup import Tables
from . import flags
from .context import EventContext, MoveInfo, gives_check, gives_double_check
from .flags import when

_8, _16 = (np.uint64(number) for number in (8, 16))


@inline
def illegal_step_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of king steps to attacked squares."""
    found = ZERO
    steps = king_attacks(tables, context.king) & ~context.own & context.attacked
    while steps != ZERO:
        square = lsb(steps)
        # Attackers are found without the king, because sliders attack through its square. A square that is attacked
        # only then is shielded by the king on its current square.
        attackers = their_attackers(tables, board, square, context.occupied ^ board.king)
        takes = lowest(steps) & context.their != ZERO
        by_pinned = attackers & ~context.their_pinned == ZERO
        shielded = their_attackers(tables, board, square, context.occupied) == ZERO
        found |= when(shielded, flags.K_XRAY_ILLEGAL)
        found |= when(attackers == board.their_king, flags.K_ADJ_KING_ONLY)
        found |= when(takes, flags.K_CAP_PROTECTED_ILLEGAL)
        found |= when(takes and by_pinned, flags.K_CAP_PROT_BY_PINNED_ONLY)
        found |= when(by_pinned, flags.PIN_PIECE_GUARDS_KING_SQ)
        steps = rest(steps)
    return found


@inline
def king_move_events(context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal king move."""
    found = when(info.target & context.checkers != ZERO, flags.K_CAPTURES_CHECKER)
    return found | when(info.kind == NORMAL and info.discovered != ZERO, flags.K_DISCOVERS_CHECK)


@inline
def pin_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of a position with pinned pieces."""
    found = flags.PIN_ANY | when(rest(context.pinned) != ZERO, flags.PIN_TWO_PLUS)
    found |= when(context.pinned & board.knights != ZERO, flags.PIN_KNIGHT)
    pawns = context.pinned & board.pawns
    while pawns != ZERO:
        pawn = lowest(pawns)
        off_line = ~line(tables, context.king, lsb(pawns))
        found |= when(pawn_attacks(pawn) & context.their & off_line != ZERO, flags.PIN_PAWN_CAPTURE_ILLEGAL)
        found |= when(pawn << _8 & ~context.occupied & off_line != ZERO, flags.PIN_PAWN_PUSH_ILLEGAL)
        pawns = rest(pawns)
    return found


@inline
def pinned_move_events(board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move of a pinned piece."""
    takes = info.target & context.their != ZERO
    found = when(info.direct != ZERO, flags.PIN_PIECE_GIVES_CHECK)
    if info.origin & board.pawns != ZERO:
        pushed = info.target == info.origin << _8
        pushed_twice = info.target == info.origin << _16
        found |= when(takes, flags.PIN_PAWN_CAPTURES_PINNER)
        found |= when(pushed or pushed_twice, flags.PIN_PAWN_PUSH_ALONG)
        return found | when(pushed_twice, flags.PIN_PAWN_DOUBLE_ALONG)
    is_queen = info.origin & board.diagonals & board.orthogonals != ZERO
    return found | flags.PIN_SLIDER_ALONG | when(is_queen and takes, flags.PIN_QUEEN_CAPTURES_PINNER)


@inline
def _quiet_targets(tables: Tables, board: Board, piece: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the empty squares that our piece, which is not the king, could move to."""
    # Captures are excluded, because the squares between king and checker are empty.
    targets = ZERO
    if piece & board.pawns != ZERO:
        single = piece << _8 & ~occupied
        targets |= single | (single & RANK_3) << _8
    return (targets | reach_of(tables, board, lsb(piece), occupied)) & ~occupied


@inline
def _single_check_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of pinned pieces that cannot help against a single checker."""
    checker = lsb(context.checkers)
    takers = our_attackers(tables, board, checker, context.occupied) & context.pinned
    found = flags.CK_SINGLE | when(takers != ZERO, flags.CK_CAPTURE_CHECKER_PINNED_ILLEGAL)
    path = between(tables, context.king, checker)
    pinned = context.pinned
    while pinned != ZERO:
        blocks = _quiet_targets(tables, board, lowest(pinned), context.occupied) & path
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
    # One checker could be captured, but the check by the other one would remain.
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
    """Return the events of a legal move by a piece that shields the opponent's king from our slider."""
    along = line(tables, context.their_king, lsb(info.origin)) & info.target != ZERO
    return when(along and info.kind != CASTLING and not gives_check(info), flags.DC_SHIELD_STAYS_ON_LINE)
