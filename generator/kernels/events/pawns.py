"""Events of pawns: blocked steps, double pushes, the edges of the board, and promotions."""

from __future__ import annotations

import numpy as np

from ..attacks import between, line, pawn_attacks
from ..board import Board
from ..encoding import KNIGHT, PROMOTION_MASK
from ..machine.bits import ZERO, lowest, lsb, rest
from ..machine.jit import inline
from ..pawns import RANK_7
from ..sliders.lookup import Tables
from . import flags
from .context import EventContext, MoveInfo, gives_double_check
from .flags import when

_7, _8, _9, _16, _23 = (np.uint64(number) for number in (7, 8, 9, 16, 23))
RANK_2 = np.uint64(0xFF00)
FILE_A, FILE_H = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)


@inline
def pawn_events(board: Board, context: EventContext) -> np.uint64:
    """Return the events of pawns that are blocked, or that a shift would take across the edge.

    Moving up, a shift by 7 leads from the a-file to the h-file on the same rank, one by 9 from the h-file
    to the a-file two ranks ahead; moving down, the other way round. All four count.
    """
    steps = (board.pawns & RANK_2) << _8
    found = when((steps & context.occupied) << _8 & ~context.occupied != ZERO, flags.DP_BLOCKED_INTERMEDIATE)
    found |= when((steps & ~context.occupied) << _8 & context.occupied != ZERO, flags.DP_BLOCKED_DEST)
    on_a, on_h = board.pawns & FILE_A, board.pawns & FILE_H
    # No mask here: these are the squares that a shift without one would take for pawn captures.
    across = on_a << _7 | on_a << _23 | on_h << _9 | on_h >> _7
    found |= when(across & context.their != ZERO, flags.WRAP_PAWN_AH_ENEMY)
    return found | when(board.en_passant & (FILE_A | FILE_H) != ZERO, flags.WRAP_EP_FILE_AH)


@inline
def double_push_events(context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal pawn move, if it is a double push."""
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
    way = between(tables, context.their_king, lsb(info.target))
    found |= when(info.direct != ZERO and way & info.origin != ZERO, flags.PR_CHECK_THROUGH_FROM)
    found |= when(info.direct != ZERO and info.move & PROMOTION_MASK == KNIGHT, flags.PR_UNDER_N_CHECK)
    found |= when(info.discovered != ZERO, flags.PR_DISCOVERED)
    return found | when(gives_double_check(info), flags.PR_DOUBLE_CHECK)


@inline
def pinned_promotion_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of pawns on the seventh rank that a pin keeps from taking."""
    found = ZERO
    pawns = board.pawns & RANK_7 & context.pinned
    while pawns != ZERO:
        off_line = pawn_attacks(lowest(pawns)) & context.their & ~line(tables, context.king, lsb(pawns))
        found |= when(off_line != ZERO, flags.PR_PINNED_ILLEGAL_CAPTURE)
        pawns = rest(pawns)
    return found
