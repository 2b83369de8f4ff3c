"""The position with two remaining plies: both sides, and the squares that we attack before our move.

Parts of the kernel exchange results through `NOTES` uint64 values in memory, three per square.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import NOT_FILE_A, NOT_FILE_H, between, bishop_attacks, king_attacks, knight_attacks, rook_attacks
from ...board import Board, ours, theirs
from ...machine.bits import ONE, ZERO, lsb, rest, store
from ...machine.jit import inline, subroutine
from ...sliders.lookup import Tables

MOVES, DIAGONAL, ORTHOGONAL = (np.uint64(place) for place in (0, 64, 128))
"""Offsets in the notes: targets of the simple moves from each square, and attacks of our slider there by direction."""
NOTES = 192
"""Number of values in the notes."""
_7, _8, _9 = (np.uint64(number) for number in (7, 8, 9))


class BoardSides(NamedTuple):
    """A board with us to move; `king` and `their_king` are squares, all other fields are bitboards."""

    board: Board
    own: np.uint64
    their: np.uint64
    occupied: np.uint64
    king: np.uint64
    their_king: np.uint64


@inline
def sides_of(board: Board) -> BoardSides:
    """Split a board into its two sides."""
    own, their = ours(board), theirs(board)
    return BoardSides(board, own, their, own | their, lsb(board.king), lsb(board.their_king))


class Mobile(NamedTuple):
    """The sliders of one side that are not surrounded by their own pieces, by the kind of their moves."""

    diagonals: np.uint64
    orthogonals: np.uint64


@inline
def mobile_sliders(diagonals: np.uint64, orthogonals: np.uint64, own: np.uint64) -> Mobile:
    """Return the sliders next to a square that is not in `own`, the pieces of their side; a lone slider always."""
    # A lone slider is rarely surrounded.
    if rest(diagonals) | rest(orthogonals) == ZERO:
        return Mobile(diagonals, orthogonals)
    free = ~own
    # The shifts may wrap around the edge of the board. A surrounded slider may then be included; it adds no moves.
    beside = free >> ONE | free << ONE
    return Mobile(diagonals & (beside << _8 | beside >> _8), orthogonals & (beside | free << _8 | free >> _8))


class AttackedSquares(NamedTuple):
    """The squares that are in at least one of several sets, and those in at least two."""

    once: np.uint64
    twice: np.uint64


class OurAttacks(NamedTuple):
    """The squares that we attack, including occupied squares and our own pieces.

    In `all`, a queen counts as one piece. `leapers` are king, knights and pawns. `sliders` combines `diagonals` and
    `orthogonals`; a piece that leaves one of these squares opens a line. `lines` are the squares between our sliders
    and the watch squares that they attack.
    """

    all: AttackedSquares
    leapers: AttackedSquares
    diagonals: np.uint64
    orthogonals: np.uint64
    sliders: np.uint64
    lines: AttackedSquares


@inline
def _with(sets: AttackedSquares, squares: np.uint64) -> AttackedSquares:
    return AttackedSquares(sets.once | squares, sets.twice | sets.once & squares)


@inline
def _leapers(tables: Tables, sides: BoardSides) -> AttackedSquares:
    board = sides.board
    sets = AttackedSquares(king_attacks(tables, sides.king), ZERO)
    # Pawns that capture in the same direction never attack the same square, so each direction is treated as one set.
    sets = _with(sets, (board.pawns & NOT_FILE_A) << _7)
    sets = _with(sets, (board.pawns & NOT_FILE_H) << _9)
    knights = board.knights
    while knights != ZERO:
        sets = _with(sets, knight_attacks(tables, lsb(knights)))
        knights = rest(knights)
    return sets


@inline
def lines_to(tables: Tables, square: np.uint64, targets: np.uint64) -> np.uint64:
    """Return the squares strictly between `square` and any of `targets`."""
    lines = ZERO
    while targets != ZERO:
        lines |= between(tables, square, lsb(targets))
        targets = rest(targets)
    return lines


@inline
def our_attacks_of(tables: Tables, sides: BoardSides, watched: np.uint64, notes: np.uint64) -> OurAttacks:
    """Return the squares that we attack, given the watch squares; write the attacks of each slider to the notes."""
    leapers = everything = _leapers(tables, sides)
    diagonals, orthogonals, lines = ZERO, ZERO, AttackedSquares(ZERO, ZERO)
    # A queen is in both loops, but no square is on both a diagonal and an orthogonal line with it, so no square is
    # counted twice.
    sliders = sides.board.diagonals
    while sliders != ZERO:
        seen = bishop_attacks(tables, lsb(sliders), sides.occupied)
        store(notes, DIAGONAL + lsb(sliders), seen)
        diagonals, everything = diagonals | seen, _with(everything, seen)
        if seen & watched != ZERO:
            lines = _with(lines, lines_to(tables, lsb(sliders), seen & watched))
        sliders = rest(sliders)
    sliders = sides.board.orthogonals
    while sliders != ZERO:
        seen = rook_attacks(tables, lsb(sliders), sides.occupied)
        store(notes, ORTHOGONAL + lsb(sliders), seen)
        orthogonals, everything = orthogonals | seen, _with(everything, seen)
        if seen & watched != ZERO:
            lines = _with(lines, lines_to(tables, lsb(sliders), seen & watched))
        sliders = rest(sliders)
    return OurAttacks(everything, leapers, diagonals, orthogonals, diagonals | orthogonals, lines)


@inline
def attacked_without(sets: AttackedSquares, squares: np.uint64) -> np.uint64:
    """Return the squares that remain in at least one set when the set `squares` is removed."""
    # A square in at least two sets always remains. A square in one set remains unless that set is removed.
    return sets.twice | sets.once & ~squares


@subroutine
def slider_attacks(tables: Tables, diagonals: np.uint64, orthogonals: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that these sliders attack, given the occupied squares."""
    # This is a subroutine because few moves need it: with `inline`, the kernel is up to 4 % slower.
    seen = ZERO
    while diagonals != ZERO:
        seen |= bishop_attacks(tables, lsb(diagonals), occupied)
        diagonals = rest(diagonals)
    while orthogonals != ZERO:
        seen |= rook_attacks(tables, lsb(orthogonals), occupied)
        orthogonals = rest(orthogonals)
    return seen
