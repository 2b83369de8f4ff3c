"""The index of a slider's attacks, by PEXT or by a magic number; the type of the tables selects the back-end.

Kernels get their tables as a named tuple of one word, the address of the table block. The *type* of that tuple names
the back-end, so that Numba compiles a kernel separately for each back-end, on first use, and both can run in one
process.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..machine.bits import ONE, load, multiply
from ..machine.jit import declare_lowering

declare_lowering(f"{__package__}.compiling")


class PextTables(NamedTuple):
    """Address of a table block whose slider attacks are indexed by PEXT."""

    base: np.uint64


class MagicTables(NamedTuple):
    """Address of a table block whose slider attacks are indexed by magic multiplication."""

    base: np.uint64


Tables = PextTables | MagicTables


def pext(bits: np.uint64, mask: np.uint64) -> np.uint64:
    """Return the bits selected by `mask`, packed at the low end (BMI2's PEXT)."""
    packed, place, remaining = 0, 0, int(mask)
    while remaining:
        bit = remaining & -remaining
        if int(bits) & bit:
            packed |= 1 << place
        place += 1
        remaining ^= bit
    return np.uint64(packed)


def magic_index(relevant: np.uint64, magic: np.uint64, shift: np.uint64) -> np.uint64:
    """Return the table index of the relevant occupied squares: the top bits of their magic product."""
    # The product is a sum of copies of the occupied squares, each shifted by a bit of the magic number. The number is
    # chosen such that the bits that distinguish attack sets reach the top, whatever overlaps below.
    return multiply(relevant, magic) >> shift


def slider_index(tables: Tables, occupied: np.uint64, mask: np.uint64, magics: np.uint64) -> np.uint64:
    """Return the index of a slider's attacks among those of its square.

    `mask` has the squares whose occupation matters; `magics` is the index of magic number and shift in the tables,
    which PEXT does not need.
    """
    # In compiled code the type is known at compile time, and there is no branch.
    if isinstance(tables, PextTables):
        return pext(occupied, mask)
    return magic_index(occupied & mask, load(tables.base, magics), load(tables.base, magics + ONE))
