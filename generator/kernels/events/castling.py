"""Events of legal castling, of castling prevented by a single obstacle, and of lost, kept or missing rights.

Some events occur only in Chess960, where king and rook may stand anywhere on the back rank.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..attacks import between, king_attacks, rook_attacks, their_attackers
from ..board import Board
from ..castling import king_target, rook_target
from ..encoding import NORMAL, bit
from ..machine.bits import ONE, ZERO, lsb, rest
from ..machine.jit import inline
from ..pawns import RANK_8
from ..sliders.lookup import Tables
from . import flags
from .context import EventContext, MoveInfo
from .flags import when

_3, _8, _16, _32 = (np.uint64(number) for number in (3, 8, 16, 32))
A1, B1 = np.uint64(1), np.uint64(2)  # bitboards


class Attempt(NamedTuple):
    """Castling with one rook: the squares involved, and the obstacles; the bitboard of an absent obstacle is empty.

    `third` are the pieces in the way. `passed` and `reached` are attacked squares that the king crosses or reaches.
    `pin` is the rook if it is pinned, and `gives_check` the rook if it would give check.
    """

    rook: np.uint64
    king_to: np.uint64
    rook_to: np.uint64
    third: np.uint64
    passed: np.uint64
    reached: np.uint64
    pin: np.uint64
    gives_check: np.uint64


@inline
def attempt(tables: Tables, board: Board, context: EventContext, rook: np.uint64) -> Attempt:
    """Return the squares and obstacles of castling with the rook on square `rook`."""
    king = context.king
    king_to, rook_to = king_target(king, rook), rook_target(king, rook)
    others = context.occupied ^ board.king ^ bit(rook)
    passed = between(tables, king, king_to)
    path = passed | bit(king_to) | between(tables, rook, rook_to) | bit(rook_to)
    # The rook may give check along the rank, through the squares that king and rook have left.
    after = others | bit(king_to) | bit(rook_to)
    return Attempt(
        bit(rook),
        bit(king_to),
        bit(rook_to),
        path & others,
        passed & context.attacked,
        # In Chess960, the king may stay on its square; an attack on this square is a check, which is a separate event.
        bit(king_to) & ~board.king & context.attacked,
        bit(rook) & context.orthogonal_pins,
        rook_attacks(tables, context.their_king, after) & bit(rook_to),
    )


@inline
def is_legal(context: EventContext, castling: Attempt) -> bool:
    """Return True if castling has no obstacle."""
    against = castling.third | castling.passed | castling.reached | castling.pin | context.checkers
    return bool(against == ZERO)


@inline
def is_open(context: EventContext, castling: Attempt) -> bool:
    """Return True if attacks on the king's path are the only possible obstacles."""
    return bool(castling.third | castling.pin | context.checkers == ZERO)


@inline
def _legal_events(tables: Tables, board: Board, context: EventContext, castling: Attempt) -> np.uint64:
    # Bitboards of single squares compare like square numbers.
    to_the_right = castling.rook > board.king
    found = flags.CA_OO if to_the_right else flags.CA_OOO
    found |= when(castling.rook & context.attacked != ZERO, flags.CA_ROOK_ATTACKED_LEGAL)
    found |= when(castling.rook == A1 and B1 & context.attacked != ZERO, flags.CA_OOO_B_ATTACKED_LEGAL)
    if castling.gives_check != ZERO:
        opened = between(tables, context.their_king, lsb(castling.rook_to)) & board.king
        found |= flags.CA_GIVES_CHECK | when(opened != ZERO, flags.CA_CHECK_KING_WAS_BLOCKER)
    return found


