"""Events of discovered and double checks, and of moves that only seem to discover one."""

from __future__ import annotations

import numpy as np

from ..attacks import line
from ..board import Board
from ..encoding import CASTLING, EN_PASSANT
from ..machine.bits import ZERO, lsb
from ..machine.jit import inlined
from ..sliders.common import Tables
from .catalogue import Event
from .context import EventContext
from .flags import flag, when
from .move_info import MoveInfo, gives_check, gives_double_check

ANY = flag(Event.DC_ANY)
BY_PAWN_PUSH = flag(Event.DC_BY_PAWN_PUSH)
BY_PAWN_CAPTURE = flag(Event.DC_BY_PAWN_CAPTURE)
DOUBLE_CHECK_MOVE = flag(Event.DC_DOUBLE_CHECK_MOVE)
SHIELD_STAYS_ON_LINE = flag(Event.DC_SHIELD_STAYS_ON_LINE)


@inlined
def discovered_check_events(board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move that gives discovered check."""
    found = ANY | when(gives_double_check(info), DOUBLE_CHECK_MOVE)
    if info.origin & board.pawns != ZERO:
        found |= when(info.target & context.their != ZERO, BY_PAWN_CAPTURE)
        found |= when(info.target & context.their == ZERO and info.kind != EN_PASSANT, BY_PAWN_PUSH)
    return found


@inlined
def shield_events(tables: Tables, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move by a piece that shields the enemy king from a slider of ours."""
    along = line(tables, context.their_king, lsb(info.origin)) & info.target != ZERO
    return when(along and info.kind != CASTLING and not gives_check(info), SHIELD_STAYS_ON_LINE)
