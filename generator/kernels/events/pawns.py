"""Pawn events: en passant, blocked pushes, double pushes, the edges of the board, and promotions.

En passant is the most complicated of these: two pawns leave their squares and one arrives, so that lines through three
squares may change.
"""

from __future__ import annotations

import numpy as np

from ..attacks import between, bishop_attacks, line, our_attackers, pawn_attacks, rook_attacks, their_pawn_attacks
from ..board import Board
from ..encoding import KNIGHT, NORMAL, PROMOTION_MASK
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inline
from ..pawns import RANK_7
from ..safety import leaper_checkers
from ..sliders.lookup import Tables
from . import flags
from .context import EventContext, MoveInfo, gives_double_check
from .flags import when

_7, _8, _9, _16, _23 = (np.uint64(number) for number in (7, 8, 9, 16, 23))
RANK_2 = np.uint64(0xFF00)
FILE_A, FILE_H = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)


@inline
def _sliders_on(tables: Tables, board: Board, king: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the opponent's sliders that attack the square `king`, given the occupied squares."""
    return (
        rook_attacks(tables, king, occupied) & board.their_orthogonals
        | bishop_attacks(tables, king, occupied) & board.their_diagonals
    )


@inline
def _legal_capture(
    tables: Tables, board: Board, context: EventContext, taker: np.uint64, victim: np.uint64, after: np.uint64
) -> np.uint64:
    """Return the events of a legal en passant capture that concern our king."""
    target = board.en_passant
    found = flags.EP_LEGAL
    found |= when(context.checkers & victim != ZERO, flags.EP_EVADE_CAPTURE_CHECKER)
    # If a slider would give check without the pawn on its target square, the pawn blocks the check.
    found |= when(_sliders_on(tables, board, context.king, after ^ target) != ZERO, flags.EP_DEST_BLOCKS_NEEDED)
    found |= when(taker & context.pinned != ZERO, flags.EP_LEGAL_PINNED_ALONG)
    return found


@inline
def _checks_by_capture(
    tables: Tables, board: Board, context: EventContext, taker: np.uint64, victim: np.uint64, after: np.uint64
) -> np.uint64:
    """Return the events of a legal en passant capture that gives check."""
    direct = pawn_attacks(board.en_passant) & board.their_king
    sliders = rook_attacks(tables, context.their_king, after) & board.orthogonals
    sliders |= bishop_attacks(tables, context.their_king, after) & board.diagonals
    found = when(direct != ZERO, flags.EP_GIVES_DIRECT_CHECK)
    found |= when(rest(sliders) != ZERO or (sliders != ZERO and direct != ZERO), flags.EP_DOUBLE_CHECK)
    while sliders != ZERO:
        # The capture has removed the pieces that stood on the line before.
        opened = between(tables, context.their_king, lsb(sliders)) & context.occupied
        found |= when(opened == taker, flags.EP_DISC_BY_CAPTURER)
        found |= when(opened == victim, flags.EP_DISC_BY_VICTIM)
        found |= when(opened == taker | victim, flags.EP_DISC_BY_BOTH_ONLY)
        sliders = rest(sliders)
    return found


@inline
def _illegal_capture(
    tables: Tables, board: Board, context: EventContext, taker: np.uint64, victim: np.uint64, attackers: np.uint64
) -> np.uint64:
    """Return the events of an en passant capture after which `attackers` attack our king."""
    # A pin along the line of the capture does not prevent it, so there must be a different reason.
    leaves_line = line(tables, context.king, lsb(taker)) & board.en_passant == ZERO
    found = when(taker & context.orthogonal_pins != ZERO, flags.EP_ILLEGAL_CAPTURER_PINNED_ORTHO)
    found |= when(taker & context.diagonal_pins != ZERO and leaves_line, flags.EP_ILLEGAL_CAPTURER_PINNED_DIAG)
    found |= when(victim & context.diagonal_pins != ZERO, flags.EP_ILLEGAL_VICTIM_SHIELD)
    found |= when(attackers & context.checkers != ZERO, flags.EP_ILLEGAL_OTHER_CHECK)
    sliders = attackers & board.their_orthogonals
    while sliders != ZERO:
        opened = between(tables, context.king, lsb(sliders)) & context.occupied
        found |= when(opened == taker | victim, flags.EP_ILLEGAL_RANK_DOUBLE)
        sliders = rest(sliders)
    return found


@inline
def en_passant_square_events(board: Board, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move to the en passant square that is not an en passant capture."""
    return when(info.target == board.en_passant and info.kind == NORMAL, flags.EP_SQUARE_PIECE_MOVES_THERE)


@inline
def en_passant_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of a position with an en passant square."""
    target, victim = board.en_passant, board.en_passant >> _8
    takers = their_pawn_attacks(target) & board.pawns
    pieces = our_attackers(tables, board, lsb(target), context.occupied) & ~board.pawns
    found = when(victim & context.checkers != ZERO and pieces != ZERO, flags.EP_SQUARE_NO_EVASION)
    two, legal, illegal = rest(takers) != ZERO, False, False
    while takers != ZERO:
        taker = lowest(takers)
        after = context.occupied ^ taker ^ victim ^ target
        attackers = _sliders_on(tables, board, context.king, after)
        # The capture ends a check by the captured pawn.
        attackers |= leaper_checkers(tables, board, context.king) & ~victim
        if attackers == ZERO:
            legal = True
            found |= _legal_capture(tables, board, context, taker, victim, after)
            found |= _checks_by_capture(tables, board, context, taker, victim, after)
        else:
            illegal = True
            found |= _illegal_capture(tables, board, context, taker, victim, attackers)
        takers = rest(takers)
    return found | when(two, flags.EP_TWO_CAPTURERS) | when(two and legal and illegal, flags.EP_TWO_DIFFERENT_LEGALITY)


@inline
def pawn_events(board: Board, context: EventContext) -> np.uint64:
    """Return the events of blocked pawns and of pawns for which a shift would wrap around the edge.

    For pawns that move up, a shift by 7 leads from the a-file to the h-file of the same rank, and a shift by 9 from the
    h-file to the a-file two ranks ahead; for pawns that move down, the files are swapped. All four cases count.
    """
    steps = (board.pawns & RANK_2) << _8
    found = when((steps & context.occupied) << _8 & ~context.occupied != ZERO, flags.DP_BLOCKED_INTERMEDIATE)
    found |= when((steps & ~context.occupied) << _8 & context.occupied != ZERO, flags.DP_BLOCKED_DEST)
    on_a, on_h = board.pawns & FILE_A, board.pawns & FILE_H
    # No file masks: these are the squares that an unmasked shift would treat as pawn captures.
    across = on_a << _7 | on_a << _23 | on_h << _9 | on_h >> _7
    found |= when(across & context.their != ZERO, flags.WRAP_PAWN_AH_ENEMY)
    return found | when(board.en_passant & (FILE_A | FILE_H) != ZERO, flags.WRAP_EP_FILE_AH)


@inline
def double_push_events(context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal pawn move; it has none unless it is a double push."""
    if info.target != info.origin << _16:
        return ZERO
    found = when(info.allows_en_passant != ZERO, flags.DP_ALLOWS_EP)
    return found | when(context.checkers != ZERO, flags.CK_BLOCK_BY_DOUBLE_PUSH)


@inline
def promotion_events(tables: Tables, board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal promotion."""
    is_capture = info.target & context.their != ZERO
    found = flags.PR_CAPTURE if is_capture else flags.PR_PUSH
    if context.checkers != ZERO:
        found |= flags.PR_IN_CHECK_ANY
        found |= flags.PR_CAPTURES_CHECKER if is_capture else flags.PR_BLOCKS_CHECK
    found |= when(info.target & board.castling != ZERO, flags.PR_CAPTURES_CASTLE_ROOK)
    found |= when(info.origin & context.pinned != ZERO and is_capture, flags.PR_PINNED_CAPTURES_PINNER)
    path = between(tables, context.their_king, lsb(info.target))
    found |= when(info.direct != ZERO and path & info.origin != ZERO, flags.PR_CHECK_THROUGH_FROM)
    found |= when(info.direct != ZERO and info.move & PROMOTION_MASK == KNIGHT, flags.PR_UNDER_N_CHECK)
    found |= when(info.discovered != ZERO, flags.PR_DISCOVERED)
    return found | when(gives_double_check(info), flags.PR_DOUBLE_CHECK)


@inline
def pinned_promotion_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of pawns on the seventh rank that a pin prevents from capturing."""
    found = ZERO
    pawns = board.pawns & RANK_7 & context.pinned
    while pawns != ZERO:
        off_line = pawn_attacks(lowest(pawns)) & context.their & ~line(tables, context.king, lsb(pawns))
        found |= when(off_line != ZERO, flags.PR_PINNED_ILLEGAL_CAPTURE)
        pawns = rest(pawns)
    return found
