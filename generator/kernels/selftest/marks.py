"""Compare lists of moves as sets, by marking: one bit for each of the 65,536 moves.

The bit of every move of one list is set (one that is set already shows a duplicate), then that of
every move of the other is cleared (one that is not set shows a difference).
"""

from __future__ import annotations

import numpy as np

from ..encoding import bit, target_of
from ..machine.bits import ZERO, load, load16, store
from ..machine.jit import inlined

MARK_WORDS = 1 << 10
"""The upper ten bits of a move are the index of the word, its target square that of the bit."""

_2, _3, _6 = np.uint64(2), np.uint64(3), np.uint64(6)


@inlined
def mark(marks: np.uint64, moves: np.uint64, count: np.uint64) -> bool:
    """Mark all moves of a list; tell whether none was marked before."""
    twice = ZERO
    for index in range(count):
        move = load16(moves, np.uint64(index))
        word = load(marks, move >> _6)
        twice |= word & bit(target_of(move))
        store(marks, move >> _6, word | bit(target_of(move)))
    return bool(twice == ZERO)


@inlined
def unmark(marks: np.uint64, moves: np.uint64, count: np.uint64) -> bool:
    """Take the marks of all moves of a list away; tell whether each was there."""
    missing = ZERO
    for index in range(count):
        move = load16(moves, np.uint64(index))
        word = load(marks, move >> _6)
        missing |= ~word & bit(target_of(move))
        store(marks, move >> _6, word & ~bit(target_of(move)))
    return bool(missing == ZERO)


@inlined
def is_marked(marks: np.uint64, move: np.uint64) -> bool:
    """Tell whether a move is marked."""
    return bool(load(marks, move >> _6) & bit(target_of(move)) != ZERO)


@inlined
def are_same(first: np.uint64, second: np.uint64, count: np.uint64) -> bool:
    """Tell whether two lists of one length have the same moves in the same order."""
    change = ZERO
    for word in range(count >> _2):
        change |= load(first, np.uint64(word)) ^ load(second, np.uint64(word))
    for index in range(count & ~_3, count):
        change |= load16(first, np.uint64(index)) ^ load16(second, np.uint64(index))
    return bool(change == ZERO)
