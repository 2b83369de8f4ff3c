"""Events of en passant: two pawns leave their squares and one arrives, so three lines may change at once."""

from __future__ import annotations

import numpy as np

from ..attacks import between, bishop_attacks, line, pawn_attacks, rook_attacks, their_pawn_attacks
from ..board import Board
from ..encoding import NORMAL
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inlined
from ..safety import leaper_checkers
from ..sliders.common import Tables
from .catalogue import Event
from .context import EventContext, our_attackers
from .flags import flag, when
from .move_info import MoveInfo

LEGAL = flag(Event.EP_LEGAL)
EVADE_CAPTURE_CHECKER = flag(Event.EP_EVADE_CAPTURE_CHECKER)
DEST_BLOCKS_NEEDED = flag(Event.EP_DEST_BLOCKS_NEEDED)
ILLEGAL_RANK_DOUBLE = flag(Event.EP_ILLEGAL_RANK_DOUBLE)
ILLEGAL_PINNED_ORTHO = flag(Event.EP_ILLEGAL_CAPTURER_PINNED_ORTHO)
ILLEGAL_PINNED_DIAG = flag(Event.EP_ILLEGAL_CAPTURER_PINNED_DIAG)
ILLEGAL_VICTIM_SHIELD = flag(Event.EP_ILLEGAL_VICTIM_SHIELD)
LEGAL_PINNED_ALONG = flag(Event.EP_LEGAL_PINNED_ALONG)
ILLEGAL_OTHER_CHECK = flag(Event.EP_ILLEGAL_OTHER_CHECK)
TWO_CAPTURERS = flag(Event.EP_TWO_CAPTURERS)
TWO_DIFFERENT_LEGALITY = flag(Event.EP_TWO_DIFFERENT_LEGALITY)
GIVES_DIRECT_CHECK = flag(Event.EP_GIVES_DIRECT_CHECK)
DISC_BY_CAPTURER = flag(Event.EP_DISC_BY_CAPTURER)
DISC_BY_VICTIM = flag(Event.EP_DISC_BY_VICTIM)
DISC_BY_BOTH_ONLY = flag(Event.EP_DISC_BY_BOTH_ONLY)
DOUBLE_CHECK = flag(Event.EP_DOUBLE_CHECK)
SQUARE_PIECE_MOVES_THERE = flag(Event.EP_SQUARE_PIECE_MOVES_THERE)
SQUARE_NO_EVASION = flag(Event.EP_SQUARE_NO_EVASION)
_8 = np.uint64(8)


@inlined
def _sliders_on(tables: Tables, board: Board, king: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return their sliders that attack our king on `king`, given the occupied squares."""
    return (
        rook_attacks(tables, king, occupied) & board.their_orthogonals
        | bishop_attacks(tables, king, occupied) & board.their_diagonals
    )


@inlined
def _legal_capture(
    tables: Tables, board: Board, context: EventContext, taker: np.uint64, victim: np.uint64, after: np.uint64
) -> np.uint64:
    """Return the events of a legal capture that concern our own king."""
    target = board.en_passant
    found = LEGAL
    found |= when(context.checkers & victim != ZERO, EVADE_CAPTURE_CHECKER)
    # Without the pawn where it has landed: a slider that then gives check is blocked by it.
    found |= when(_sliders_on(tables, board, context.king, after ^ target) != ZERO, DEST_BLOCKS_NEEDED)
    found |= when(taker & context.pinned != ZERO, LEGAL_PINNED_ALONG)
    return found


@inlined
def _checks(
    tables: Tables, board: Board, context: EventContext, taker: np.uint64, victim: np.uint64, after: np.uint64
) -> np.uint64:
    """Return the events of a legal capture that gives check."""
    direct = pawn_attacks(board.en_passant) & board.their_king
    sliders = rook_attacks(tables, context.their_king, after) & board.orthogonals
    sliders |= bishop_attacks(tables, context.their_king, after) & board.diagonals
    found = when(direct != ZERO, GIVES_DIRECT_CHECK)
    found |= when(rest(sliders) != ZERO or (sliders != ZERO and direct != ZERO), DOUBLE_CHECK)
    while sliders != ZERO:
        # What stood on the line before the capture is what the capture has taken off it.
        opened = between(tables, context.their_king, lsb(sliders)) & context.occupied
        found |= when(opened == taker, DISC_BY_CAPTURER)
        found |= when(opened == victim, DISC_BY_VICTIM)
        found |= when(opened == taker | victim, DISC_BY_BOTH_ONLY)
        sliders = rest(sliders)
    return found


@inlined
def _illegal_capture(
    tables: Tables, board: Board, context: EventContext, taker: np.uint64, victim: np.uint64, attackers: np.uint64
) -> np.uint64:
    """Return the events of a capture after which `attackers` attack our king."""
    leaves_line = line(tables, context.king, lsb(taker)) & board.en_passant == ZERO
    found = when(taker & context.orthogonal_pins != ZERO, ILLEGAL_PINNED_ORTHO)
    found |= when(taker & context.diagonal_pins != ZERO and leaves_line, ILLEGAL_PINNED_DIAG)
    found |= when(victim & context.diagonal_pins != ZERO, ILLEGAL_VICTIM_SHIELD)
    found |= when(attackers & context.checkers != ZERO, ILLEGAL_OTHER_CHECK)
    sliders = attackers & board.their_orthogonals
    while sliders != ZERO:
        opened = between(tables, context.king, lsb(sliders)) & context.occupied
        found |= when(opened == taker | victim, ILLEGAL_RANK_DOUBLE)
        sliders = rest(sliders)
    return found


@inlined
def en_passant_square_events(board: Board, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move that lands on the en passant square, but does not take there."""
    return when(info.target == board.en_passant and info.kind == NORMAL, SQUARE_PIECE_MOVES_THERE)


@inlined
def en_passant_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of an en passant square that is there."""
    target, victim = board.en_passant, board.en_passant >> _8
    takers = their_pawn_attacks(target) & board.pawns
    pieces = our_attackers(tables, board, lsb(target), context.occupied) & ~board.pawns
    found = when(victim & context.checkers != ZERO and pieces != ZERO, SQUARE_NO_EVASION)
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
    return found | when(two, TWO_CAPTURERS) | when(two and legal and illegal, TWO_DIFFERENT_LEGALITY)
