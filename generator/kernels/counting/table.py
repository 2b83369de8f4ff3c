"""Perft with a hash table of counts: entry format, verification, and replacement.

Positions with at least two remaining plies are looked up; other kernels count the last plies.

An entry consists of two uint64 values: `key ^ data`, and `data`, which has the depth in its lowest byte and the count
in the other bits. If a thread reads an entry while another thread is writing it, the key does not match, and the reader
counts the position itself. Entries therefore need no locks (after Robert Hyatt and Tim Mann, "A lock-less transposition
table implementation for parallel search chess engines", 1999).

Keys have 64 bits, and buckets, which are selected by other bits, have four entries. About one lookup in 2**62 therefore
returns the count of a different position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..board import Board
from ..encoding import BUFFER_BYTES
from ..generate import generate_legal
from ..machine.bits import ONE, ZERO, load, load16, multiply, multiply_high, prefetch, store
from ..machine.jit import inline, kernel, subroutine
from ..machine.memory import NODES, STOP
from ..play import play
from ..sliders.lookup import Tables
from .last_ply import count_legal
from .two_plies.kernel import count_two_plies

BUCKET_BYTES = 64
"""A bucket is one cache line with four entries."""
ABSENT = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
"""Result of a lookup that finds no entry; counts of this size are never stored."""
TOO_LARGE = ABSENT
"""Returned in place of a count that is this large or larger, including any that does not fit into 64 bits."""

_ENTRIES = np.uint64(4)
_2, _3, _4 = np.uint64(2), np.uint64(3), np.uint64(4)
_DEPTH_BITS, _DEPTH = np.uint64(8), np.uint64(0xFF)
_MOST = np.uint64(1 << 56)
_29, _32 = np.uint64(29), np.uint64(32)
_BUCKET = np.uint64(BUCKET_BYTES)
# Random-looking odd numbers: 64 bits of the square roots of the primes from 2 to 41, with the lowest bit set.
_A, _B, _C, _D = map(np.uint64, (0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1))
_E, _F, _G, _H = map(np.uint64, (0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179))
_I, _J, _K, _L = map(np.uint64, (0xCBBB9D5DC1059ED9, 0x629A292A367CD507, 0x9159015A3070DD17, 0x152FECD8F70E5939))
_M = np.uint64(0x67332667FFC00B31)


class Buckets(NamedTuple):
    """The memory of a table."""

    address: np.uint64
    mask: np.uint64
    """The number of buckets, a power of two, minus one."""


@inline
def address_of(buckets: Buckets, place: np.uint64) -> np.uint64:
    """Return the address of the bucket that `place` selects."""
    return buckets.address + (place & buckets.mask) * _BUCKET


@inline
def _with(
    key: np.uint64, place: np.uint64, ours: np.uint64, theirs: np.uint64, factor: np.uint64, other: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Mix two bitboards into the key and the place, and return both.

    The bitboards are combined with random bits and then multiplied, so that neither factor is small. A change of a low
    square affects the lower half of the product, a change of a high square the upper half (after Wang Yi's wyhash).
    """
    left, right = ours ^ factor, theirs ^ other
    low, high = multiply(left, right), multiply_high(left, right)
    return key + (low ^ high), place ^ (low + (high << _32 | high >> _32))


