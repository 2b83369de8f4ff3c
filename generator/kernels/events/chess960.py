"""Events of castling that only Chess960 has: king and rook anywhere on the back rank."""

from __future__ import annotations

import numpy as np

from ..attacks import king_attacks
from ..board import Board
from ..machine.bits import ONE, ZERO, lsb, rest
from ..machine.jit import inlined
from ..sliders.common import Tables
from .castling import Attempt, attempt, is_legal, is_open
from .catalogue import Event
from .context import EventContext
from .flags import flag, when
from .move_info import MoveInfo
from .rights import CORNERS, E1

KING_STAYS = flag(Event.F_KING_STAYS)
ROOK_STAYS = flag(Event.F_ROOK_STAYS)
SWAP = flag(Event.F_SWAP)
KING_TO_ROOKSQ = flag(Event.F_KING_TO_ROOKSQ)
ROOK_TO_KINGSQ = flag(Event.F_ROOK_TO_KINGSQ)
OOO_KING_GOES_RIGHT = flag(Event.F_OOO_KING_GOES_RIGHT)
ROOK_UNCOVERS_CHECK_ILLEGAL = flag(Event.F_ROOK_UNCOVERS_CHECK_ILLEGAL)
BLOCKED_ONLY_BY_OTHER_OWN_ROOK = flag(Event.F_BLOCKED_ONLY_BY_OTHER_OWN_ROOK)
ENEMY_ROOK_OUTSIDE = flag(Event.F_ENEMY_ROOK_OUTSIDE)
OWN_ROOK_OUTSIDE = flag(Event.F_OWN_ROOK_OUTSIDE)
GIVES_CHECK = flag(Event.F_GIVES_CHECK)
KING_FILE_NOT_E_CASTLE = flag(Event.F_KING_FILE_NOT_E_CASTLE)
RIGHT_LOST_ROOK_NONCORNER = flag(Event.F_RIGHT_LOST_ROOK_NONCORNER)
LONG_PATH_ATTACKED = flag(Event.F_LONG_PATH_ATTACKED)
LONG_KING_PATH_GE3_LEGAL = flag(Event.F_LONG_KING_PATH_GE3_LEGAL)
KINGSTEP_COLLIDES_WITH_CASTLE_UCI = flag(Event.F_KINGSTEP_COLLIDES_WITH_CASTLE_UCI)
ALL_CORNERS = np.uint64(0x8100000000000081)
_RANK_1 = np.uint64(0xFF)
_3 = np.uint64(3)


@inlined
def _is_long(board: Board, castling: Attempt) -> bool:
    """Tell whether the king goes three squares or more, to either side."""
    return bool(castling.king_to >= board.king << _3 or castling.king_to <= board.king >> _3)


@inlined
def _legal_events(tables: Tables, board: Board, context: EventContext, castling: Attempt) -> np.uint64:
    """Return the events of legal castling."""
    king, rook, king_to, rook_to = board.king, castling.rook, castling.king_to, castling.rook_to
    found = when(king_to == king, KING_STAYS) | when(rook_to == rook, ROOK_STAYS)
    found |= when(king_to == rook, KING_TO_ROOKSQ) | when(rook_to == king, ROOK_TO_KINGSQ)
    found |= when(king_to == rook and rook_to == king, SWAP)
    found |= when(rook < king and king_to > king, OOO_KING_GOES_RIGHT)
    found |= when(king != E1, KING_FILE_NOT_E_CASTLE)
    found |= when(castling.gives_check != ZERO and (king != E1 or rook & CORNERS == ZERO), GIVES_CHECK)
    found |= when(_is_long(board, castling), LONG_KING_PATH_GE3_LEGAL)
    # No attack on the square, or castling were illegal: a step to it is as legal, if it is free.
    is_step = king_attacks(tables, context.king) & king_to & ~context.own
    return found | when(is_step != ZERO, KINGSTEP_COLLIDES_WITH_CASTLE_UCI)


@inlined
def _outside(board: Board, rook: np.uint64) -> np.uint64:
    """Return the squares of the back rank beyond our castling rook, seen from our king."""
    left = rook - ONE
    return left if rook < board.king else _RANK_1 & ~(left | rook)


@inlined
def chess960_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of castling with each of our rooks that still may."""
    found = ZERO
    own_rooks = board.orthogonals & ~board.diagonals
    their_rooks = board.their_orthogonals & ~board.their_diagonals
    rights = board.castling & context.own
    rooks = rights
    while rooks != ZERO:
        castling = attempt(tables, board, context, lsb(rooks))
        outside = _outside(board, castling.rook)
        found |= when(outside & their_rooks != ZERO, ENEMY_ROOK_OUTSIDE)
        found |= when(outside & own_rooks != ZERO, OWN_ROOK_OUTSIDE)
        attacks = castling.passed | castling.reached
        if is_legal(context, castling):
            found |= _legal_events(tables, board, context, castling)
        elif is_open(context, castling):
            found |= when(castling.passed != ZERO and _is_long(board, castling), LONG_PATH_ATTACKED)
        elif attacks | context.checkers == ZERO:
            found |= when(castling.third == ZERO, ROOK_UNCOVERS_CHECK_ILLEGAL)
            blocked_by_other = castling.pin == ZERO and castling.third == rights & ~castling.rook
            found |= when(blocked_by_other, BLOCKED_ONLY_BY_OTHER_OWN_ROOK)
        rooks = rest(rooks)
    return found


@inlined
def rook_off_corner_events(board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move that takes a rook with its right."""
    taken = info.target & board.castling & context.their
    return when(taken & ~ALL_CORNERS != ZERO, RIGHT_LOST_ROOK_NONCORNER)