@inline
def _path_attacked(tables: Tables, board: Board, context: EventContext, castling: Attempt) -> np.uint64:
    """Return the events of castling that is prevented only by attacks on the king's path."""
    found = when(castling.reached == ZERO, flags.CA_PREV_PATH_ONLY) | when(
        castling.passed == ZERO, flags.CA_PREV_DEST_ONLY
    )
    # All attackers of the path are combined, because events of pawns or the king require that there is no other
    # attacker.
    attackers = ZERO
    squares = castling.passed | castling.reached
    while squares != ZERO:
        attackers |= their_attackers(tables, board, lsb(squares), context.occupied)
        squares = rest(squares)
    if castling.passed != ZERO:
        found |= when(attackers & ~board.their_pawns == ZERO, flags.CA_PREV_PATH_BY_PAWN)
        found |= when(attackers == board.their_king, flags.CA_PREV_PATH_BY_KING)
    return found


@inline
def castling_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of castling with each of our rooks that has a castling right."""
    found = ZERO
    rooks = board.castling & context.own
    while rooks != ZERO:
        castling = attempt(tables, board, context, lsb(rooks))
        attacks = castling.passed | castling.reached
        if is_legal(context, castling):
            found |= _legal_events(tables, board, context, castling)
        elif is_open(context, castling):
            found |= _path_attacked(tables, board, context, castling)
        # An obstacle is the only one if the others are absent.
        elif castling.third | castling.pin | attacks == ZERO:
            found |= flags.CA_PREV_INCHECK_ONLY
        elif context.checkers | castling.pin | attacks == ZERO and castling.rook == A1 and castling.third == B1:
            found |= flags.CA_OOO_B_OCC_ONLY_PREVENTS
        rooks = rest(rooks)
    return found


CORNERS = np.uint64(0x81)
E1 = np.uint64(0x10)
C1_G1 = np.uint64(0x44)


@inline
def _beside(board: Board, rook: np.uint64) -> np.uint64:
    """Return the opponent's castling rooks that are on the same side of their king as `rook`."""
    castling = board.castling & RANK_8
    below = board.their_king - np.uint64(1)
    return castling & (below if rook < board.their_king else ~below)


@inline
def _whole_files(squares: np.uint64) -> np.uint64:
    """Return all squares on the files of squares on the first rank."""
    # Each step doubles the number of ranks that contain the squares: one, two, four, eight.
    squares |= squares << _8
    squares |= squares << _16
    return squares | squares << _32


@inline
def concerns_rooks(board: Board, info: MoveInfo) -> bool:
    """Return True if a move may have the events of `rights_lost_events`, which is too slow to call for every move."""
    rooks = board.castling | RANK_8 & board.their_orthogonals
    return bool(info.target & rooks | info.origin & board.orthogonals != ZERO)


