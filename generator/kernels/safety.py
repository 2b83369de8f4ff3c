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
    """Return the opponent's knights and pawns that give check to our king on square `king`."""
    # Attacks are symmetric: a knight or pawn on the king's square would attack the pieces that attack it.
    return knight_attacks(tables, king) & board.their_knights | pawn_attacks(board.king) & board.their_pawns


@inline
def king_lines(
    tables: Tables, king: np.uint64, sliders: np.uint64, occupied: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Follow the lines from our king to `sliders`, which attack it on an empty board.

    Returns the checkers, the squares on which a piece ends these checks (including those of the checkers), and the pin
    lines: all squares from the king to a slider, including the slider, if there is exactly one piece of either side
    between them.
    """
    checkers, stops, pins = ZERO, ZERO, ZERO
    while sliders != ZERO:
        square = lsb(sliders)
        path = between(tables, king, square)
        blockers = path & occupied
        if blockers == ZERO:
            checkers |= ONE << square
            # A piece ends this check by standing between the two or by capturing the slider.
            stops |= path | ONE << square
        elif rest(blockers) == ZERO:
            # If the piece is the opponent's, there is no pin; callers only test our own pieces.
            pins |= path | ONE << square
        sliders = rest(sliders)
    return checkers, stops, pins


@inline
def lone_blockers(tables: Tables, king: np.uint64, sliders: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the pieces that stand alone between the king on `king` and one of `sliders` on a line with it."""
    # With no piece between there is a check; of two or more pieces, one may leave.
    alone = ZERO
    while sliders != ZERO:
        blockers = between(tables, king, lsb(sliders)) & occupied
        if rest(blockers) == ZERO:
            alone |= blockers
        sliders = rest(sliders)
    return alone


class KingSafety(NamedTuple):
    """What restricts our moves: the checkers, the check mask, and our pin lines of both kinds.

    The check mask has the squares on which a piece other than the king ends a single check; all squares if there is no
    check. A piece on an orthogonal (diagonal) pin line may move only along such lines. One union of lines per kind is
    enough: a slider that leaves its own pin line moves parallel to the king's other line of that kind, and never meets
    it.
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

    Two pawns leave their squares and one arrives, so that any line through the three squares may open or close (in the
    best-known case both pawns leave the king's rank). All lines are therefore tested again.
    """
    # The captured pawn is one rank behind the square that it has passed.
    victim = board.en_passant >> np.uint64(8)
    after = occupied ^ capturer ^ victim ^ board.en_passant
    attackers = rook_attacks(tables, king, after) & board.their_orthogonals
    attackers |= bishop_attacks(tables, king, after) & board.their_diagonals
    # A check by the captured pawn ends with the capture; a check by a knight remains.
    attackers |= leaper_checkers(tables, board, king) & ~victim
    return bool(attackers == ZERO)
