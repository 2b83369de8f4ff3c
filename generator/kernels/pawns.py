"""Target sets of our pawns, which always move up the board."""

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
    """Where our pawns go: single and double pushes, captures to the left and to the right."""

    single: np.uint64
    double: np.uint64
    left: np.uint64
    right: np.uint64


@inline
def legal_pawn_targets(pawns: np.uint64, safety: KingSafety, occupied: np.uint64, their: np.uint64) -> PawnTargets:
    """Return where pawns may legally go.

    A pawn pinned on the king's file may push, one pinned on a diagonal may take along it; en passant is apart.
    """
    orthogonal_pins, diagonal_pins, mask = safety.orthogonal_pins, safety.diagonal_pins, safety.mask
    # No push stays on a diagonal, no capture on a file or rank.
    pushers, takers = pawns & ~diagonal_pins, pawns & ~orthogonal_pins
    # A pinned pawn stays on its line if its target is on the pin lines, too: the shift back marks the pawns
    # for which that is so. In front of a pawn that is pinned on its rank there is no orthogonal pin line.
    single = (pushers & ~orthogonal_pins | pushers & orthogonal_pins & orthogonal_pins >> _8) << _8 & ~occupied
    # The check mask comes after the double push, which may block a check where the single push does not.
    double = (single & RANK_3) << _8 & ~occupied & mask
    free = takers & ~diagonal_pins
    left = ((free | takers & diagonal_pins >> _7) & NOT_FILE_A) << _7 & their & mask
    right = ((free | takers & diagonal_pins >> _9) & NOT_FILE_H) << _9 & their & mask
    return PawnTargets(single & mask, double, left, right)


@inline
def en_passant_target(takers: np.uint64, pawn: np.uint64) -> np.uint64:
    """Return the square that a pawn, now on `pawn`, has just passed, if any of `takers` may take it there.

    Seen by the side that may take: its pawns are `takers`, the passed square is beyond `pawn`.
    """
    # Where nobody can take, the square makes no difference to what follows: positions that have it and those that have
    # not are one, to tables and wherever equal positions are merged.
    passed = pawn << _8
    return passed if pawn_attacks(takers) & passed != ZERO else ZERO
