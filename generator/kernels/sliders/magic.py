"""Slider index by multiplication, for every compile target.

The occupied squares that matter, times a magic number, put distinct attack sets at distinct
indices in the top bits of the product. The numbers are our own: `find_magic` draws sparse random
candidates from a seeded generator, and `magic_numbers` keeps what it found from `SEED`.
"""

from __future__ import annotations

import numpy as np

from .. import geometry
from ..machine.bits import multiply
from .common import Words, attacks_of_subsets, blocker_subsets
from .magic_numbers import BISHOP_MAGICS, ROOK_MAGICS

__all__ = ["BISHOP_MAGICS", "ROOK_MAGICS", "SEED", "find_magic", "magic_index", "place_attacks"]

SEED = 2026
ROOK, BISHOP = 0, 1


def magic_index(relevant: np.uint64, magic: np.uint64, shift: np.uint64) -> np.uint64:
    """Return the table index of the relevant occupied squares: the top bits of their magic product."""
    return multiply(relevant, magic) >> shift


def place_attacks(subsets: Words, attacks: Words, magic: int) -> Words | None:
    """Return `attacks` in magic order, or None where two different attack sets fall on one index."""
    bits = len(subsets).bit_length() - 1
    index = (subsets * np.uint64(magic)) >> np.uint64(64 - bits)
    table = np.zeros_like(attacks)
    table[index] = attacks
    return table if np.array_equal(table[index], attacks) else None


def find_magic(square: int, directions: tuple[geometry.Direction, ...], seed: int = SEED) -> int:
    """Return a magic number for the slider on `square`: the first that fits in the seeded sequence."""
    random = np.random.default_rng([seed, square, ROOK if directions == geometry.ROOK_DIRECTIONS else BISHOP])
    subsets = blocker_subsets(geometry.blocker_mask(square, directions))
    attacks = attacks_of_subsets(square, directions, subsets)
    while True:
        # The conjunction of three words has about eight bits set: sparse numbers succeed most often.
        first, second, third = map(int, random.integers(0, 2**64, size=3, dtype=np.uint64))
        candidate = first & second & third
        if place_attacks(subsets, attacks, candidate) is not None:
            return candidate
