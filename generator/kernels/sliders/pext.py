"""Slider index by PEXT, the BMI2 instruction that packs the occupied squares that matter into a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from ..machine.bits import INLINED, are_words, call_llvm
from ..machine.jit import target_has_pext


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


_pext = call_llvm("llvm.x86.bmi.pext.64", 2)


@overload(pext, **INLINED)
def _pext_word(bits: Any, mask: Any) -> Any:
    if not target_has_pext():
        raise TypeError("this compile target has no PEXT: use the magic sliders")
    return (lambda bits, mask: _pext(bits, mask)) if are_words(bits, mask) else None
