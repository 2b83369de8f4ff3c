"""The table of counts: which entry a position has, how it is verified, and which entry makes room.

An entry is two words: `key ^ data`, and `data`, a count above its depth. A reader that meets half of what another
thread is writing finds a key that is not its own, and counts by itself; so no entry is ever locked (after Robert Hyatt
and Tim Mann, "A lock-less transposition table implementation for parallel search chess engines", 1999).

The key has 64 bits, and a bucket four entries, which other bits choose. So one of 2**62 look-ups finds the count of
another position.
"""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..machine.bits import ONE, ZERO, load, multiply, store
from ..machine.jit import inlined, kernel, subroutine

BUCKET_BYTES = 64
"""A bucket is one cache line: four entries."""
ABSENT = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
"""What a look-up returns where there is no entry; no count is kept that is as large."""

_ENTRIES = np.uint64(4)
_2 = np.uint64(2)
_DEPTH_BITS, _DEPTH = np.uint64(8), np.uint64(0xFF)
_MOST = np.uint64(1 << 56)
_5, _11, _17, _22, _27, _29 = (np.uint64(number) for number in (5, 11, 17, 22, 27, 29))
_32, _37, _42, _47, _53, _59, _64 = (np.uint64(number) for number in (32, 37, 42, 47, 53, 59, 64))
_BUCKET = np.uint64(BUCKET_BYTES)
# Odd numbers without a pattern: 64 bits of the square roots of the primes 2 to 41, the lowest bit set.
_A, _B, _C, _D = map(np.uint64, (0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1))
_E, _F, _G, _H = map(np.uint64, (0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179))
_I, _J, _K, _L = map(np.uint64, (0xCBBB9D5DC1059ED9, 0x629A292A367CD507, 0x9159015A3070DD17, 0x152FECD8F70E5939))
_M = np.uint64(0x67332667FFC00B31)


@inlined
def _mixed(word: np.uint64, factor: np.uint64) -> np.uint64:
    """Return a word in which a change of any bit shows in many, for each factor in others.

    A product carries upwards only: the highest squares would change one bit, the same in all words of a board, and a
    piece of one kind there have the key of another. So the upper half goes down, and up again by a second product.
    """
    product = multiply(word + factor, factor)
    return multiply(product ^ product >> _32, factor)


@inlined
def _with(
    key: np.uint64, place: np.uint64, word: np.uint64, factor: np.uint64, turn: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return a key and a place with a word of the board: added to the one, turned by some bits into the other."""
    mixed = _mixed(word, factor)
    return key + mixed, place ^ (mixed << turn | mixed >> _64 - turn)


@inlined
def key_of(board: Board, depth: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the key of a position and the plies below it, and the place that chooses its bucket.

    The side to move makes no difference to a count. The place says nothing about the key, which is a sum of all words:
    it is an exclusive or of the same words, each turned.
    """
    key, place = _with(ZERO, ZERO, board.pawns, _A, ONE)
    key, place = _with(key, place, board.knights, _B, _5)
    key, place = _with(key, place, board.diagonals, _C, _11)
    key, place = _with(key, place, board.orthogonals, _D, _17)
    key, place = _with(key, place, board.king, _E, _22)
    key, place = _with(key, place, board.their_pawns, _F, _27)
    key, place = _with(key, place, board.their_knights, _G, _32)
    key, place = _with(key, place, board.their_diagonals, _H, _37)
    key, place = _with(key, place, board.their_orthogonals, _I, _42)
    key, place = _with(key, place, board.their_king, _J, _47)
    key, place = _with(key, place, board.en_passant, _K, _53)
    key, place = _with(key, place, board.castling, _L, _59)
    key = multiply(key ^ key >> _29, _M) + depth
    place = multiply(place ^ place >> _29, _M) + depth
    return multiply(key ^ key >> _32, _A), place ^ place >> _32


@kernel
def key_of_board(board: Board, depth: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return what `key_of` returns; callable from Python."""
    return key_of(board, depth)


@subroutine
def look_up(table: np.uint64, mask: np.uint64, key: np.uint64, place: np.uint64) -> np.uint64:
    """Return the count that is kept under a key, or `ABSENT`; `mask` is the number of buckets less one."""
    bucket = table + (place & mask) * _BUCKET
    for number in range(_ENTRIES):
        entry = np.uint64(number) * _2
        data = load(bucket, entry + ONE)
        if load(bucket, entry) ^ data == key and data != ZERO:
            return data >> _DEPTH_BITS
    return ABSENT


@subroutine
def keep(
    table: np.uint64, mask: np.uint64, key: np.uint64, place: np.uint64, depth: np.uint64, count: np.uint64
) -> None:
    """Keep a count: in place of the one under the same key, else of the shallowest in the bucket."""
    if count >= _MOST:
        return
    bucket, chosen, least = table + (place & mask) * _BUCKET, ZERO, ABSENT
    for number in range(_ENTRIES):
        entry = np.uint64(number) * _2
        data = load(bucket, entry + ONE)
        if load(bucket, entry) ^ data == key:
            chosen, least = entry, ZERO
        elif data & _DEPTH < least:
            chosen, least = entry, data & _DEPTH
    data = count << _DEPTH_BITS | depth
    store(bucket, chosen, key ^ data)
    store(bucket, chosen + ONE, data)
