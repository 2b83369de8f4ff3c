"""The tables of sliders and their magic numbers, for every compile target.

The occupied squares that matter, times a magic number, put distinct attack sets at distinct
indices in the top bits of the product. The numbers are our own: `find_magic` draws sparse random
candidates from a seeded generator, and what it has found from `SEED` is kept here; a test repeats the search.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import geometry

Words = npt.NDArray[np.uint64]

SEED = 2026
ROOK, BISHOP = 0, 1


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


def place_attacks(subsets: Words, attacks: Words, magic: int) -> Words | None:
    """Return `attacks` in magic order, or None where two different attack sets fall on one index."""
    bits = len(subsets).bit_length() - 1
    index = (subsets * np.uint64(magic)) >> np.uint64(64 - bits)
    table = np.zeros_like(attacks)
    # Blocker sets with the same attacks may share an index; what one writes over another is then the same.
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


ROOK_MAGICS: tuple[int, ...] = (
    0x0100102100800040,
    0x40C010004008A000,
    0x0100096000904300,
    0x0100041000201900,
    0x0080080080820C00,
    0x0100040008262100,
    0x0100008401000200,
    0x2200021421008044,
    0x800D801080400020,
    0x0A83402010004000,
    0x0021802002100084,
    0x0608801000800804,
    0x2042001200050820,
    0x1001801400800200,
    0x6191000200050004,
    0x0002000400520185,
    0x1008848000400220,
    0x0840008020004080,
    0x1010008030200084,
    0x9821808010012802,
    0x0001110008000500,
    0x0602C8012C204010,
    0x0240440010020128,
    0x0101820011804124,
    0x0000400080208000,
    0x08A8400080200082,
    0x0021011100200040,
    0xA0A0100100482100,
    0x0820880080540080,
    0xA430440080800200,
    0x0800084400104201,
    0x001014020000A843,
    0x8106604001800080,
    0x4002200040401000,
    0x0118100088802001,
    0x0900804800805000,
    0x8021080080800400,
    0xA000800A00800401,
    0x0840900104002688,
    0x0500004082000409,
    0x00400180A0438000,
    0x0001D00020004000,
    0x0003002000410011,
    0x4020420020920008,
    0x0B08009101050008,
    0x00060010281E0024,
    0x4400210802240010,
    0x8444C0408D120004,
    0x85010082002A4600,
    0x0064802000400080,
    0x0140150042200100,
    0x808818E200425200,
    0xC094000D80080080,
    0x4100800200040080,
    0x01210006001C8100,
    0x010264094104A200,
    0x10021080C1220106,
    0x1841001082A84001,
    0x10C308C112008022,
    0x2020202500185001,
    0x0002002810242002,
    0x0002003008090402,
    0x2001002600040081,
    0x1081000140802201,
)
"""Rook magics of the squares a1 to h8."""

BISHOP_MAGICS: tuple[int, ...] = (
    0x0A40100401202020,
    0x000810008C830400,
    0xA08800E404800440,
    0x0020A10440080401,
    0x041088200E000240,
    0x02C20124A0108082,
    0x4A04020803080100,
    0x2129010CC1200802,
    0x404060040C880140,
    0x0000100C11006208,
    0x0000214309020003,
    0x2080842408820000,
    0x0802011040001600,
    0x0028131308400400,
    0x00000C4914602030,
    0x0008028400821000,
    0x2040012012841101,
    0x1228000411880200,
    0x801000080080201C,
    0x0010800802004008,
    0x0029002890401120,
    0x1483000080414000,
    0x0000524084100800,
    0x100200808A08A200,
    0x802008C004083800,
    0x0304220004880800,
    0x8010A80044080820,
    0x6008280000820002,
    0x004101000C104000,
    0x0101020201080106,
    0x0205304204041400,
    0x000A802461041200,
    0x05B4024008200400,
    0x0008021000088500,
    0x4011040110020802,
    0x0A00201800210104,
    0x0420040400024030,
    0x1090009200012200,
    0x0088480920604102,
    0x0018084440008204,
    0x2081082010540408,
    0x4604022610300220,
    0x4012010048010100,
    0x0006002015002808,
    0xA000402192000100,
    0x80A40C0442000410,
    0x0060081951041040,
    0x0814618200400210,
    0x0002018421080084,
    0x040C908898200048,
    0x0010020108880230,
    0x0800020184040002,
    0x0400824005010000,
    0x402A401C08026004,
    0x1010210E00820100,
    0x2918010804810000,
    0x0001440188080210,
    0x0080820205030901,
    0x00228402A4020801,
    0x4066041050840411,
    0x02016020C0050100,
    0x1100006082223608,
    0x6004041050520180,
    0x2022080808044140,
)
"""Bishop magics of the squares a1 to h8."""
