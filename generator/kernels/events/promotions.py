"""Events of promotions: by push or capture, in check and pinned, and the checks that the new piece gives."""

from __future__ import annotations

import numpy as np

from ..attacks import between, line, pawn_attacks
from ..board import Board
from ..encoding import KNIGHT, PROMOTION_MASK
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inlined
from ..pawns import RANK_7
from ..sliders.common import Tables
from .catalogue import Event
from .context import EventContext
from .flags import flag, when
from .move_info import MoveInfo, gives_double_check

PUSH = flag(Event.PR_PUSH)
CAPTURE = flag(Event.PR_CAPTURE)
BLOCKS_CHECK = flag(Event.PR_BLOCKS_CHECK)
CAPTURES_CHECKER = flag(Event.PR_CAPTURES_CHECKER)
CAPTURES_CASTLE_ROOK = flag(Event.PR_CAPTURES_CASTLE_ROOK)
PINNED_CAPTURES_PINNER = flag(Event.PR_PINNED_CAPTURES_PINNER)
PINNED_ILLEGAL_CAPTURE = flag(Event.PR_PINNED_ILLEGAL_CAPTURE)
CHECK_THROUGH_FROM = flag(Event.PR_CHECK_THROUGH_FROM)
UNDER_N_CHECK = flag(Event.PR_UNDER_N_CHECK)
DISCOVERED = flag(Event.PR_DISCOVERED)
DOUBLE_CHECK = flag(Event.PR_DOUBLE_CHECK)
IN_CHECK_ANY = flag(Event.PR_IN_CHECK_ANY)


@inlined
def promotion_events(tables: Tables, board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal promotion."""
    is_capture = info.target & context.their != ZERO
    found = CAPTURE if is_capture else PUSH
    if context.checkers != ZERO:
        found |= IN_CHECK_ANY
        found |= CAPTURES_CHECKER if is_capture else BLOCKS_CHECK
    found |= when(info.target & board.castling != ZERO, CAPTURES_CASTLE_ROOK)
    found |= when(info.origin & context.pinned != ZERO and is_capture, PINNED_CAPTURES_PINNER)
    way = between(tables, context.their_king, lsb(info.target))
    found |= when(info.direct != ZERO and way & info.origin != ZERO, CHECK_THROUGH_FROM)
    found |= when(info.direct != ZERO and info.move & PROMOTION_MASK == KNIGHT, UNDER_N_CHECK)
    found |= when(info.discovered != ZERO, DISCOVERED)
    return found | when(gives_double_check(info), DOUBLE_CHECK)


@inlined
def pinned_promotion_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of pawns on the seventh rank that a pin keeps from taking."""
    found = ZERO
    pawns = board.pawns & RANK_7 & context.pinned
    while pawns != ZERO:
        off_line = pawn_attacks(lowest(pawns)) & context.their & ~line(tables, context.king, lsb(pawns))
        found |= when(off_line != ZERO, PINNED_ILLEGAL_CAPTURE)
        pawns = rest(pawns)
    return found
