"""Events of pawn steps and of the edges of the board."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..machine.bits import ZERO
from ..machine.jit import inlined
from .catalogue import Event
from .context import EventContext
from .flags import flag, when
from .move_info import MoveInfo

BLOCKED_INTERMEDIATE = flag(Event.DP_BLOCKED_INTERMEDIATE)
BLOCKED_DEST = flag(Event.DP_BLOCKED_DEST)
ALLOWS_EP = flag(Event.DP_ALLOWS_EP)
WRAP_PAWN = flag(Event.WRAP_PAWN_AH_ENEMY)
WRAP_EP = flag(Event.WRAP_EP_FILE_AH)
BLOCK_BY_DOUBLE_PUSH = flag(Event.CK_BLOCK_BY_DOUBLE_PUSH)
RANK_2 = np.uint64(0xFF00)
FILE_A, FILE_H = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_7, _8, _9, _16, _23 = np.uint64(7), np.uint64(8), np.uint64(9), np.uint64(16), np.uint64(23)


@inlined
def pawn_events(board: Board, context: EventContext) -> np.uint64:
    """Return the events of pawns that are blocked, or that a shift would take across the edge.

    Moving up, a shift by 7 leads from the a-file to the h-file on the same rank, one by 9 from the h-file
    to the a-file two ranks ahead; moving down, the other way round. All four count.
    """
    steps = (board.pawns & RANK_2) << _8
    found = when((steps & context.occupied) << _8 & ~context.occupied != ZERO, BLOCKED_INTERMEDIATE)
    found |= when((steps & ~context.occupied) << _8 & context.occupied != ZERO, BLOCKED_DEST)
    on_a, on_h = board.pawns & FILE_A, board.pawns & FILE_H
    # No mask here: these are the squares that a shift without one would take for pawn captures.
    across = on_a << _7 | on_a << _23 | on_h << _9 | on_h >> _7
    found |= when(across & context.their != ZERO, WRAP_PAWN)
    return found | when(board.en_passant & (FILE_A | FILE_H) != ZERO, WRAP_EP)


@inlined
def double_push_events(context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal pawn move, if it is a double push."""
    if info.target != info.origin << _16:
        return ZERO
    found = when(info.allows_en_passant != ZERO, ALLOWS_EP)
    return found | when(context.checkers != ZERO, BLOCK_BY_DOUBLE_PUSH)
