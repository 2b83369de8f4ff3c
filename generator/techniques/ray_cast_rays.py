"""Rays, one checked step after another; who attacks a square, and what is pinned to the king.

A direction is what it adds to the number of a square, and by how many files and ranks the step must
lead away. On a plain board of 64 squares a step off the right edge lands on the left edge one rank
up: the number is good, but the file has changed by seven. So each step is checked after it is made.

    rook on e4 = 28    + 1  ->  29 30 31     then 32 = a5: seven files away, no step of a rook
                       + 8  ->  36 44 52 60  then 68: beyond the board

Numbers are taken modulo 128, so that one comparison finds a step below the first rank as well.
"""

from __future__ import annotations

import numpy as np

from ..kernels.encoding import bit
from ..kernels.machine.bits import ONE, ZERO, lsb, rest
from ..kernels.machine.jit import inline, subroutine
from .vocabulary import is_occupied

NORTH, EAST, SOUTH, WEST = np.uint64(8), np.uint64(1), np.uint64(128 - 8), np.uint64(128 - 1)
NORTH_EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST = (np.uint64(delta % 128) for delta in (9, -7, -9, 7))
_2, _3, _7, _64, _127 = (np.uint64(number) for number in (2, 3, 7, 64, 127))


@inline
def distance(first: np.uint64, second: np.uint64) -> np.uint64:
    """Return how far two files, or two ranks, are apart."""
    return first - second if first > second else second - first


@inline
def files_apart(first: np.uint64, second: np.uint64) -> np.uint64:
    """Return how many files are between two squares."""
    return distance(first & _7, second & _7)


@inline
def ranks_apart(first: np.uint64, second: np.uint64) -> np.uint64:
    """Return how many ranks are between two squares."""
    return distance(first >> _3, second >> _3)


@inline
def step(square: np.uint64, delta: np.uint64) -> np.uint64:
    """Return the number one step on, which may be no square, or the wrong one."""
    return square + delta & _127


@inline
def is_step(origin: np.uint64, target: np.uint64, files: np.uint64, ranks: np.uint64) -> bool:
    """Tell whether a step has stayed on the board and led so many files and ranks away."""
    return bool(target < _64 and files_apart(origin, target) == files and ranks_apart(origin, target) == ranks)


@inline
def are_adjacent(first: np.uint64, second: np.uint64) -> bool:
    """Tell whether two squares touch."""
    return bool(files_apart(first, second) <= ONE and ranks_apart(first, second) <= ONE)


@inline
def _sees(
    square: np.uint64, delta: np.uint64, files: np.uint64, ranks: np.uint64, occupied: np.uint64, sliders: np.uint64
) -> bool:
    """Tell whether the first piece on a ray from `square` is one of `sliders`."""
    while True:
        target = step(square, delta)
        if not is_step(square, target, files, ranks):
            return False
        if is_occupied(occupied, target) == ONE:
            return bool(is_occupied(sliders, target) == ONE)
        square = target


@inline
def _is_pawn(square: np.uint64, delta: np.uint64, pawns: np.uint64) -> bool:
    """Tell whether a pawn stands one diagonal step from `square`."""
    target = step(square, delta)
    return bool(is_step(square, target, ONE, ONE) and is_occupied(pawns, target) == ONE)


@subroutine
def is_attacked(
    square: np.uint64,
    occupied: np.uint64,
    pawns: np.uint64,
    knights: np.uint64,
    diagonals: np.uint64,
    orthogonals: np.uint64,
    king: np.uint64,
    side: np.uint64,
) -> bool:
    """Tell whether the pieces given, those of `side`, attack a square. The king comes last: it never gives check."""
    if side == ZERO:
        if _is_pawn(square, SOUTH_WEST, pawns) or _is_pawn(square, SOUTH_EAST, pawns):
            return True
    elif _is_pawn(square, NORTH_WEST, pawns) or _is_pawn(square, NORTH_EAST, pawns):
        return True
    while knights != ZERO:
        knight = lsb(knights)
        # One file and two ranks, or two files and one rank.
        if files_apart(square, knight) * ranks_apart(square, knight) == _2:
            return True
        knights = rest(knights)
    # Without a slider to meet, no ray need be cast.
    if orthogonals != ZERO and (
        _sees(square, NORTH, ZERO, ONE, occupied, orthogonals)
        or _sees(square, EAST, ONE, ZERO, occupied, orthogonals)
        or _sees(square, SOUTH, ZERO, ONE, occupied, orthogonals)
        or _sees(square, WEST, ONE, ZERO, occupied, orthogonals)
    ):
        return True
    if diagonals != ZERO and (
        _sees(square, NORTH_EAST, ONE, ONE, occupied, diagonals)
        or _sees(square, SOUTH_EAST, ONE, ONE, occupied, diagonals)
        or _sees(square, SOUTH_WEST, ONE, ONE, occupied, diagonals)
        or _sees(square, NORTH_WEST, ONE, ONE, occupied, diagonals)
    ):
        return True
    return are_adjacent(square, lsb(king))


@inline
def _pin_line(
    king: np.uint64,
    delta: np.uint64,
    files: np.uint64,
    ranks: np.uint64,
    own: np.uint64,
    occupied: np.uint64,
    sliders: np.uint64,
) -> np.uint64:
    """Return a ray of the king, up to one of `sliders`, if only an own piece stands before it; else nothing.

    Two pieces decide; whatever stands beyond the slider does not lift the pin.
    """
    line, square, is_shielded = ZERO, king, False
    while True:
        target = step(square, delta)
        if not is_step(square, target, files, ranks):
            return ZERO
        line |= bit(target)
        if is_occupied(occupied, target) == ONE:
            if is_shielded:
                return line if is_occupied(sliders, target) == ONE else ZERO
            if is_occupied(own, target) == ZERO:
                return ZERO
            is_shielded = True
        square = target


@subroutine
def pin_lines(
    king: np.uint64, own: np.uint64, occupied: np.uint64, their_diagonals: np.uint64, their_orthogonals: np.uint64
) -> np.uint64:
    """Return the rays on which a piece of ours is pinned to the king, their sliders included."""
    return (
        _pin_line(king, NORTH, ZERO, ONE, own, occupied, their_orthogonals)
        | _pin_line(king, EAST, ONE, ZERO, own, occupied, their_orthogonals)
        | _pin_line(king, SOUTH, ZERO, ONE, own, occupied, their_orthogonals)
        | _pin_line(king, WEST, ONE, ZERO, own, occupied, their_orthogonals)
        | _pin_line(king, NORTH_EAST, ONE, ONE, own, occupied, their_diagonals)
        | _pin_line(king, SOUTH_EAST, ONE, ONE, own, occupied, their_diagonals)
        | _pin_line(king, SOUTH_WEST, ONE, ONE, own, occupied, their_diagonals)
        | _pin_line(king, NORTH_WEST, ONE, ONE, own, occupied, their_diagonals)
    )