@inline
def rights_lost_events(board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move from or to a square that affects castling rights, or seems to do so."""
    origin, target, castling = info.origin, info.target, board.castling
    found = ZERO
    if target & castling & context.their != ZERO:
        found |= flags.CA_LOST_BY_PIECE_CAPTURE
        found |= when(origin == board.king, flags.CA_LOST_BY_KING_CAPTURE)
        found |= when(origin & castling != ZERO, flags.CA_LOST_ROOKxROOK_BOTH)
    elif target & RANK_8 & board.their_orthogonals & ~board.their_diagonals != ZERO:
        found |= when(_beside(board, target) != ZERO, flags.CA_KEPT_OTHER_ROOK_TAKEN)
    if info.kind == NORMAL and origin & board.orthogonals != ZERO:
        found |= when(origin & castling != ZERO, flags.CA_LOST_BY_ROOK_MOVE)
        found |= when(origin == E1 and target & C1_G1 != ZERO, flags.CA_UCI_LOOKALIKE)
        without_right = origin & ~board.diagonals & ~castling
        found |= when(without_right & _whole_files(castling & context.own) != ZERO, flags.CA_KEPT_OTHER_ROOK_MOVES)
    return found


@inline
def rights_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of a king that has castling rights or appears to have them."""
    steps = king_attacks(tables, context.king) & ~context.own & ~context.attacked
    found = when(board.castling & context.own != ZERO and steps != ZERO, flags.CA_LOST_BY_KING_MOVE)
    if board.king == E1:
        own_rooks = board.orthogonals & ~board.diagonals & ~board.castling
        their_rooks = board.their_orthogonals & ~board.their_diagonals
        found |= when(own_rooks & CORNERS != ZERO, flags.CA_OWN_ROOK_ON_CORNER_NO_RIGHT)
        found |= when(their_rooks & CORNERS != ZERO, flags.CA_FOREIGN_ROOK_ON_CORNER_NO_RIGHT)
    return found


ALL_CORNERS = np.uint64(0x8100000000000081)
_RANK_1 = np.uint64(0xFF)


@inline
def _is_long(board: Board, castling: Attempt) -> bool:
    """Return True if the king moves three squares or more, in either direction."""
    return bool(castling.king_to >= board.king << _3 or castling.king_to <= board.king >> _3)


@inline
def _legal_chess960_events(tables: Tables, board: Board, context: EventContext, castling: Attempt) -> np.uint64:
    king, rook, king_to, rook_to = board.king, castling.rook, castling.king_to, castling.rook_to
    found = when(king_to == king, flags.F_KING_STAYS) | when(rook_to == rook, flags.F_ROOK_STAYS)
    found |= when(king_to == rook, flags.F_KING_TO_ROOKSQ) | when(rook_to == king, flags.F_ROOK_TO_KINGSQ)
    found |= when(king_to == rook and rook_to == king, flags.F_SWAP)
    found |= when(rook < king and king_to > king, flags.F_OOO_KING_GOES_RIGHT)
    found |= when(king != E1, flags.F_KING_FILE_NOT_E_CASTLE)
    found |= when(castling.gives_check != ZERO and (king != E1 or rook & CORNERS == ZERO), flags.F_GIVES_CHECK)
    found |= when(_is_long(board, castling), flags.F_LONG_KING_PATH_GE3_LEGAL)
    # The square is not attacked, because castling is legal. A step to it is therefore legal, too, if it is empty.
    is_step = king_attacks(tables, context.king) & king_to & ~context.own
    return found | when(is_step != ZERO, flags.F_KINGSTEP_COLLIDES_WITH_CASTLE_UCI)


@inline
def _outside(board: Board, rook: np.uint64) -> np.uint64:
    """Return the squares of the back rank beyond our castling rook, seen from our king."""
    # A bit minus one is the set of all lower squares, which on the back rank are those to the left.
    left = rook - ONE
    return left if rook < board.king else _RANK_1 & ~(left | rook)


@inline
def chess960_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the Chess960 events of castling with each of our rooks that has a castling right."""
    found = ZERO
    own_rooks = board.orthogonals & ~board.diagonals
    their_rooks = board.their_orthogonals & ~board.their_diagonals
    rights = board.castling & context.own
    rooks = rights
    while rooks != ZERO:
        castling = attempt(tables, board, context, lsb(rooks))
        outside = _outside(board, castling.rook)
        found |= when(outside & their_rooks != ZERO, flags.F_ENEMY_ROOK_OUTSIDE)
        found |= when(outside & own_rooks != ZERO, flags.F_OWN_ROOK_OUTSIDE)
        attacks = castling.passed | castling.reached
        if is_legal(context, castling):
            found |= _legal_chess960_events(tables, board, context, castling)
        elif is_open(context, castling):
            found |= when(castling.passed != ZERO and _is_long(board, castling), flags.F_LONG_PATH_ATTACKED)
        elif attacks | context.checkers == ZERO:
            found |= when(castling.third == ZERO, flags.F_ROOK_UNCOVERS_CHECK_ILLEGAL)
            blocked_by_other = castling.pin == ZERO and castling.third == rights & ~castling.rook
            found |= when(blocked_by_other, flags.F_BLOCKED_ONLY_BY_OTHER_OWN_ROOK)
        rooks = rest(rooks)
    return found


@inline
def rook_off_corner_events(board: Board, context: EventContext, info: MoveInfo) -> np.uint64:
    """Return the events of a legal move that captures a rook with a castling right."""
    taken = info.target & board.castling & context.their
    return when(taken & ~ALL_CORNERS != ZERO, flags.F_RIGHT_LOST_ROOK_NONCORNER)
