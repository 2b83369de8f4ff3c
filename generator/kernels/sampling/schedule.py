"""The power schedule: which base walks start from, so that what was seldom met comes up more often.

It follows AFLFast (M. Boehme, V.-T. Pham, A. Roychoudhury: Coverage-based Greybox Fuzzing as Markov Chain, 2016).
There a seed gets energy in inverse proportion to f(i), the number of inputs that took the path of seed i,
between a cut-off and a bound. Here the path of a base is its rarest pair of events, f(i) the number of
positions that have shown this pair, and the energy a number of walks:

    walks = m / f(i), as a power of two, from 1 in 8 turns to `MOST_WALKS`

with m the geometric mean of f over the pool, found anew after each round of it. As in any fuzzer that is
guided by coverage, a position that shows a pair for the first time becomes a base itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..fen import State, store_state
from ..machine.bits import ALL, ONE, ZERO, load, lsb, rest, store
from ..machine.jit import inline, kernel, subroutine
from ..machine.xorshift import next_state, random_below

_6, _64 = (np.uint64(number) for number in (6, 64))
MEMORY = ("random", "size", "capacity", "cursor", "left", "mean")
"""What is remembered between blocks: the random state, the number of bases and the most there may be, the base whose
turn it is and how many of its walks are left, and the mean magnitude of f.
"""
RANDOM, SIZE, CAPACITY, CURSOR, LEFT, MEAN = (np.uint64(place) for place in range(len(MEMORY)))
NO_PAIR = ALL
"""The rarest pair of a base that shows no event, or was not visited yet."""
PAIR_SHIFT = 7
PAIRS = 1 << 2 * PAIR_SHIFT
"""Pairs of events: the higher number times 128 and the lower one. An event with itself is the event alone."""
MOST_EVENTS = 128

_MOST_LEAD, _MOST_LAG = np.uint64(4), np.uint64(3)
MOST_WALKS = 1 << int(_MOST_LEAD)
_ROW = np.uint64(PAIR_SHIFT)


class PoolWords(NamedTuple):
    """Addresses of the bases and of what is known of them.

    `states` has a state for each base, `pairs_of` its rarest pair, `visits` its number of walks; `met` how often
    each pair of events was met, `memory` the words of `MEMORY`, and `seen` what `seen.is_first` needs.
    """

    states: np.uint64
    pairs_of: np.uint64
    visits: np.uint64
    met: np.uint64
    memory: np.uint64
    seen: np.uint64


@inline
def load_pool(words: np.uint64) -> PoolWords:
    """Return the pool whose words lie at an address."""
    return PoolWords(
        load(words, np.uint64(0)),
        load(words, np.uint64(1)),
        load(words, np.uint64(2)),
        load(words, np.uint64(3)),
        load(words, np.uint64(4)),
        load(words, np.uint64(5)),
    )


@inline
def next_random(pool: PoolWords) -> np.uint64:
    """Return the next state of the random generator."""
    state = next_state(load(pool.memory, RANDOM))
    store(pool.memory, RANDOM, state)
    return state


@inline
def _magnitude(number: np.uint64) -> np.uint64:
    """Return the number of binary digits."""
    digits = ZERO
    while number != ZERO:
        digits += ONE
        number >>= ONE
    return digits


@inline
def _magnitude_of(pool: PoolWords, base: np.uint64) -> np.uint64:
    """Return the magnitude of f for a base; what shows no event is common."""
    pair = load(pool.pairs_of, base)
    return _64 if pair == NO_PAIR else _magnitude(load(pool.met, pair))


@inline
def _mean_magnitude(pool: PoolWords) -> np.uint64:
    """Return the mean magnitude of f over the bases, those without events left out."""
    total, number = ZERO, ZERO
    for base in range(load(pool.memory, SIZE)):
        magnitude = _magnitude_of(pool, np.uint64(base))
        if magnitude != _64:
            total += magnitude
            number += ONE
    return total // number if number != ZERO else ZERO


@inline
def _walks(pool: PoolWords, base: np.uint64) -> np.uint64:
    """Return how many walks a base gets at its turn; the first time one."""
    if load(pool.visits, base) == ZERO:
        return ONE
    mean, own = load(pool.memory, MEAN), _magnitude_of(pool, base)
    if own <= mean:
        return ONE << min(mean - own, _MOST_LEAD)
    return ONE if random_below(next_random(pool), ONE << min(own - mean, _MOST_LAG)) == ZERO else ZERO


@subroutine
def next_base(pool: PoolWords, is_scheduled: np.uint64) -> np.uint64:
    """Return the base of the next walk. Where `is_scheduled` is 0, each has one walk at its turn."""
    memory = pool.memory
    base, left = load(memory, CURSOR), load(memory, LEFT)
    while left == ZERO:
        base += ONE
        # Once a round, for that goes through all bases.
        if base >= load(memory, SIZE):
            base = ZERO
            store(memory, MEAN, _mean_magnitude(pool))
        left = _walks(pool, base) if is_scheduled != ZERO else ONE
    store(memory, CURSOR, base)
    store(memory, LEFT, left - ONE)
    return base


@inline
def note_events(pool: PoolWords, low: np.uint64, high: np.uint64, numbers: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Count all pairs of the events of a position; return the rarest pair, and how often it was met before.

    `low` and `high` are the words of a census, `numbers` is the address of `MOST_EVENTS` words to use.
    """
    found = ZERO
    while low != ZERO:
        store(numbers, found, lsb(low))
        found += ONE
        low = rest(low)
    while high != ZERO:
        store(numbers, found, _64 + lsb(high))
        found += ONE
        high = rest(high)
    rarest, least = NO_PAIR, ALL
    for first in range(found):
        # The numbers ascend, so that the higher one of a pair comes first, and each pair once.
        row = load(numbers, np.uint64(first)) << _ROW
        for second in range(first + 1):
            pair = row + load(numbers, np.uint64(second))
            times = load(pool.met, pair)
            store(pool.met, pair, times + ONE)
            if times < least:
                rarest, least = pair, times
    return rarest, least


@inline
def add_base(pool: PoolWords, state: State, pair: np.uint64) -> None:
    """Make a position a base with this rarest pair, if there is room."""
    size = load(pool.memory, SIZE)
    if size >= load(pool.memory, CAPACITY):
        return
    store_state(pool.states, size, state)
    store(pool.pairs_of, size, pair)
    # As if visited: its rarest pair is known, which is what the first visit of a base is for.
    store(pool.visits, size, ONE)
    store(pool.memory, SIZE, size + ONE)


@kernel
def tally(events: np.uint64, number: np.uint64, times: np.uint64) -> None:
    """Add to word i at address `times` how many of so many positions show event i.

    `events` is the address of two words for each position, as `Drawn.events` has them. Callable from Python.
    """
    for index in range(number << ONE):
        word, first = load(events, np.uint64(index)), (np.uint64(index) & ONE) << _6
        while word != ZERO:
            event = first + lsb(word)
            store(times, event, load(times, event) + ONE)
            word = rest(word)
