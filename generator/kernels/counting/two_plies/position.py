"""The position with two plies left: the two sides, and what we attack before we move.

`NOTES` words beside the count, three for each square, hand on what one part of the kernel finds to the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import NOT_FILE_A, NOT_FILE_H, bishop_attacks, king_attacks, knight_attacks, rook_attacks
from ...board import Board, ours, theirs
from ...machine.bits import ZERO, lsb, rest, store
from ...machine.jit import inline, subroutine
from ...sliders.lookup import Tables

MOVES, DIAGONAL, ORTHOGONAL = (np.uint64(place) for place in (0, 64, 128))
"""Where the squares begin: targets of the simple moves from each; what our slider there attacks in each way."""
NOTES = 192
"""Number of words."""
_7, _9 = (np.uint64(number) for number in (7, 9))


class BoardSides(NamedTuple):
    """A board in which we are to move; kings are squares, the rest are sets of squares."""

    board: Board
    own: np.uint64
    their: np.uint64
    occupied: np.uint64
    king: np.uint64
    their_king: np.uint64


@inline
def sides_of(board: Board) -> BoardSides:
    """Return the two sides of a board."""
    own, their = ours(board), theirs(board)
    return BoardSides(board, own, their, own | their, lsb(board.king), lsb(board.their_king))


class AttackedSquares(NamedTuple):
    """The squares in at least one of several sets, and those in at least two."""

    once: np.uint64
    twice: np.uint64


class OurAttacks(NamedTuple):
    """What we attack, occupied squares and our own pieces included. A queen is one piece to `all`.

    `leapers` are king, knights and pawns.
    """

    all: AttackedSquares
    leapers: AttackedSquares
    diagonals: AttackedSquares
    orthogonals: AttackedSquares


@inline
def _with(sets: AttackedSquares, squares: np.uint64) -> AttackedSquares:
    return AttackedSquares(sets.once | squares, sets.twice | sets.once & squares)


@inline
def _leapers(tables: Tables, sides: BoardSides) -> AttackedSquares:
    board = sides.board
    sets = AttackedSquares(king_attacks(tables, sides.king), ZERO)
    # Pawns that take to the same side never attack one square, so each side is one set.
    sets = _with(sets, (board.pawns & NOT_FILE_A) << _7)
    sets = _with(sets, (board.pawns & NOT_FILE_H) << _9)
    knights = board.knights
    while knights != ZERO:
        sets = _with(sets, knight_attacks(tables, lsb(knights)))
        knights = rest(knights)
    return sets


@inline
def our_attacks_of(tables: Tables, sides: BoardSides, notes: np.uint64) -> OurAttacks:
    """Return what we attack, and write what each slider attacks into the notes."""
    leapers = everything = _leapers(tables, sides)
    diagonals, orthogonals = AttackedSquares(ZERO, ZERO), AttackedSquares(ZERO, ZERO)
    # A queen is in both loops and still one piece: no square is in line with it both diagonally and orthogonally.
    sliders = sides.board.diagonals
    while sliders != ZERO:
        seen = bishop_attacks(tables, lsb(sliders), sides.occupied)
        store(notes, DIAGONAL + lsb(sliders), seen)
        diagonals, everything = _with(diagonals, seen), _with(everything, seen)
        sliders = rest(sliders)
    sliders = sides.board.orthogonals
    while sliders != ZERO:
        seen = rook_attacks(tables, lsb(sliders), sides.occupied)
        store(notes, ORTHOGONAL + lsb(sliders), seen)
        orthogonals, everything = _with(orthogonals, seen), _with(everything, seen)
        sliders = rest(sliders)
    return OurAttacks(everything, leapers, diagonals, orthogonals)


@inline
def attacked_without(sets: AttackedSquares, squares: np.uint64) -> np.uint64:
    """Return the squares in at least one of the sets when one of them, `squares`, is left out."""
    # What two attack is attacked without either. What one alone attacks is so unless that is the one left out.
    return sets.twice | sets.once & ~squares


@subroutine
def slider_attacks(tables: Tables, diagonals: np.uint64, orthogonals: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that these sliders attack, given the occupied squares."""
    # A subroutine: it is used in loops over moves, where few moves need it, and inlined would be copied to each.
    seen = ZERO
    while diagonals != ZERO:
        seen |= bishop_attacks(tables, lsb(diagonals), occupied)
        diagonals = rest(diagonals)
    while orthogonals != ZERO:
        seen |= rook_attacks(tables, lsb(orthogonals), occupied)
        orthogonals = rest(orthogonals)
    return seen


@inline
def opened_by_leaving(our_attacks: OurAttacks) -> np.uint64:
    """Return the squares that our sliders attack: what leaves them opens a line."""
    return our_attacks.diagonals.once | our_attacks.orthogonals.once