@inline
def key_of(board: Board, depth: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the key of a position at a depth, and the place that selects its bucket.

    The color of the side to move does not affect a count. Key and place combine the same products in different ways, so
    that they are independent.
    """
    key, place = _with(ZERO, ZERO, board.pawns, board.their_pawns, _A, _B)
    key, place = _with(key, place, board.knights, board.their_knights, _C, _D)
    key, place = _with(key, place, board.diagonals, board.their_diagonals, _E, _F)
    key, place = _with(key, place, board.orthogonals, board.their_orthogonals, _G, _H)
    key, place = _with(key, place, board.king, board.their_king, _I, _J)
    key, place = _with(key, place, board.en_passant, board.castling, _K, _L)
    # The upper bits of a product depend on all lower bits, but not vice versa, so they are shifted down first.
    key = multiply(key ^ key >> _29, _M) + depth
    place = multiply(place ^ place >> _29, _M) + depth
    return multiply(key ^ key >> _32, _A), place ^ place >> _32


@subroutine
def look_up(buckets: Buckets, key: np.uint64, place: np.uint64) -> np.uint64:
    """Return the count stored under a key in the bucket that `place` selects, or `ABSENT`."""
    bucket = address_of(buckets, place)
    for number in range(_ENTRIES):
        entry = np.uint64(number) * _2
        data = load(bucket, entry + ONE)
        # An empty entry is 0 ^ 0, which would match key 0.
        if load(bucket, entry) ^ data == key and data != ZERO:
            return data >> _DEPTH_BITS
    return ABSENT


@subroutine
def keep(buckets: Buckets, key: np.uint64, place: np.uint64, depth: np.uint64, count: np.uint64) -> None:
    """Store a count, replacing the entry with the same key or else the shallowest one in the bucket."""
    # The depth is in the lowest eight bits. A count that does not fit into the other 56 bits is not stored.
    if count >= _MOST:
        return
    bucket, chosen, least = address_of(buckets, place), ZERO, ABSENT
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


@kernel
def known_count(board: Board, depth: np.uint64, buckets: Buckets) -> np.uint64:
    """Return the stored count of a position, or `ABSENT`; callable from Python."""
    key, place = key_of(board, depth)
    return look_up(buckets, key, place)


@kernel
def keep_count(board: Board, depth: np.uint64, count: np.uint64, buckets: Buckets) -> None:
    """Store the count of a position; callable from Python."""
    key, place = key_of(board, depth)
    keep(buckets, key, place, depth, count)


KEYS_BUFFERS = 8
"""Memory for the keys and places of all moves of a board, in units of move buffers."""


@inline
def add_counts(count: np.uint64, more: np.uint64) -> np.uint64:
    """Return the sum of two counts, or `TOO_LARGE`."""
    # If a sum overflows, it is smaller than either term.
    total = count + more
    return TOO_LARGE if total < count else total


@subroutine
def _replies_one_by_one(tables: Tables, board: Board, moves: np.uint64) -> np.uint64:
    count = ZERO
    for index in range(generate_legal(tables, board, moves)):
        count += count_legal(tables, play(board, load16(moves, np.uint64(index))))
    return count


@inline
def _two_plies(tables: Tables, board: Board, moves: np.uint64, notes: np.uint64) -> np.uint64:
    return _replies_one_by_one(tables, board, moves) if notes == ZERO else count_two_plies(tables, board, notes)


@subroutine
def _count_three_plies(tables: Tables, board: Board, moves: np.uint64, notes: np.uint64, buckets: Buckets) -> np.uint64:
    """Return the number of leaf nodes at depth 3; the table entries of all children are prefetched."""
    # All keys are computed first, so that the first entries arrive from memory while the last keys are computed.
    below, keys = moves + BUFFER_BYTES, moves + _2 * BUFFER_BYTES
    size = generate_legal(tables, board, moves)
    for place in range(size):
        index = np.uint64(place)
        key, chosen = key_of(play(board, load16(moves, index)), _2)
        prefetch(address_of(buckets, chosen), ZERO)
        store(keys, _2 * index, key)
        store(keys, _2 * index + ONE, chosen)
    count = ZERO
    for place in range(size):
        index = np.uint64(place)
        key, chosen = load(keys, _2 * index), load(keys, _2 * index + ONE)
        known = look_up(buckets, key, chosen)
        if known == ABSENT:
            known = _two_plies(tables, play(board, load16(moves, index)), below, notes)
            keep(buckets, key, chosen, _2, known)
        count += known
    return count


@kernel
def count_leaves_with_table(
    tables: Tables,
    board: Board,
    depth: np.uint64,
    control: np.uint64,
    moves: np.uint64,
    notes: np.uint64,
    buckets: Buckets,
) -> np.uint64:
    """Return the same count as `count_leaves_by_two`, or as `count_leaves` if `notes` is 0; `TOO_LARGE` on overflow.

    Only counts that come from the table can overflow, because walking a tree of that size would take too long. `moves`
    has `KEYS_BUFFERS` more move buffers than there are plies. The walk of `count_leaves_by_two` is repeated here,
    because a recursive kernel cannot call another recursive kernel.
    """
    if depth == ONE:
        return count_legal(tables, board)
    if depth == _2:
        return _two_plies(tables, board, moves, notes)
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    key, place = key_of(board, depth)
    known = look_up(buckets, key, place)
    if known != ABSENT:
        if depth >= _4:
            store(control, NODES, load(control, NODES) + known)
        return known
    if depth == _3:
        count = _count_three_plies(tables, board, moves, notes, buckets)
        keep(buckets, key, place, depth, count)
        return count
    # Each ply has its own move buffer, because its moves are still being played when the moves of the next ply are
    # listed.
    count, below = ZERO, moves + BUFFER_BYTES
    for index in range(generate_legal(tables, board, moves)):
        child = play(board, load16(moves, np.uint64(index)))
        count = add_counts(count, count_leaves_with_table(tables, child, depth - ONE, control, below, notes, buckets))
        # Stop here, because a position whose count overflows cannot be stored and would be walked again and again.
        if count == TOO_LARGE:
            return TOO_LARGE
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    # If the count was stopped, it is incomplete and must not be stored.
    if load(control, STOP) == ZERO:
        keep(buckets, key, place, depth, count)
    return count
