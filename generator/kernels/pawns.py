"""Target squares of our pawns, which always move up the board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .attacks import NOT_FILE_A, NOT_FILE_H, pawn_attacks
from .machine.bits import ZERO
from .machine.jit import inline
from .safety import KingSafety

RANK_3 = np.uint64(0xFF << 16)
RANK_7 = np.uint64(0xFF << 48)
RANK_8 = np.uint64(0xFF << 56)
_7, _8, _9 = np.uint64(7), np.uint64(8), np.uint64(9)


class PawnTargets(NamedTuple):
    """The target squares of our pawns: single and double pushes, captures to the left and to the right."""

    single: np.uint64
    double: np.uint64
    left: np.uint64
    right: np.uint64


@inline
def legal_pawn_targets(pawns: np.uint64, safety: KingSafety, occupied: np.uint64, their: np.uint64) -> PawnTargets:
    """Return the legal target squares of pawns, without en passant.

    A pawn pinned on the king's file may push; a pawn pinned on a diagonal may capture along it.
    """
    orthogonal_pins, diagonal_pins, mask = safety.orthogonal_pins, safety.diagonal_pins, safety.mask
    # A push never stays on a diagonal, a capture never on a file or rank.
    pushers, takers = pawns & ~diagonal_pins, pawns & ~orthogonal_pins
    # A pinned pawn stays on its line if its target is on a pin line, too; the shift back marks the pawns for which this
    # is true. There is no orthogonal pin line in front of a pawn that is pinned on its rank.
    single = (pushers & ~orthogonal_pins | pushers & orthogonal_pins & orthogonal_pins >> _8) << _8 & ~occupied
    # The check mask is applied after the double push, which may block a check even if the single push does not.
    double = (single & RANK_3) << _8 & ~occupied & mask
    free = takers & ~diagonal_pins
    left = ((free | takers & diagonal_pins >> _7) & NOT_FILE_A) << _7 & their & mask
    right = ((free | takers & diagonal_pins >> _9) & NOT_FILE_H) << _9 & their & mask
    return PawnTargets(single & mask, double, left, right)


@inline
def en_passant_target(takers: np.uint64, pawn: np.uint64) -> np.uint64:
    """Return the square that a pawn, now on `pawn`, has just passed if any of `takers` can capture it there.

    All squares are from the view of the side that may capture; the passed square is one rank above `pawn`.
    """
    # If no pawn can capture, the square does not affect the moves. It is then cleared, so that positions that differ
    # only in this square are equal in hash tables and when positions are merged.
    passed = pawn << _8
    return passed if pawn_attacks(takers) & passed != ZERO else ZERO
