"""The power schedule, which selects the bases of walks so that rare events occur more often.

It is based on AFLFast (M. Boehme, V.-T. Pham, A. Roychoudhury: Coverage-based Greybox Fuzzing as Markov Chain, 2016).
There, the energy of a seed is inversely proportional to f(i), the number of inputs that took the path of seed i,
between a cut-off and a bound. Here, the path of a base is its rarest pair of events, f(i) is the number of positions in
which this pair has occurred, and the energy is a number of walks:

    walks = m / f(i), as a power of two, from 1 in 8 turns to `MAX_WALKS`

m is the geometric mean of f over the pool, which is recomputed after each round through the pool. As in any
coverage-guided fuzzer, a position in which a pair occurs for the first time becomes a base.
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
"""State kept between blocks: the random state, the number of bases and its maximum, the current base and its remaining
walks, and the mean magnitude of f.
"""
RANDOM, SIZE, CAPACITY, CURSOR, LEFT, MEAN = (np.uint64(place) for place in range(len(MEMORY)))
NO_PAIR = ALL
"""The rarest pair of a base that has no events or has not been visited."""
PAIR_SHIFT = 7
PAIRS = 1 << 2 * PAIR_SHIFT
"""Size of arrays that are indexed by pairs of events.

The index of a pair is 128 times the higher event number plus the lower one. A single event is a pair with itself.
"""
MAX_EVENTS = 128

_MAX_LEAD, _MAX_LAG = np.uint64(4), np.uint64(3)
MAX_WALKS = 1 << int(_MAX_LEAD)
_ROW = np.uint64(PAIR_SHIFT)


class PoolWords(NamedTuple):
    """Addresses of the bases and their data.

    For each base, `states` contains its state, `pairs_of` its rarest pair, and `visits` its number of walks.
    `pair_counts` contains the number of occurrences of each pair of events, `memory` the values of `MEMORY`, and `seen`
    the memory of `filters.is_first`.
    """

    states: np.uint64
    pairs_of: np.uint64
    visits: np.uint64
    pair_counts: np.uint64
    memory: np.uint64
    seen: np.uint64


@inline
def load_pool(words: np.uint64) -> PoolWords:
    """Load the fields of a pool from an address."""
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
    """Return the magnitude of f for a base; a base without events is treated as very common."""
    pair = load(pool.pairs_of, base)
    return _64 if pair == NO_PAIR else _magnitude(load(pool.pair_counts, pair))


@inline
def _mean_magnitude(pool: PoolWords) -> np.uint64:
    """Return the mean magnitude of f over the bases that have events."""
    total, number = ZERO, ZERO
    for base in range(load(pool.memory, SIZE)):
        magnitude = _magnitude_of(pool, np.uint64(base))
        if magnitude != _64:
            total += magnitude
            number += ONE
    return total // number if number != ZERO else ZERO


@inline
def _walks(pool: PoolWords, base: np.uint64) -> np.uint64:
    """Return the number of walks of a base in its turn, which is 1 in its first turn."""
    if load(pool.visits, base) == ZERO:
        return ONE
    mean, own = load(pool.memory, MEAN), _magnitude_of(pool, base)
    if own <= mean:
        return ONE << min(mean - own, _MAX_LEAD)
    return ONE if random_below(next_random(pool), ONE << min(own - mean, _MAX_LAG)) == ZERO else ZERO


@subroutine
def next_base(pool: PoolWords, is_scheduled: np.uint64) -> np.uint64:
    """Return the base of the next walk. If `is_scheduled` is 0, each base has one walk per round."""
    memory = pool.memory
    base, left = load(memory, CURSOR), load(memory, LEFT)
    while left == ZERO:
        base += ONE
        # Computed only once per round, because this iterates over all bases.
        if base >= load(memory, SIZE):
            base = ZERO
            store(memory, MEAN, _mean_magnitude(pool))
        left = _walks(pool, base) if is_scheduled != ZERO else ONE
    store(memory, CURSOR, base)
    store(memory, LEFT, left - ONE)
    return base


@inline
def note_events(pool: PoolWords, low: np.uint64, high: np.uint64, numbers: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Count all pairs of events of a position; return the rarest pair and its number of previous occurrences.

    `low` and `high` are the values of a census; `numbers` is the address of `MAX_EVENTS` uint64 values of scratch
    memory.
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
        # The numbers are in ascending order, so this one is the higher number of each pair, and each pair is visited
        # once.
        row = load(numbers, np.uint64(first)) << _ROW
        for second in range(first + 1):
            pair = row + load(numbers, np.uint64(second))
            times = load(pool.pair_counts, pair)
            store(pool.pair_counts, pair, times + ONE)
            if times < least:
                rarest, least = pair, times
    return rarest, least


@inline
def add_base(pool: PoolWords, state: State, pair: np.uint64) -> None:
    """Add a position with the rarest pair `pair` as a base if there is space."""
    size = load(pool.memory, SIZE)
    if size >= load(pool.memory, CAPACITY):
        return
    store_state(pool.states, size, state)
    store(pool.pairs_of, size, pair)
    # The base counts as visited, because a first visit only determines the rarest pair, which is already known.
    store(pool.visits, size, ONE)
    store(pool.memory, SIZE, size + ONE)


@kernel
def tally(events: np.uint64, number: np.uint64, times: np.uint64) -> None:
    """Add the number of positions in which event i occurs to element i of the array at address `times`.

    `events` is the address of two uint64 values for each of `number` positions, as in `PositionBatch.events`. Callable
    from Python.
    """
    for index in range(number << ONE):
        word, first = load(events, np.uint64(index)), (np.uint64(index) & ONE) << _6
        while word != ZERO:
            event = first + lsb(word)
            store(times, event, load(times, event) + ONE)
            word = rest(word)
