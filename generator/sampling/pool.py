"""The pool of bases of random walks, in arrays that kernels read and write."""

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
"""Maximum number of bases in a pool, including those found by sampling; later bases are dropped."""


class Pool:
    """Bases of one variant, their schedule, and the number of occurrences of each pair of events."""

    def __init__(self, seed: int, *, chess960: bool) -> None:
        self.chess960 = chess960
        self._states = np.zeros((CAPACITY, STATE_WORDS), dtype=np.uint64)
        self._pairs_of = np.full(CAPACITY, schedule.NO_PAIR, dtype=np.uint64)
        self._visits = np.zeros(CAPACITY, dtype=np.uint64)
        self._pair_counts = np.zeros((schedule.MAX_EVENTS, schedule.MAX_EVENTS), dtype=np.uint64)
        self._memory = np.zeros(len(schedule.MEMORY), dtype=np.uint64)
        self._memory[int(schedule.RANDOM)] = _first_random(seed)
        self._memory[int(schedule.CAPACITY)] = CAPACITY
        self._seen = np.zeros(1 + SEEN_WORDS, dtype=np.uint64)
        arrays = (self._states, self._pairs_of, self._visits, self._pair_counts, self._memory, self._seen)
        self.words = np.array([array.ctypes.data for array in arrays], dtype=np.uint64)
        """The fields of the kernels' `PoolWords`; valid during the lifetime of this object."""

    def __len__(self) -> int:
        """Return the number of bases."""
        return int(self._memory[int(schedule.SIZE)])

    def add(self, positions: Iterable[Position]) -> int:
        """Append positions as bases while there is space; return the number of appended positions.

        Raises ValueError if a position's castling rights require Chess960 in a pool of standard chess.
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
        """Start the next walk from this base if there is no schedule."""
        self._memory[int(schedule.CURSOR)] = (base or len(self)) - 1
        self._memory[int(schedule.LEFT)] = 0

    def position(self, number: int) -> Position:
        """Return the position of a base."""
        return positions_of(self._states[number : number + 1], [self.chess960])[0]

    @property
    def pair_counts(self) -> Words:
        """Number of occurrences of each pair of events, by higher and lower number; the diagonal has single events."""
        return self._pair_counts


def _first_random(seed: int) -> int:
    """Return an initial state of the random generator, never zero; similar seeds give unrelated states."""
    return int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "little") or 1
