"""Events of king steps and of pinned pieces: what they may do, and what they only seem to."""

from __future__ import annotations

import numpy as np

from ..attacks import king_attacks, line, pawn_attacks
from ..board import Board
from ..encoding import NORMAL
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inline
from ..sliders.lookup import Tables
from . import flags
from .context import EventContext, MoveInfo, their_attackers
from .flags import when

_8, _16 = (np.uint64(number) for number in (8, 16))


@inline
def illegal_step_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of king steps to attacked squares."""
    found = ZERO
    steps = king_attacks(tables, context.king) & ~context.own & context.attacked
    while steps != ZERO:
        square = lsb(steps)
        # The king is lifted: a slider attacks on through the square that it leaves. Where the square is
        # attacked only so, the king on its own square still shields it.
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
