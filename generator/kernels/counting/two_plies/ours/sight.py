"""What our pieces attack before we move: once, and twice, by all of them and by our sliders of each kind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import NOT_FILE_A, NOT_FILE_H, bishop_attacks, king_attacks, knight_attacks, rook_attacks
from ....machine.bits import ZERO, lsb, rest, store
from ....machine.jit import inlined, subroutine
from ....sliders.common import Tables
from ..notes import DIAGONAL, ORTHOGONAL
from ..scene import Scene

_7, _9 = np.uint64(7), np.uint64(9)


class Twice(NamedTuple):
    """The squares in at least one of several sets, and those in at least two."""

    once: np.uint64
    twice: np.uint64


class Sight(NamedTuple):
    """What we attack, occupied squares and our own pieces included. A queen is one piece to `all`.

    `leapers` are king, knights and pawns.
    """

    all: Twice
    leapers: Twice
    diagonals: Twice
    orthogonals: Twice


@inlined
def _with(sets: Twice, squares: np.uint64) -> Twice:
    return Twice(sets.once | squares, sets.twice | sets.once & squares)


@inlined
def _leapers(tables: Tables, scene: Scene) -> Twice:
    board = scene.board
    sets = Twice(king_attacks(tables, scene.king), ZERO)
    sets = _with(sets, (board.pawns & NOT_FILE_A) << _7)
    sets = _with(sets, (board.pawns & NOT_FILE_H) << _9)
    knights = board.knights
    while knights != ZERO:
        sets = _with(sets, knight_attacks(tables, lsb(knights)))
        knights = rest(knights)
    return sets


@inlined
def sight_of(tables: Tables, scene: Scene, notes: np.uint64) -> Sight:
    """Return what we attack, and write what each slider attacks into the notes."""
    leapers = everything = _leapers(tables, scene)
    diagonals, orthogonals = Twice(ZERO, ZERO), Twice(ZERO, ZERO)
    sliders = scene.board.diagonals
    while sliders != ZERO:
        seen = bishop_attacks(tables, lsb(sliders), scene.occupied)
        store(notes, DIAGONAL + lsb(sliders), seen)
        diagonals, everything = _with(diagonals, seen), _with(everything, seen)
        sliders = rest(sliders)
    sliders = scene.board.orthogonals
    while sliders != ZERO:
        seen = rook_attacks(tables, lsb(sliders), scene.occupied)
        store(notes, ORTHOGONAL + lsb(sliders), seen)
        orthogonals, everything = _with(orthogonals, seen), _with(everything, seen)
        sliders = rest(sliders)
    return Sight(everything, leapers, diagonals, orthogonals)


@inlined
def without(sets: Twice, squares: np.uint64) -> np.uint64:
    """Return the squares in at least one of the sets when one of them, `squares`, is left out."""
    return sets.twice | sets.once & ~squares


@subroutine
def seen_anew(tables: Tables, diagonals: np.uint64, orthogonals: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that these sliders attack, given the occupied squares."""
    seen = ZERO
    while diagonals != ZERO:
        seen |= bishop_attacks(tables, lsb(diagonals), occupied)
        diagonals = rest(diagonals)
    while orthogonals != ZERO:
        seen |= rook_attacks(tables, lsb(orthogonals), occupied)
        orthogonals = rest(orthogonals)
    return seen


@inlined
def seen_by_sliders(sight: Sight) -> np.uint64:
    """Return the squares that our sliders attack: what leaves them opens a line."""
    return sight.diagonals.once | sight.orthogonals.once
