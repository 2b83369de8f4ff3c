"""The position with two plies left: both sides, and the squares that we attack before we move.

`NOTES` words of memory, three per square, pass results from one part of the kernel to the others.
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
"""Offsets in the notes: targets of the simple moves from each square; attacks of our slider there, by direction."""
NOTES = 192
"""Number of words."""
_7, _9 = (np.uint64(number) for number in (7, 9))


class BoardSides(NamedTuple):
    """A board in which we are to move; `king` and `their_king` are squares, the others sets of squares."""

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
    """The squares that are in at least one of several sets, and those in at least two."""

    once: np.uint64
    twice: np.uint64


class OurAttacks(NamedTuple):
    """The squares that we attack, including occupied squares and our own pieces.

    In `all` a queen counts as one piece. `leapers` are king, knights and pawns.
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
    # Pawns that capture in the same direction never attack the same square, so each direction is one set.
    sets = _with(sets, (board.pawns & NOT_FILE_A) << _7)
    sets = _with(sets, (board.pawns & NOT_FILE_H) << _9)
    knights = board.knights
    while knights != ZERO:
        sets = _with(sets, knight_attacks(tables, lsb(knights)))
        knights = rest(knights)
    return sets


@inline
def our_attacks_of(tables: Tables, sides: BoardSides, notes: np.uint64) -> OurAttacks:
    """Return what we attack, and write the attacks of each slider to the notes."""
    leapers = everything = _leapers(tables, sides)
    diagonals, orthogonals = AttackedSquares(ZERO, ZERO), AttackedSquares(ZERO, ZERO)
    # A queen is in both loops, but no square is on both a diagonal and an orthogonal line with it, so it counts once.
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
    """Return the squares in at least one of the sets if one of them, `squares`, is left out."""
    # A square in two sets is in one of them without either. A square in one set remains unless that set is left out.
    return sets.twice | sets.once & ~squares


@subroutine
def slider_attacks(tables: Tables, diagonals: np.uint64, orthogonals: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that these sliders attack, given the occupied squares."""
    # A subroutine: it is used in loops over moves, few of which need it, and inlining would copy it into each loop.
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
    """Return the squares that our sliders attack: a piece that leaves one of them opens a line."""
    return our_attacks.diagonals.once | our_attacks.orthogonals.once
