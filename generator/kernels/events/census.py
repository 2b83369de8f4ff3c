"""The census of a position: all rare events that occur in it, as bits of two uint64 values."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..encoding import NORMAL, PROMOTION
from ..generate import generate_legal
from ..machine.bits import ONE, ZERO, load16, store16
from ..machine.jit import inline, kernel
from ..sliders.lookup import Tables
from . import flags
from .castling import (
    castling_events,
    chess960_events,
    concerns_rooks,
    rights_events,
    rights_lost_events,
    rook_off_corner_events,
)
from .context import EventContext, MoveInfo, check_squares, event_context, move_info
from .flags import when
from .king import (
    check_events,
    discovered_check_events,
    illegal_step_events,
    king_move_events,
    pin_events,
    pinned_move_events,
    shield_events,
)
from .pawns import (
    double_push_events,
    en_passant_events,
    en_passant_square_events,
    pawn_events,
    pinned_promotion_events,
    promotion_events,
)

Census = tuple[np.uint64, np.uint64]
"""The flags of events 0 to 63, and those of all other events."""
Survey = tuple[np.uint64, np.uint64, np.uint64]
"""A census, and the number of notable moves."""

_128, _256 = np.uint64(128), np.uint64(256)


@inline
def _of_position(tables: Tables, board: Board, context: EventContext) -> Census:
    """Return the events that depend only on the position, not on its moves."""
    # Most positions have no en passant square, pin or check, so events that need one are skipped.
    low = rights_events(tables, board, context)
    high = pawn_events(board, context) | illegal_step_events(tables, board, context)
    if board.en_passant != ZERO:
        low |= en_passant_events(tables, board, context)
    if board.castling & context.own != ZERO:
        low |= castling_events(tables, board, context)
        high |= chess960_events(tables, board, context)
    if context.pinned != ZERO:
        low |= pinned_promotion_events(tables, board, context)
        high |= pin_events(tables, board, context)
    if context.checkers != ZERO:
        high |= check_events(tables, board, context)
    return low, high


@inline
def _of_move(tables: Tables, board: Board, context: EventContext, info: MoveInfo) -> Census:
    low, high = en_passant_square_events(board, info), rook_off_corner_events(board, context, info)
    if concerns_rooks(board, info):
        low |= rights_lost_events(board, context, info)
    if info.kind == PROMOTION:
        low |= promotion_events(tables, board, context, info)
    if info.origin == board.king:
        high |= king_move_events(context, info)
    if info.origin & board.pawns != ZERO:
        high |= double_push_events(context, info)
    if info.origin & context.pinned != ZERO:
        high |= pinned_move_events(board, context, info)
    if info.origin & context.shields != ZERO:
        high |= shield_events(tables, context, info)
    if info.discovered != ZERO:
        high |= discovered_check_events(board, context, info)
    return low, high


@inline
def _of_size(context: EventContext, moves: np.uint64) -> np.uint64:
    """Return the events that depend on the number of legal moves."""
    if moves == ZERO:
        return flags.STALEMATE if context.checkers == ZERO else flags.MATE
    return when(moves > _128, flags.MOVES_GT_128) | when(moves > _256, flags.MOVES_GT_256)


@inline
def _is_notable(board: Board, info: MoveInfo) -> bool:
    """Return True if a move is notable: it is special, gives check, or affects castling or en passant.

    Special moves are castling, promotions and en passant captures. A move also affects castling if it captures a rook
    with a castling right, and en passant if it makes an en passant capture possible.
    """
    taken = info.target & board.castling
    special = info.direct | info.discovered | info.allows_en_passant | taken
    return bool(info.kind != NORMAL or special != ZERO)


@inline
def events_of_moves(tables: Tables, board: Board, moves: np.uint64, found: np.uint64, notable: np.uint64) -> Survey:
    """Return the events of a position whose `found` legal moves are at address `moves`.

    The notable moves are written to address `notable`, which may be the same as `moves`.
    """
    context = event_context(tables, board)
    low, high = _of_position(tables, board, context)
    squares, kept = check_squares(tables, board, context), ZERO
    for index in range(found):
        info = move_info(tables, board, context, squares, load16(moves, np.uint64(index)))
        more_low, more_high = _of_move(tables, board, context, info)
        low |= more_low
        high |= more_high
        # The move is always written, but kept only if the number is incremented. It never exceeds `index`, so both
        # lists may share an address.
        store16(notable, kept, info.move)
        if _is_notable(board, info):
            kept += ONE
    return low, high | _of_size(context, found), kept


@inline
def events_in(tables: Tables, board: Board, moves: np.uint64) -> Census:
    """Return the events of a position; `moves` is the address of a scratch move buffer."""
    found = generate_legal(tables, board, moves)
    low, high, _ = events_of_moves(tables, board, moves, found, moves)
    return low, high


@kernel
def census(tables: Tables, board: Board, moves: np.uint64) -> Census:
    """Return the events of a position; `moves` is the address of a scratch move buffer. Callable from Python."""
    return events_in(tables, board, moves)
