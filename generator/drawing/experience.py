"""What pools learn: which bases there are, how often each was walked from, how often pairs of events were met.

A drawer that is given the experience of others goes on where they have ended. What is left to be met is estimated as
Good and Turing do, from what was met exactly once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.drawing.schedule import MOST_EVENTS, NO_PAIR

MOST_BASES = 1 << 15
"""Bases that an experience has room for: half of what a pool has."""

Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Experience:
    """The bases of one variant, and what is known of them: arrays over n bases."""

    states: Words
    """n x `STATE_WORDS`; the position of each base, as the kernels have it."""
    pairs_of: Words
    """n; the rarest pair of events of each base, or `NO_PAIR`."""
    visits: Words
    """n; the walks that each base has had."""
    met: Words
    """`MOST_EVENTS` x `MOST_EVENTS`; how often each pair of events was met, by the higher number and the lower."""

    def __len__(self) -> int:
        """Return the number of bases."""
        return len(self.visits)

    def with_learned(self, learned: Learned) -> Experience:
        """Return what is known once a pool that was given this, or what it was before, has learned more.

        Of bases that show a new pair of events the first is taken. More than `MOST_BASES` are left out.
        """
        known = len(learned.visits)
        pairs_of, visits = self.pairs_of.copy(), self.visits.copy()
        visits[:known] += learned.visits
        np.copyto(pairs_of[:known], learned.pairs_of, where=learned.pairs_of != NO_PAIR)
        new = self._new(learned.found_pairs)
        return Experience(
            np.concatenate([self.states, learned.found[new]]),
            np.concatenate([pairs_of, learned.found_pairs[new]]),
            np.concatenate([visits, np.ones(len(new), dtype=np.uint64)]),
            self.met + learned.met,
        )

    def _new(self, pairs: Words) -> NDArray[np.int64]:
        """Return the places of pairs that nobody has met, of each the first, as many as there is room for."""
        if not len(pairs):
            return np.empty(0, dtype=np.int64)
        _, first = np.unique(pairs, return_index=True)
        places: NDArray[np.int64] = np.sort(first)
        places = places[self.met.ravel()[pairs[places].astype(np.int64)] == 0]
        return places[: MOST_BASES - len(self)]


@dataclass(frozen=True, eq=False)
class Learned:
    """What a pool has learned since it was given an experience of k bases."""

    pairs_of: Words
    """k; the rarest pair of each of them, or `NO_PAIR` where it was not visited."""
    visits: Words
    """k; the walks from each of them."""
    met: Words
    """How often each pair of events was met, as in an experience."""
    found: Words
    """m x `STATE_WORDS`; positions with a pair that had not been met."""
    found_pairs: Words
    """m; that pair."""


def experience_of(states: Words) -> Experience:
    """Return the experience of somebody who knows bases, given as states, and has walked from none."""
    number = len(states)
    return Experience(
        states,
        np.full(number, NO_PAIR, dtype=np.uint64),
        np.zeros(number, dtype=np.uint64),
        np.zeros((MOST_EVENTS, MOST_EVENTS), dtype=np.uint64),
    )


def chance_of_new(times_met: NDArray[np.integer], drawn: int) -> float:
    """Return how likely the next position shows something not met so far; 1.0 before the first position.

    `times_met` says how often each thing (an event, a pair of events) was met in `drawn` positions. The
    chance is estimated as the number of things met exactly once, divided by `drawn` (I. J. Good, 1953, after
    A. M. Turing). A position shows many things, which often come together: the quotient is then the number
    of new things to be expected in it, and as a chance too high. Raises ValueError where `drawn` is negative.
    """
    if drawn < 0:
        raise ValueError(f"the number of positions must not be negative, as {drawn} is")
    singletons = int(np.count_nonzero(np.asarray(times_met) == 1))
    return min(1.0, singletons / drawn) if drawn else 1.0
