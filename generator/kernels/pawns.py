"""Target sets of our pawns, which always move up the board."""

from __future__ import annotations

import numpy as np

from .attacks import NOT_FILE_A, NOT_FILE_H, pawn_attacks
from .machine.bits import ZERO
from .machine.jit import inlined

RANK_3 = np.uint64(0xFF << 16)
RANK_7 = np.uint64(0xFF << 48)
RANK_8 = np.uint64(0xFF << 56)
_7, _8, _9 = np.uint64(7), np.uint64(8), np.uint64(9)


@inlined
def legal_pawn_targets(
    pawns: np.uint64,
    straight: np.uint64,
    oblique: np.uint64,
    occupied: np.uint64,
    their: np.uint64,
    mask: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return where pawns may legally push, push twice, capture to the left and to the right.

    `straight` and `oblique` are the pin lines and `mask` the check mask of `safety`. A pawn pinned
    on the king's file may push, one pinned on a diagonal may take along it; en passant is apart.
    """
    pushers, takers = pawns & ~oblique, pawns & ~straight
    single = (pushers & ~straight | pushers & straight & straight >> _8) << _8 & ~occupied
    double = (single & RANK_3) << _8 & ~occupied & mask
    free = takers & ~oblique
    left = ((free | takers & oblique >> _7) & NOT_FILE_A) << _7 & their & mask
    right = ((free | takers & oblique >> _9) & NOT_FILE_H) << _9 & their & mask
    return single & mask, double, left, right


@inlined
def en_passant_target(takers: np.uint64, pawn: np.uint64) -> np.uint64:
    """Return the square that a pawn, now on `pawn`, has just passed, if any of `takers` may take it there.

    Seen by the side that may take: its pawns are `takers`, the passed square is beyond `pawn`.
    """
    passed = pawn << _8
    return passed if pawn_attacks(takers) & passed != ZERO else ZERO
