"""Events of castling: legal, with what it does; or prevented by a single thing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..attacks import between, rook_attacks
from ..board import Board
from ..castling import king_target, rook_target
from ..encoding import bit
from ..machine.bits import ZERO, lsb, rest
from ..machine.jit import inlined
from ..sliders.common import Tables
from .catalogue import Event
from .context import EventContext, their_attackers
from .flags import flag, when

OO = flag(Event.CA_OO)
OOO = flag(Event.CA_OOO)
GIVES_CHECK = flag(Event.CA_GIVES_CHECK)
CHECK_KING_WAS_BLOCKER = flag(Event.CA_CHECK_KING_WAS_BLOCKER)
OOO_B_ATTACKED_LEGAL = flag(Event.CA_OOO_B_ATTACKED_LEGAL)
ROOK_ATTACKED_LEGAL = flag(Event.CA_ROOK_ATTACKED_LEGAL)
OOO_B_OCC_ONLY_PREVENTS = flag(Event.CA_OOO_B_OCC_ONLY_PREVENTS)
PREV_INCHECK_ONLY = flag(Event.CA_PREV_INCHECK_ONLY)
PREV_PATH_ONLY = flag(Event.CA_PREV_PATH_ONLY)
PREV_DEST_ONLY = flag(Event.CA_PREV_DEST_ONLY)
PREV_PATH_BY_PAWN = flag(Event.CA_PREV_PATH_BY_PAWN)
PREV_PATH_BY_KING = flag(Event.CA_PREV_PATH_BY_KING)
A1, B1 = np.uint64(1), np.uint64(2)  # as bitboards


class Attempt(NamedTuple):
    """To castle with one rook: where all go, and whatever stands against it, each an empty bitboard if nothing does.

    `third` are pieces in the way, `passed` and `reached` the attacked squares that the king passes and
    reaches, `pin` the rook if it is pinned. `gives_check` is the rook if it would give check.
    """

    rook: np.uint64
    king_to: np.uint64
    rook_to: np.uint64
    third: np.uint64
    passed: np.uint64
    reached: np.uint64
    pin: np.uint64
    gives_check: np.uint64


@inlined
def attempt(tables: Tables, board: Board, context: EventContext, rook: np.uint64) -> Attempt:
    """Return what castling with the rook on square `rook` comes to."""
    king = context.king
    king_to, rook_to = king_target(king, rook), rook_target(king, rook)
    others = context.occupied ^ board.king ^ bit(rook)
    passed = between(tables, king, king_to)
    way = passed | bit(king_to) | between(tables, rook, rook_to) | bit(rook_to)
    # The rook may check along the rank through where the king or the rook itself has stood.
    after = others | bit(king_to) | bit(rook_to)
    return Attempt(
        bit(rook),
        bit(king_to),
        bit(rook_to),
        way & others,
        passed & context.attacked,
        bit(king_to) & ~board.king & context.attacked,
        bit(rook) & context.orthogonal_pins,
        rook_attacks(tables, context.their_king, after) & bit(rook_to),
    )


@inlined
def is_legal(context: EventContext, castling: Attempt) -> bool:
    """Tell whether nothing stands against it."""
    against = castling.third | castling.passed | castling.reached | castling.pin | context.checkers
    return bool(against == ZERO)


@inlined
def is_open(context: EventContext, castling: Attempt) -> bool:
    """Tell whether nothing but attacks on the king's way may stand against it."""
    return bool(castling.third | castling.pin | context.checkers == ZERO)


@inlined
def _legal_events(tables: Tables, board: Board, context: EventContext, castling: Attempt) -> np.uint64:
    """Return the events of legal castling."""
    to_the_right = castling.rook > board.king
    found = OO if to_the_right else OOO
    found |= when(castling.rook & context.attacked != ZERO, ROOK_ATTACKED_LEGAL)
    found |= when(castling.rook == A1 and B1 & context.attacked != ZERO, OOO_B_ATTACKED_LEGAL)
    if castling.gives_check != ZERO:
        opened = between(tables, context.their_king, lsb(castling.rook_to)) & board.king
        found |= GIVES_CHECK | when(opened != ZERO, CHECK_KING_WAS_BLOCKER)
    return found


@inlined
def _way_attacked(tables: Tables, board: Board, context: EventContext, castling: Attempt) -> np.uint64:
    """Return the events of attacks on the king's way, which alone prevent castling."""
    found = when(castling.reached == ZERO, PREV_PATH_ONLY) | when(castling.passed == ZERO, PREV_DEST_ONLY)
    attackers = ZERO
    squares = castling.passed | castling.reached
    while squares != ZERO:
        attackers |= their_attackers(tables, board, lsb(squares), context.occupied)
        squares = rest(squares)
    if castling.passed != ZERO:
        found |= when(attackers & ~board.their_pawns == ZERO, PREV_PATH_BY_PAWN)
        found |= when(attackers == board.their_king, PREV_PATH_BY_KING)
    return found


@inlined
def castling_events(tables: Tables, board: Board, context: EventContext) -> np.uint64:
    """Return the events of castling with each of our rooks that still may."""
    found = ZERO
    rooks = board.castling & context.own
    while rooks != ZERO:
        castling = attempt(tables, board, context, lsb(rooks))
        attacks = castling.passed | castling.reached
        if is_legal(context, castling):
            found |= _legal_events(tables, board, context, castling)
        elif is_open(context, castling):
            found |= _way_attacked(tables, board, context, castling)
        elif castling.third | castling.pin | attacks == ZERO:
            found |= PREV_INCHECK_ONLY
        elif context.checkers | castling.pin | attacks == ZERO and castling.rook == A1 and castling.third == B1:
            found |= OOO_B_OCC_ONLY_PREVENTS
        rooks = rest(rooks)
    return found
