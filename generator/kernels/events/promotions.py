"""Events of promotions: by push or capture, in check and pinned, and the checks that the new piece gives."""

from __future__ import annotations

import numpy as np

from ..attacks import between, line, pawn_attacks
from ..board import Board
from ..encoding import KNIGHT, PROMOTION_MASK
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inlined, subroutine
from ..pawns import RANK_7
from ..sliders.common import Tables
from .catalogue import Event
from .flags import flag, when
from .move_info import Deed, gives_double_check
from .scene import Scene

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


@subroutine
def promotion_events(tables: Tables, board: Board, scene: Scene, deed: Deed) -> np.uint64:
    """Return the events of a legal promotion."""
    is_capture = deed.target & scene.their != ZERO
    found = CAPTURE if is_capture else PUSH
    if scene.checkers != ZERO:
        found |= IN_CHECK_ANY
        found |= CAPTURES_CHECKER if is_capture else BLOCKS_CHECK
    found |= when(deed.target & board.castling != ZERO, CAPTURES_CASTLE_ROOK)
    found |= when(deed.origin & scene.pinned != ZERO and is_capture, PINNED_CAPTURES_PINNER)
    way = between(tables, scene.their_king, lsb(deed.target))
    found |= when(deed.direct != ZERO and way & deed.origin != ZERO, CHECK_THROUGH_FROM)
    found |= when(deed.direct != ZERO and deed.move & PROMOTION_MASK == KNIGHT, UNDER_N_CHECK)
    found |= when(deed.discovered != ZERO, DISCOVERED)
    return found | when(gives_double_check(deed), DOUBLE_CHECK)


@inlined
def pinned_promotion_events(tables: Tables, board: Board, scene: Scene) -> np.uint64:
    """Return the events of pawns on the seventh rank that a pin keeps from taking."""
    found = ZERO
    pawns = board.pawns & RANK_7 & scene.pinned
    while pawns != ZERO:
        off_line = pawn_attacks(lowest(pawns)) & scene.their & ~line(tables, scene.king, lsb(pawns))
        found |= when(off_line != ZERO, PINNED_ILLEGAL_CAPTURE)
        pawns = rest(pawns)
    return found
