"""The table of counts: which entry a position has, how it is verified, and which entry makes room.

An entry is two words: `key ^ data`, and `data`, a count above its depth. A reader that meets half of what another
thread is writing finds a key that is not its own, and counts by itself; so no entry is ever locked (after Robert Hyatt
and Tim Mann, "A lock-less transposition table implementation for parallel search chess engines", 1999).

The key has 64 bits, and a bucket four entries, which other bits choose. So one of 2**62 look-ups finds the count of
another position. Where that is too often, an entry has two words more: `place ^ data`, another 64 bits that know
nothing of the key, and 0. A table of 2**b buckets then finds a wrong count in one of 2**(127 - b) look-ups.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..board import Board
from ..machine.bits import ONE, ZERO, load, multiply, multiply_high, store
from ..machine.jit import inline, kernel, subroutine

BUCKET_BYTES = 64
"""A bucket is one cache line: four entries."""
ABSENT = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
"""What a look-up returns where there is no entry; no count is kept that is as large."""
TOO_LARGE = ABSENT
"""The count where there are as many leaves or more: 64 bits do not hold it, or cannot tell it from this."""

_ENTRIES = np.uint64(4)
_2, _4 = np.uint64(2), np.uint64(4)
_DEPTH_BITS, _DEPTH = np.uint64(8), np.uint64(0xFF)
_MOST = np.uint64(1 << 56)
_29, _32 = np.uint64(29), np.uint64(32)
_BUCKET = np.uint64(BUCKET_BYTES)
# Odd numbers without a pattern: 64 bits of the square roots of the primes 2 to 41, the lowest bit set.
_A, _B, _C, _D = map(np.uint64, (0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1))
_E, _F, _G, _H = map(np.uint64, (0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179))
_I, _J, _K, _L = map(np.uint64, (0xCBBB9D5DC1059ED9, 0x629A292A367CD507, 0x9159015A3070DD17, 0x152FECD8F70E5939))
_M = np.uint64(0x67332667FFC00B31)


class Buckets(NamedTuple):
    """The memory of a table, as the kernels have it."""

    address: np.uint64
    mask: np.uint64
    """The number of buckets, a power of two, less one."""
    entry: np.uint64
    """Words of an entry: 2, or 4 where the place is kept as well."""


@inline
def address_of(buckets: Buckets, place: np.uint64) -> np.uint64:
    """Return the address of the bucket that a place chooses."""
    return buckets.address + (place & buckets.mask) * _BUCKET


@inline
def _with(
    key: np.uint64, place: np.uint64, ours: np.uint64, theirs: np.uint64, factor: np.uint64, other: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return a key and a place to which two words of the board are added, by the two halves of one product.

    The factors are the words with random bits turned over, so neither is small. A change of a low square shows in the
    lower half of the product, one of a high square in the upper half (after Wang Yi's wyhash).
    """
    left, right = ours ^ factor, theirs ^ other
    low, high = multiply(left, right), multiply_high(left, right)
    return key + (low ^ high), place ^ (low + (high << _32 | high >> _32))


@inline
def key_of(board: Board, depth: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the key of a position and the plies below it, and the place that chooses its bucket.

    The side to move makes no difference to a count. The key and the place take the same products in different ways, so
    the one says nothing about the other.
    """
    key, place = _with(ZERO, ZERO, board.pawns, board.their_pawns, _A, _B)
    key, place = _with(key, place, board.knights, board.their_knights, _C, _D)
    key, place = _with(key, place, board.diagonals, board.their_diagonals, _E, _F)
    key, place = _with(key, place, board.orthogonals, board.their_orthogonals, _G, _H)
    key, place = _with(key, place, board.king, board.their_king, _I, _J)
    key, place = _with(key, place, board.en_passant, board.castling, _K, _L)
    # The upper bits of a product depend on all lower ones, and not the other way round: a shift brings them down first.
    key = multiply(key ^ key >> _29, _M) + depth
    place = multiply(place ^ place >> _29, _M) + depth
    return multiply(key ^ key >> _32, _A), place ^ place >> _32


@kernel
def key_of_board(board: Board, depth: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return what `key_of` returns; callable from Python."""
    return key_of(board, depth)


@subroutine
def look_up(buckets: Buckets, key: np.uint64, place: np.uint64) -> np.uint64:
    """Return the count that is kept under a key and a place, or `ABSENT`.

    The last two words of an entry of four have no count, and so are never taken for an entry of two.
    """
    bucket = address_of(buckets, place)
    for number in range(_ENTRIES):
        entry = np.uint64(number) * _2
        data = load(bucket, entry + ONE)
        # An entry that was never written is 0 ^ 0, and would be that of key 0.
        if load(bucket, entry) ^ data == key and data != ZERO:
            if buckets.entry == _2 or load(bucket, entry + _2) ^ data == place:
                return data >> _DEPTH_BITS
    return ABSENT


@subroutine
def keep(buckets: Buckets, key: np.uint64, place: np.uint64, depth: np.uint64, count: np.uint64) -> None:
    """Keep a count: in place of the one under the same key, else of the shallowest in the bucket."""
    # The depth has the lower eight bits of the word. A count that is larger than the rest is found again, not kept.
    if count >= _MOST:
        return
    bucket, chosen, least = address_of(buckets, place), ZERO, ABSENT
    for number in range(_ENTRIES):
        entry = np.uint64(number) * _2
        # With entries of four words every other place is the second half of one.
        if entry & (buckets.entry - _2) != ZERO:
            continue
        data = load(bucket, entry + ONE)
        if load(bucket, entry) ^ data == key:
            chosen, least = entry, ZERO
        elif data & _DEPTH < least:
            chosen, least = entry, data & _DEPTH
    data = count << _DEPTH_BITS | depth
    store(bucket, chosen, key ^ data)
    store(bucket, chosen + ONE, data)
    if buckets.entry == _4:
        store(bucket, chosen + _2, place ^ data)


@kernel
def known_count(board: Board, depth: np.uint64, buckets: Buckets) -> np.uint64:
    """Return the count that is kept of a position, or `ABSENT`; callable from Python."""
    key, place = key_of(board, depth)
    return look_up(buckets, key, place)


@kernel
def keep_count(board: Board, depth: np.uint64, count: np.uint64, buckets: Buckets) -> None:
    """Keep the count of a position; callable from Python."""
    key, place = key_of(board, depth)
    keep(buckets, key, place, depth, count)
