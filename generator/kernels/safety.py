"""King safety of the side to move, computed once per position: checkers, check mask and pins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .attacks import between, bishop_attacks, bishop_rays, knight_attacks, pawn_attacks, rook_attacks, rook_rays
from .board import Board
from .machine.bits import ALL, ONE, ZERO, lsb, rest
from .machine.jit import inline
from .sliders.lookup import Tables


@inline
def leaper_checkers(tables: Tables, board: Board, king: np.uint64) -> np.uint64:
    """Return the opponent's knights and pawns that give check to our king on `king`."""
    # Attacks are symmetric: one of our knights or pawns on the king's square would attack the checkers.
    return knight_attacks(tables, king) & board.their_knights | pawn_attacks(board.king) & board.their_pawns


@inline
def king_lines(
    tables: Tables, king: np.uint64, sliders: np.uint64, occupied: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Find checks and pins by `sliders`, which would attack our king on an empty board.

    Returns the checkers, the squares on which a piece ends these checks (including the squares of the checkers), and
    the pin lines. A pin line has all squares from the king to a slider, including the slider, if exactly one piece of
    either side stands between them.
    """
    checkers, stops, pins = ZERO, ZERO, ZERO
    while sliders != ZERO:
        square = lsb(sliders)
        path = between(tables, king, square)
        blockers = path & occupied
        if blockers == ZERO:
            checkers |= ONE << square
            # A piece ends this check by moving between king and slider or by capturing the slider.
            stops |= path | ONE << square
        elif rest(blockers) == ZERO:
            # If the piece is the opponent's, it is not pinned; callers test only our pieces.
            pins |= path | ONE << square
        sliders = rest(sliders)
    return checkers, stops, pins


@inline
def lone_blockers(tables: Tables, king: np.uint64, sliders: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the pieces that stand alone between `king` and one of `sliders`, which are on lines with it."""
    # If there is no piece between, there is a check; if there are two or more, one may leave.
    alone = ZERO
    while sliders != ZERO:
        blockers = between(tables, king, lsb(sliders)) & occupied
        if rest(blockers) == ZERO:
            alone |= blockers
        sliders = rest(sliders)
    return alone


class KingSafety(NamedTuple):
    """The restrictions on our moves: the checkers, the check mask, and our pin lines of both kinds.

    The check mask contains the squares on which a piece other than the king ends a single check, or all squares if
    there is no check. A piece on an orthogonal (diagonal) pin line may move only along such lines. One union of lines
    per kind is enough, because a slider that leaves its pin line moves parallel to the king's other line of that kind
    and never meets it.
    """

    checkers: np.uint64
    mask: np.uint64
    orthogonal_pins: np.uint64
    diagonal_pins: np.uint64


@inline
def king_safety(tables: Tables, board: Board, king: np.uint64, occupied: np.uint64) -> KingSafety:
    """Return the checkers, the squares that end the check, and the pin lines."""
    orthogonal_checkers, orthogonal_stops, orthogonal_pins = king_lines(
        tables, king, rook_rays(tables, king) & board.their_orthogonals, occupied
    )
    diagonal_checkers, diagonal_stops, diagonal_pins = king_lines(
        tables, king, bishop_rays(tables, king) & board.their_diagonals, occupied
    )
    leapers = leaper_checkers(tables, board, king)
    checkers = orthogonal_checkers | diagonal_checkers | leapers
    stops = orthogonal_stops | diagonal_stops | leapers
    return KingSafety(checkers, ALL if checkers == ZERO else stops, orthogonal_pins, diagonal_pins)


@inline
def en_passant_is_safe(tables: Tables, board: Board, king: np.uint64, occupied: np.uint64, capturer: np.uint64) -> bool:
    """Return True if our king is safe after `capturer` captures en passant.

    Two pawns leave their squares and one arrives, so any line through these three squares may open or close (in the
    best-known case, both pawns leave the king's rank). All lines are therefore tested.
    """
    # The captured pawn is one rank below the square that it has passed.
    victim = board.en_passant >> np.uint64(8)
    after = occupied ^ capturer ^ victim ^ board.en_passant
    attackers = rook_attacks(tables, king, after) & board.their_orthogonals
    attackers |= bishop_attacks(tables, king, after) & board.their_diagonals
    # The capture ends a check by the captured pawn, but not a check by a knight.
    attackers |= leaper_checkers(tables, board, king) & ~victim
    return bool(attackers == ZERO)
