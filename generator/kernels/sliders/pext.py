"""Slider index by PEXT, the BMI2 instruction that packs the occupied squares that matter into a number."""

from __future__ import annotations

import numpy as np

from ..machine.jit import before_compiling

before_compiling(f"{__package__}.compiling")


def pext(bits: np.uint64, mask: np.uint64) -> np.uint64:
    """Return the bits selected by `mask`, packed together at the low end (BMI2's PEXT)."""
    packed, place, remaining = 0, 0, int(mask)
    while remaining:
        bit = remaining & -remaining
        if int(bits) & bit:
            packed |= 1 << place
        place += 1
        remaining ^= bit
    return np.uint64(packed)
