"""Events of king steps: why one is illegal, and what a legal one does."""

from __future__ import annotations

import numpy as np

from ..attacks import king_attacks
from ..board import Board
from ..encoding import NORMAL
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inlined
from ..sliders.common import Tables
from .catalogue import Event
from .context import EventContext, their_attackers
from .flags import flag, when
from .move_info import MoveInfo

XRAY_ILLEGAL = flag(Event.K_XRAY_ILLEGAL)
ADJ_KING_ONLY = flag(Event.K_ADJ_KING_ONLY)
CAP_PROTECTED_ILLEGAL = flag(Event.K_CAP_PROTECTED_ILLEGAL)
CAP_PROT_BY_PINNED_ONLY = flag(Event.K_CAP_PROT_BY_PINNED_ONLY)
CAPTURES_CHECKER = flag(Event.K_CAPTURES_CHECKER)
DISCOVERS_CHECK = flag(Event.K_DISCOVERS_CHECK)
GUARDED_BY_PINNED = flag(Event.PIN_PIECE_GUARDS_KING_SQ)


@inlined
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
        found |= when(shielded, XRAY_ILLEGAL)
        found |= when(attackers == board.their_king, ADJ_KING_ONLY)
        found |= when(takes, CAP_PROTECTED_ILLEGAL)
        found |= when(takes and by_pinned, CAP_PROT_BY_PINNED_ONLY)
        found |= when(by_pinned, GUARDED_BY_PINNED)
        steps = rest(steps)
    return found


@inlined
def king_move_events(context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal king move."""
    found = when(info.target & context.checkers != ZERO, CAPTURES_CHECKER)
    return found | when(info.kind == NORMAL and info.discovered != ZERO, DISCOVERS_CHECK)
