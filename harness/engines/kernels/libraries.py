"""A kernel that asks a C library in this process about a block of positions and finds incorrect answers.

A block is memory shared by two processes. It starts with a header of `uint64` values: progress and array offsets.
"""

from __future__ import annotations

import numpy as np

from ....generator.kernels.machine.bits import ONE, ZERO, call_count, call_list, load, load16, store
from ....generator.kernels.machine.jit import inline, kernel, subroutine

(UNDER_WAY, DOUBTS, FIRST, POSITIONS, FENS, FEN_ENDS, DEPTHS, KEYS, KEY_ENDS, TOTALS, DOUBTED, TALLY) = (
    np.uint64(place) for place in range(12)
)
"""Indices of the header values. Values named after arrays are byte offsets:

    UNDER_WAY   index of the current position
    DOUBTS      number of incorrect answers so far
    FIRST       index of the first position to ask about
    POSITIONS   number of positions
    FENS        zero-terminated FENs; FEN_ENDS are the offsets of the zeros
    KEYS        root moves of all positions, 16 bits each; KEY_ENDS are the end indices of each position
    DOUBTED     indices of the positions with incorrect answers
    TALLY       coverage of the library's code (`coverage/model.py`)
"""
HEADER_BYTES = 128
MARK_WORDS = 512
"""Number of `uint64` values that hold a bit for each key."""

_2, _3, _4, _5, _6, _8, _10, _12, _32, _63 = (np.uint64(number) for number in (2, 3, 4, 5, 6, 8, 10, 12, 32, 63))
_N, _B, _R, _Q = (np.uint64(ord(letter)) for letter in "nbrq")
_BYTE, _HALF, _ABOVE = np.uint64(0xFF), np.uint64(0xFFFF_FFFF), np.uint64(1 << 32)
_FIRST_SQUARES = np.uint64(int.from_bytes(b"a1a1", "little"))
_TOO_FAR, _PAIRS, _SQUARES = np.uint64(0xF8F8_F8F8), np.uint64(0x003F_003F), np.uint64(0xFFF)
_REST_OF_FIELD, _LOWER = np.uint64(40), np.uint64(0x20)
_NO_MOVE = ZERO
"""The key of invalid moves, from a1 to a1."""


@inline
def _promotion_of(letter: np.uint64) -> np.uint64:
    """Return the code of a promotion in a key, or 0 if the letter is not a promotion piece."""
    if letter == _Q:
        return _4
    if letter == _R:
        return _3
    if letter == _B:
        return _2
    return ONE if letter == _N else ZERO


@inline
def _key_of(text: np.uint64) -> np.uint64:
    """Return the key of a move given the eight bytes of its UCI text, or `_NO_MOVE` if the text is not a move."""
    # Two files and two ranks, one byte each. A byte that is too small borrows from the next one and becomes too large.
    places = (text & _HALF | _ABOVE) - _FIRST_SQUARES & _HALF
    if places & _TOO_FAR != ZERO:
        return _NO_MOVE
    pairs = (places | places >> _5) & _PAIRS
    squares = (pairs | pairs >> _10) & _SQUARES
    letter = text >> _32 & _BYTE
    if letter == ZERO:  # bytes after the terminating zero are ignored
        return squares
    promotion = _promotion_of(letter | _LOWER)
    if promotion == ZERO or text >> _REST_OF_FIELD & _BYTE != ZERO:
        return _NO_MOVE
    return squares | promotion << _12


@inline
def _bit(key: np.uint64) -> np.uint64:
    return ONE << (key & _63)


@subroutine
def _lists_same(
    function: np.uint64,
    argument: np.uint64,
    fen: np.uint64,
    keys: np.uint64,
    first: np.uint64,
    end: np.uint64,
    room: np.uint64,
    own: np.uint64,
) -> bool:
    """Return True if the library lists exactly the expected root moves, once each, with the count 1 in a divide.

    `own` is the address of zeroed memory for a bit per key, followed by space for `room` moves.
    """
    listed = own + _8 * np.uint64(MARK_WORDS)
    found = call_list(function, fen, argument, listed, room)
    if found != end - first:
        return False
    for index in range(first, end):
        key = load16(keys, np.uint64(index))
        store(own, key >> _6, load(own, key >> _6) | _bit(key))
    same = True
    has_counts = argument == ONE
    for index in range(found):
        place = np.uint64(index) << ONE
        key = _key_of(load(listed, place))
        marks = load(own, key >> _6)
        # Each move clears its bit, so that a repeated move is unexpected.
        same = same and marks & _bit(key) != ZERO and (not has_counts or load(listed, place | ONE) == ONE)
        store(own, key >> _6, marks & ~_bit(key))
    # Clear the bits of missing moves, because the memory must be zero for the next position.
    for index in range(first, end):
        store(own, load16(keys, np.uint64(index)) >> _6, ZERO)
    return same


@kernel
def ask_library(
    block: np.uint64,
    perft: np.uint64,
    lists: np.uint64,
    argument: np.uint64,
    room: np.uint64,
    own: np.uint64,
    take: np.uint64,
) -> np.uint64:
    """Ask about the positions of a block, and return the number of incorrect answers.

    Args:
        block: Address of the block.
        perft: Address of `perft_check_perft`.
        lists: Address of `perft_check_divide` or `perft_check_moves`, or 0 to compare totals at depth 1 as well.
        argument: Depth or GenType for the function that lists moves; 1 for a divide.
        room: Maximum number of moves that fit in memory.
        own: Address of `MARK_WORDS` zeroed values, followed by space for `room` moves.
        take: Address of `perft_check_coverage_take`, or 0.
    """
    ends, depths, totals = block + load(block, FEN_ENDS), block + load(block, DEPTHS), block + load(block, TOTALS)
    keys, key_ends = block + load(block, KEYS), block + load(block, KEY_ENDS)
    for index in range(load(block, FIRST), load(block, POSITIONS)):
        number = np.uint64(index)
        store(block, UNDER_WAY, number)
        fen, first = block + load(block, FENS), ZERO
        if number != ZERO:
            fen += load(ends, number - ONE) + ONE
            first = load(key_ends, number - ONE)
        depth = load(depths, number)
        if depth == ONE and lists != ZERO:
            right = _lists_same(lists, argument, fen, keys, first, load(key_ends, number), room, own)
        else:
            right = call_count(perft, fen, depth) == load(totals, number)
        if not right:
            doubts = load(block, DOUBTS)
            store(block + load(block, DOUBTED), doubts, number)
            store(block, DOUBTS, doubts + ONE)
        if take != ZERO:
            call_count(take, block + load(block, TALLY), number)
    store(block, UNDER_WAY, load(block, POSITIONS))
    return load(block, DOUBTS)
