"""Events of our pinned pieces: what they may do along their line, and may not do off it."""

from __future__ import annotations

import numpy as np

from ..attacks import line, pawn_attacks
from ..board import Board
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inlined
from ..sliders.common import Tables
from .catalogue import Event
from .context import EventContext
from .flags import flag, when
from .move_info import MoveInfo

ANY = flag(Event.PIN_ANY)
TWO_PLUS = flag(Event.PIN_TWO_PLUS)
SLIDER_ALONG = flag(Event.PIN_SLIDER_ALONG)
PAWN_PUSH_ALONG = flag(Event.PIN_PAWN_PUSH_ALONG)
PAWN_DOUBLE_ALONG = flag(Event.PIN_PAWN_DOUBLE_ALONG)
PAWN_CAPTURES_PINNER = flag(Event.PIN_PAWN_CAPTURES_PINNER)
PAWN_CAPTURE_ILLEGAL = flag(Event.PIN_PAWN_CAPTURE_ILLEGAL)
PAWN_PUSH_ILLEGAL = flag(Event.PIN_PAWN_PUSH_ILLEGAL)
KNIGHT = flag(Event.PIN_KNIGHT)
QUEEN_CAPTURES_PINNER = flag(Event.PIN_QUEEN_CAPTURES_PINNER)
PIECE_GIVES_CHECK = flag(Event.PIN_PIECE_GIVES_CHECK)
_8, _16 = np.uint64(8), np.uint64(16)


@inlined
def pin_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of a position with pinned pieces."""
    found = ANY | when(rest(context.pinned) != ZERO, TWO_PLUS)
    found |= when(context.pinned & board.knights != ZERO, KNIGHT)
    pawns = context.pinned & board.pawns
    while pawns != ZERO:
        pawn = lowest(pawns)
        off_line = ~line(tables, context.king, lsb(pawns))
        found |= when(pawn_attacks(pawn) & context.their & off_line != ZERO, PAWN_CAPTURE_ILLEGAL)
        found |= when(pawn << _8 & ~context.occupied & off_line != ZERO, PAWN_PUSH_ILLEGAL)
        pawns = rest(pawns)
    return found


@inlined
def pinned_move_events(board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move of a pinned piece."""
    takes = info.target & context.their != ZERO
    found = when(info.direct != ZERO, PIECE_GIVES_CHECK)
    if info.origin & board.pawns != ZERO:
        pushed = info.target == info.origin << _8
        pushed_twice = info.target == info.origin << _16
        found |= when(takes, PAWN_CAPTURES_PINNER)
        found |= when(pushed or pushed_twice, PAWN_PUSH_ALONG)
        return found | when(pushed_twice, PAWN_DOUBLE_ALONG)
    is_queen = info.origin & board.diagonals & board.orthogonals != ZERO
    return found | SLIDER_ALONG | when(is_queen and takes, QUEEN_CAPTURES_PINNER)
