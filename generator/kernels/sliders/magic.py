"""Slider tables, and the search for magic numbers, which tries sparse random numbers until one causes no collision.

When the relevant occupied squares are multiplied by a magic number, the top bits of the product are different indices
for different attack sets. No method to compute such numbers is known, but they are common enough to be found at random.
The candidates for a square form a fixed sequence, so that only the number of failed tries is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from .. import geometry

Words = npt.NDArray[np.uint64]

ROOK, BISHOP = 0, 1
DIRECTIONS = (geometry.ROOK_DIRECTIONS, geometry.BISHOP_DIRECTIONS)
_BATCH = 4096


def squares_of(mask: int) -> list[int]:
    """Return the squares of a bitboard in ascending order."""
    return [square for square in range(64) if mask >> square & 1]


def blocker_subsets(mask: int) -> Words:
    """Return all subsets of `mask`, shape (2**bits,), ordered so that the PEXT of entry i is i."""
    squares = squares_of(mask)
    numbers = np.arange(1 << len(squares), dtype=np.uint64)
    subsets = np.zeros_like(numbers)
    for place, square in enumerate(squares):
        subsets |= ((numbers >> np.uint64(place)) & np.uint64(1)) << np.uint64(square)
    return subsets


def attacks_of_subsets(square: int, directions: tuple[geometry.Direction, ...], subsets: Words) -> Words:
    """Return the slider attacks from `square` for each blocker set in `subsets`, with the same shape."""
    attacks = np.zeros_like(subsets)
    for direction in directions:
        is_open = np.full(subsets.shape, True)
        for target in geometry.ray(square, direction):
            bit = np.uint64(1 << target)
            attacks[is_open] |= bit
            is_open &= (subsets & bit) == 0
    return attacks


def place_attacks(subsets: Words, attacks: Words, magic: int) -> Words | None:
    """Return `attacks` in the order of their magic indices, or None if two different attack sets share an index."""
    bits = len(subsets).bit_length() - 1
    index = (subsets * np.uint64(magic)) >> np.uint64(64 - bits)
    table = np.zeros_like(attacks)
    # Blocker sets with the same attacks may share an index.
    table[index] = attacks
    return table if np.array_equal(table[index], attacks) else None


def _mix(numbers: Words) -> Words:
    """Return a hash of each of `numbers` (the last step of SplitMix64)."""
    numbers = numbers * np.uint64(0x9E37_79B9_7F4A_7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58_476D_1CE4_E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D0_49BB_1331_11EB)
    return numbers ^ numbers >> np.uint64(31)


@dataclass(frozen=True)
class MagicNumbers:
    """The magic numbers for a seed; `find_tries` repeats the search, which takes a few seconds for all squares."""

    seed: int
    tries: tuple[list[int], list[int]]
    """Number of failed tries before each magic number, by piece and square from a1 to h8."""

    def candidates(self, piece: int, square: int, tries: Words) -> Words:
        """Return the candidates at the given tries for a `piece` on `square`."""
        first = np.uint64(self.seed + piece * 64 + square) << np.uint64(32) | tries * np.uint64(3)
        # The AND of three random numbers has about eight bits set; sparse numbers are most likely to be magic.
        return _mix(first) & _mix(first + np.uint64(1)) & _mix(first + np.uint64(2))

    def number(self, piece: int, square: int) -> int:
        """Return the magic number of a `piece` on `square`."""
        return int(self.candidates(piece, square, np.array([self.tries[piece][square]], dtype=np.uint64))[0])

    def find_tries(self, piece: int, square: int) -> int:
        """Return the first try whose number is magic for a `piece` on `square`.

        Candidates whose product with the mask has fewer than six of the top eight bits set are skipped without a full
        test.
        """
        mask = geometry.blocker_mask(square, DIRECTIONS[piece])
        subsets = blocker_subsets(mask)
        attacks = attacks_of_subsets(square, DIRECTIONS[piece], subsets)
        few = np.arange(0, len(subsets), max(1, len(subsets) // 64))
        shift = np.uint64(65 - len(subsets).bit_length())
        for start in count(0, _BATCH):
            drawn = self.candidates(piece, square, np.arange(start, start + _BATCH, dtype=np.uint64))
            hopeful = np.flatnonzero(np.bitwise_count(np.uint64(mask) * drawn >> np.uint64(56)) >= 6)
            for place in hopeful[_keep_apart(subsets[few], attacks[few], drawn[hopeful], shift)]:
                if place_attacks(subsets, attacks, int(drawn[place])) is not None:
                    return start + int(place)
        raise AssertionError("unreachable")


def _keep_apart(subsets: Words, attacks: Words, magics: Words, shift: np.uint64) -> npt.NDArray[np.bool_]:
    """Return which of `magics` separate a few sample subsets that have different attacks."""
    kind = np.unique(attacks, return_inverse=True)[1].astype(np.uint64)
    keys = np.sort((magics[:, None] * subsets >> shift) << np.uint64(32) | kind, axis=1)
    differs = keys[:, 1:] ^ keys[:, :-1]
    clash: npt.NDArray[np.bool_] = ((differs != 0) & (differs < 1 << 32)).any(axis=1)
    return ~clash


def read_magics(seed: int, rook_tries: str, bishop_tries: str) -> MagicNumbers:
    """Return the magic numbers for a seed, given the numbers of failed tries."""
    return MagicNumbers(seed, (list(map(int, rook_tries.split())), list(map(int, bishop_tries.split()))))


MAGICS = read_magics(
    2026,
    """
     642225   23512  736544 2102950  467354  222791   76750  455009
      65810    6656  128814  148382   85705  112298  164951   69542
       2045   39169  154157   67541   50071   85458   17291  186138
      19212   45404    5907   60875  194625  242036   44870   39758
       9349  157886   19870  155602  195799   33482  122480   54218
       5963   12286  120029   59432  406163    1047   58124  261955
      79178   17423   19937   26022   60011  178316   26875   31678
     191916  214817  279866  117375  606550  269731  154103   18607
    """,
    """
        456    3886    3879    1488     158     294     350    1581
       1504    4963    2480    2226    1008    3816    5872     478
        491    5442    4239    5695    6055   14149     768    3161
       1929    2953    5900   98637   89700    1025    4125     237
       1436    2559     888   69562   27369    2030     892     257
        718    6112    1100     164   18138   15000    2264   11869
       2665    2416    3045    2124    1288    3863    7135      70
      10708    2236    1123      93     526    1614    2809    6048
    """,
)
"""The magic numbers that the kernels use."""
