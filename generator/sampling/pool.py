"""The pool of bases that walks start from, and what is known of each: arrays that the kernels read and write."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..fens import positions_of, states_of
from ..kernels.fen import STATE_WORDS
from ..kernels.sampling import schedule
from ..kernels.sampling.filters import SEEN_WORDS
from ..position import Position
from ..validation import is_standard_castling

Words = NDArray[np.uint64]

CAPACITY = 1 << 16
"""Bases that a pool has room for, those included that are found on the way; what comes later is left out."""


class Pool:
    """Bases of one variant, the schedule over them, and how often each pair of events was met."""

    def __init__(self, seed: int, *, chess960: bool) -> None:
        self.chess960 = chess960
        self._states = np.zeros((CAPACITY, STATE_WORDS), dtype=np.uint64)
        self._pairs_of = np.full(CAPACITY, schedule.NO_PAIR, dtype=np.uint64)
        self._visits = np.zeros(CAPACITY, dtype=np.uint64)
        self._met = np.zeros((schedule.MOST_EVENTS, schedule.MOST_EVENTS), dtype=np.uint64)
        self._memory = np.zeros(len(schedule.MEMORY), dtype=np.uint64)
        self._memory[int(schedule.RANDOM)] = _first_random(seed)
        self._memory[int(schedule.CAPACITY)] = CAPACITY
        self._seen = np.zeros(1 + SEEN_WORDS, dtype=np.uint64)
        arrays = (self._states, self._pairs_of, self._visits, self._met, self._memory, self._seen)
        self.words = np.array([array.ctypes.data for array in arrays], dtype=np.uint64)
        """The words of the `Pool` of the kernels, valid as long as this object lives."""

    def __len__(self) -> int:
        """Return the number of bases."""
        return int(self._memory[int(schedule.SIZE)])

    def add(self, positions: Iterable[Position]) -> int:
        """Append positions as bases, as many as there is room for; return how many were appended.

        Raises ValueError for a position that castles as only Chess960 can, in a pool of standard chess.
        """
        positions = list(positions)
        for position in positions:
            if not (self.chess960 or is_standard_castling(position.pieces, position.castling)):
                raise ValueError(f"{position.fen()} needs Chess960")
        before = len(self)
        kept = positions[: CAPACITY - before]
        self._states[before : before + len(kept)] = states_of(kept)
        self._memory[int(schedule.SIZE)] = before + len(kept)
        return len(kept)

    def begin_at(self, base: int) -> None:
        """Let the next walk start from a base, where there is no schedule."""
        self._memory[int(schedule.CURSOR)] = (base or len(self)) - 1
        self._memory[int(schedule.LEFT)] = 0

    def position(self, number: int) -> Position:
        """Return the position of a base."""
        return positions_of(self._states[number : number + 1], [self.chess960])[0]

    @property
    def met(self) -> Words:
        """How often each pair of events was met, by the higher number and the lower; the diagonal has the events."""
        return self._met


def _first_random(seed: int) -> int:
    """Return a state of the random generator, never zero, far apart even for neighbouring seeds."""
    return int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "little") or 1
