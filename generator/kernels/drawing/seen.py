"""Which positions were drawn already: short walks from the same bases lead to the same places again and again.

One bit for each hash of a position: a position whose bit is set by another one is left out as well, which
concerns one in four at the most, for the bits are cleared once a quarter of them is set.
"""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..encoding import bit
from ..machine.bits import ONE, ZERO, load, multiply, prefetch, store
from ..machine.jit import inlined

SEEN_WORDS = 1 << 18
MOST_SEEN = np.uint64(SEEN_WORDS * 64 // 4)

_MIXER = np.uint64(0x9E3779B97F4A7C15)
_6, _29, _40, _63 = (np.uint64(number) for number in (6, 29, 40, 63))


@inlined
def place_of(board: Board, salt: np.uint64) -> np.uint64:
    """Return the bit of a board with this salt, a number: 24 bits of a hash."""
    mixed = salt + ONE
    for word in board:
        mixed = multiply(mixed ^ word, _MIXER)
        mixed ^= mixed >> _29
    return multiply(mixed, _MIXER) >> _40


@inlined
def fetch(seen: np.uint64, place: np.uint64) -> None:
    """Have the word of a bit brought near, before `is_first` needs it: the words are too many to be there."""
    prefetch(seen, ONE + (place >> _6))


@inlined
def is_first(seen: np.uint64, place: np.uint64) -> bool:
    """Tell whether the board of this bit comes for the first time; it does not the next time.

    `seen` is the address of a word with the number of bits set, and of `SEEN_WORDS` behind it.
    """
    bits = seen + np.uint64(8)
    word = load(bits, place >> _6)
    if word & bit(place & _63) != ZERO:
        return False
    if load(seen, ZERO) >= MOST_SEEN:
        for index in range(SEEN_WORDS):
            store(bits, np.uint64(index), ZERO)
        store(seen, ZERO, ZERO)
        word = ZERO
    store(bits, place >> _6, word | bit(place & _63))
    store(seen, ZERO, load(seen, ZERO) + ONE)
    return True
