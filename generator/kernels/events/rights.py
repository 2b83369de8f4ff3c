"""Events of castling rights: lost by a move, kept beside one that looks alike, or missing."""

from __future__ import annotations

import numpy as np

from ..attacks import king_attacks
from ..board import Board
from ..encoding import NORMAL
from ..machine.bits import ZERO
from ..machine.jit import inlined
from ..pawns import RANK_8
from ..sliders.common import Tables
from .catalogue import Event
from .context import EventContext
from .flags import flag, when
from .move_info import MoveInfo

LOST_BY_KING_CAPTURE = flag(Event.CA_LOST_BY_KING_CAPTURE)
LOST_BY_PIECE_CAPTURE = flag(Event.CA_LOST_BY_PIECE_CAPTURE)
LOST_ROOK_X_ROOK_BOTH = flag(Event.CA_LOST_ROOKxROOK_BOTH)
LOST_BY_KING_MOVE = flag(Event.CA_LOST_BY_KING_MOVE)
LOST_BY_ROOK_MOVE = flag(Event.CA_LOST_BY_ROOK_MOVE)
OWN_ROOK_ON_CORNER_NO_RIGHT = flag(Event.CA_OWN_ROOK_ON_CORNER_NO_RIGHT)
FOREIGN_ROOK_ON_CORNER_NO_RIGHT = flag(Event.CA_FOREIGN_ROOK_ON_CORNER_NO_RIGHT)
KEPT_OTHER_ROOK_MOVES = flag(Event.CA_KEPT_OTHER_ROOK_MOVES)
KEPT_OTHER_ROOK_TAKEN = flag(Event.CA_KEPT_OTHER_ROOK_TAKEN)
UCI_LOOKALIKE = flag(Event.CA_UCI_LOOKALIKE)
CORNERS = np.uint64(0x81)
E1 = np.uint64(0x10)
C1_G1 = np.uint64(0x44)
_8, _16, _32 = np.uint64(8), np.uint64(16), np.uint64(32)


@inlined
def _beside(board: Board, rook: np.uint64) -> np.uint64:
    """Return the enemy rooks that still may castle on the side of the enemy king where `rook` stands."""
    castling = board.castling & RANK_8
    below = board.their_king - np.uint64(1)
    return castling & (below if rook < board.their_king else ~below)


@inlined
def _whole_files(squares: np.uint64) -> np.uint64:
    """Return all squares on the files of squares on the first rank."""
    squares |= squares << _8
    squares |= squares << _16
    return squares | squares << _32


@inlined
def concerns_rooks(board: Board, info: MoveInfo) -> bool:
    """Tell whether a move may have an event of `rights_lost_events`: most have none, and a call costs time."""
    rooks = board.castling | RANK_8 & board.their_orthogonals
    return bool(info.target & rooks | info.origin & board.orthogonals != ZERO)


@inlined
def rights_lost_events(board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move from or to a square that rights depend on, or seem to."""
    origin, target, castling = info.origin, info.target, board.castling
    found = ZERO
    if target & castling & context.their != ZERO:
        found |= LOST_BY_PIECE_CAPTURE
        found |= when(origin == board.king, LOST_BY_KING_CAPTURE)
        found |= when(origin & castling != ZERO, LOST_ROOK_X_ROOK_BOTH)
    elif target & RANK_8 & board.their_orthogonals & ~board.their_diagonals != ZERO:
        found |= when(_beside(board, target) != ZERO, KEPT_OTHER_ROOK_TAKEN)
    if info.kind == NORMAL and origin & board.orthogonals != ZERO:
        found |= when(origin & castling != ZERO, LOST_BY_ROOK_MOVE)
        found |= when(origin == E1 and target & C1_G1 != ZERO, UCI_LOOKALIKE)
        without_right = origin & ~board.diagonals & ~castling
        found |= when(without_right & _whole_files(castling & context.own) != ZERO, KEPT_OTHER_ROOK_MOVES)
    return found


@inlined
def rights_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of a king that still may castle, or seems to."""
    steps = king_attacks(tables, context.king) & ~context.own & ~context.attacked
    found = when(board.castling & context.own != ZERO and steps != ZERO, LOST_BY_KING_MOVE)
    if board.king == E1:
        own_rooks = board.orthogonals & ~board.diagonals & ~board.castling
        their_rooks = board.their_orthogonals & ~board.their_diagonals
        found |= when(own_rooks & CORNERS != ZERO, OWN_ROOK_ON_CORNER_NO_RIGHT)
        found |= when(their_rooks & CORNERS != ZERO, FOREIGN_ROOK_ON_CORNER_NO_RIGHT)
    return found
