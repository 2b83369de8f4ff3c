"""The index of a slider's attacks, by PEXT or by a magic number; the type of the tables selects the back-end.

Kernels receive their tables as a named tuple with one field, the address of the table block. The *type* of the tuple
selects the back-end, so that Numba compiles each kernel separately for each back-end, and both can be used in one
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
    """Return the table index of the relevant occupied squares: the top bits of their product with the magic number."""
    # The product is a sum of copies of the occupied squares, each shifted by a bit of the magic number. The number is
    # chosen so that the top bits distinguish all attack sets.
    return multiply(relevant, magic) >> shift


def slider_index(tables: Tables, occupied: np.uint64, mask: np.uint64, magics: np.uint64) -> np.uint64:
    """Return the index of a slider's attacks among those of its square.

    `mask` contains the squares whose occupancy matters; `magics`, which PEXT does not need, is the index of the magic
    number and shift in the tables.
    """
    # In compiled code there is no branch, because the type is known at compile time.
    if isinstance(tables, PextTables):
        return pext(occupied, mask)
    return magic_index(occupied & mask, load(tables.base, magics), load(tables.base, magics + ONE))
