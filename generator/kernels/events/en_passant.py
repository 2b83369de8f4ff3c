"""Events of en passant: two pawns leave their squares and one arrives, so three lines may change at once."""

from __future__ import annotations

import numpy as np

from ..attacks import between, bishop_attacks, line, pawn_attacks, rook_attacks, their_pawn_attacks
from ..board import Board
from ..encoding import NORMAL
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inline
from ..safety import leaper_checkers
from ..sliders.lookup import Tables
from . import flags
from .context import EventContext, MoveInfo, our_attackers
from .flags import when

_8 = np.uint64(8)


@inline
def _sliders_on(tables: Tables, board: Board, king: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return their sliders that attack our king on `king`, given the occupied squares."""
    return (
        rook_attacks(tables, king, occupied) & board.their_orthogonals
        | bishop_attacks(tables, king, occupied) & board.their_diagonals
    )


@inline
def _legal_capture(
    tables: Tables, board: Board, context: EventContext, taker: np.uint64, victim: np.uint64, after: np.uint64
) -> np.uint64:
    """Return the events of a legal capture that concern our own king."""
    target = board.en_passant
    found = flags.EP_LEGAL
    found |= when(context.checkers & victim != ZERO, flags.EP_EVADE_CAPTURE_CHECKER)
    # Without the pawn where it has landed: a slider that then gives check is blocked by it.
    found |= when(_sliders_on(tables, board, context.king, after ^ target) != ZERO, flags.EP_DEST_BLOCKS_NEEDED)
    found |= when(taker & context.pinned != ZERO, flags.EP_LEGAL_PINNED_ALONG)
    return found


@inline
def _checks(
    tables: Tables, board: Board, context: EventContext, taker: np.uint64, victim: np.uint64, after: np.uint64
) -> np.uint64:
    """Return the events of a legal capture that gives check."""
    direct = pawn_attacks(board.en_passant) & board.their_king
    sliders = rook_attacks(tables, context.their_king, after) & board.orthogonals
    sliders |= bishop_attacks(tables, context.their_king, after) & board.diagonals
    found = when(direct != ZERO, flags.EP_GIVES_DIRECT_CHECK)
    found |= when(rest(sliders) != ZERO or (sliders != ZERO and direct != ZERO), flags.EP_DOUBLE_CHECK)
    while sliders != ZERO:
        # What stood on the line before the capture is what the capture has taken off it.
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
    """Return the events of a capture after which `attackers` attack our king."""
    # Pinned along its way the pawn may take, and then something else is the reason.
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
    """Return the events of a legal move that lands on the en passant square, but does not take there."""
    return when(info.target == board.en_passant and info.kind == NORMAL, flags.EP_SQUARE_PIECE_MOVES_THERE)


@inline
def en_passant_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of an en passant square that is there."""
    target, victim = board.en_passant, board.en_passant >> _8
    takers = their_pawn_attacks(target) & board.pawns
    pieces = our_attackers(tables, board, lsb(target), context.occupied) & ~board.pawns
    found = when(victim & context.checkers != ZERO and pieces != ZERO, flags.EP_SQUARE_NO_EVASION)
    two, legal, illegal = rest(takers) != ZERO, False, False
    while takers != ZERO:
        taker = lowest(takers)
        after = context.occupied ^ taker ^ victim ^ target
        attackers = _sliders_on(tables, board, context.king, after)
        # A check by the captured pawn ends with it.
        attackers |= leaper_checkers(tables, board, context.king) & ~victim
        if attackers == ZERO:
            legal = True
            found |= _legal_capture(tables, board, context, taker, victim, after)
            found |= _checks(tables, board, context, taker, victim, after)
        else:
            illegal = True
            found |= _illegal_capture(tables, board, context, taker, victim, attackers)
        takers = rest(takers)
    return found | when(two, flags.EP_TWO_CAPTURERS) | when(two and legal and illegal, flags.EP_TWO_DIFFERENT_LEGALITY)
