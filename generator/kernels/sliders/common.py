"""The common parts of the slider back-ends: their table types, the blocker subsets, the look-up.

A kernel takes its tables as a named tuple of one word, the base address of one block. The *type* of
that tuple names the back-end, so Numba compiles a kernel once per back-end, on first use, and both
can run side by side in one process.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .. import geometry

Words = npt.NDArray[np.uint64]


class PextTables(NamedTuple):
    """Address of a table block whose slider attacks are indexed by PEXT."""

    base: np.uint64


class MagicTables(NamedTuple):
    """Address of a table block whose slider attacks are indexed by magic multiplication."""

    base: np.uint64


Tables = PextTables | MagicTables


def squares_of(mask: int) -> list[int]:
    """Return the squares of a bitboard in ascending order."""
    return [square for square in range(64) if mask >> square & 1]


def blocker_subsets(mask: int) -> Words:
    """Return every subset of `mask`, shape (2**bits,), ordered so that PEXT of entry i is i."""
    squares = squares_of(mask)
    numbers = np.arange(1 << len(squares), dtype=np.uint64)
    subsets = np.zeros_like(numbers)
    for place, square in enumerate(squares):
        subsets |= ((numbers >> np.uint64(place)) & np.uint64(1)) << np.uint64(square)
    return subsets


def attacks_of_subsets(square: int, directions: tuple[geometry.Direction, ...], subsets: Words) -> Words:
    """Return the slider attacks from `square` for each blocker set in `subsets`, same shape."""
    attacks = np.zeros_like(subsets)
    for direction in directions:
        is_open = np.full(subsets.shape, True)
        for target in geometry.ray(square, direction):
            bit = np.uint64(1 << target)
            attacks[is_open] |= bit
            is_open &= (subsets & bit) == 0
    return attacks
