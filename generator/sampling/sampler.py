"""Sampling batches of positions with the correct answers from a pool of bases: a million positions in a few seconds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from ..events import chance_of_new
from ..fens import positions_of, states_of
from ..game import Game
from ..kernels.counting.walk import count_leaves
from ..kernels.encoding import MAX_MOVES
from ..kernels.fen import LONGEST_FEN, STATE_WORDS
from ..kernels.machine.bits import ONE, ZERO
from ..kernels.machine.memory import Control
from ..kernels.sampling import block, schedule
from ..kernels.sampling.filters import SEEN_WORDS
from ..kernels.tables import tables
from ..position import Position
from ..types.moves import Move
from ..validation import is_standard_castling
from .position_batch import WORDS, PositionBatch

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


MAX_DEPTH = 6
MAX_NODES = 10**9
"""Maximum budget: larger counts take more than a second per position, and kernels square the budget."""
SPARSE_DEPTHS = 4, 5, 6
MIN_PIECES = 3


class PositionSampler:
    """Samples positions by random walks from a pool of bases; see `kernels.sampling.block` and `schedule`.

    The result depends only on the seed, the bases, and the sequence of calls. A sampler is not thread-safe; its kernels
    run without the GIL. It reserves 12 KB of address space per position of its largest batch.
    """

    def __init__(
        self,
        bases: Iterable[Position],
        seed: int,
        *,
        chess960: bool = False,
        castles_to_rook: bool | None = None,
        is_scheduled: bool = True,
    ) -> None:
        """Create a sampler with these bases for either standard chess or Chess960.

        If `castles_to_rook` is True, keys encode castling as king takes rook; this is always so in Chess960, and the
        default only there. Raises ValueError if there is no base, or if a base requires Chess960 in standard chess.
        """
        if chess960 and castles_to_rook is False:
            raise ValueError("in Chess960 the king's target does not distinguish castling from a king step")
        self._pool = Pool(seed, chess960=chess960)
        self._to_rook = chess960 if castles_to_rook is None else castles_to_rook
        self._is_scheduled = is_scheduled
        self._memory = _BlockMemory(0)
        self._sampled = 0
        self._pool.add(bases)
        if not self.bases:
            raise ValueError("a sampler needs at least one position to start from")
        # The recursive kernel is compiled first, because compiling it as part of another kernel takes twice as long.
        count_leaves(tables(), self.base(0).board, ONE, self._memory.control.address, ZERO)

    @property
    def chess960(self) -> bool:
        """Whether the positions are Chess960 positions."""
        return self._pool.chess960

    def add(self, positions: Iterable[Position]) -> int:
        """Append bases to the pool while there is space; return their number. Raises ValueError like the
        constructor.
        """
        return self._pool.add(positions)

    @property
    def bases(self) -> int:
        """Number of bases, including those found by sampling."""
        return len(self._pool)

    def base(self, number: int) -> Position:
        """Return the position of a base."""
        return self._pool.position(number)

    def origins(self, sampled: PositionBatch, indices: NDArray[np.int64]) -> list[Position]:
        """Return the distinct bases from which some positions were sampled, possibly after changes."""
        numbers = sampled.bases[indices]
        return [self.base(number) for number in np.unique(np.maximum(numbers, ~numbers)).tolist()]

    def game(self, sampled: PositionBatch, index: int) -> Game:
        """Return a sampled position as its base and the moves from it."""
        number = int(sampled.bases[index])
        if number < 0:
            return Game(Position.from_fen(sampled.fen(index), self.chess960))
        return Game(self.base(number), tuple(Move(move) for move in sampled.moves_to(index)))

    def begin_at(self, base: int) -> None:
        """Start the next walk from this base and continue with the following bases, if there is no schedule."""
        self._pool.begin_at(base)

    def sample(self, number: int, budget: int = 0, changes: int = 0) -> PositionBatch:
        """Sample a batch of positions with counts at depth 1, or deeper within a budget of nodes.

        With a budget, the depth of each position is the greatest depth up to `MAX_DEPTH` at which its count is within
        the budget; a depth is not tried if its estimated count exceeds the budget more than fourfold. No position
        occurs twice among about four million. A batch has fewer positions than requested, or none, if the pool does not
        lead to new positions. With `changes`, most walks start after up to this number of changes to a base.

        Raises ValueError if a number is negative or the budget is above `MAX_NODES`.
        """
        most = MAX_DEPTH if budget else 1
        return self._draw(number, budget, 1, most, 0, changes)

    def sample_sparse(self, number: int, budget: int, pieces: int = 10) -> PositionBatch:
        """Sample sparse positions with counts at depth 4, or at depth 5 or 6 within a budget of nodes.

        Sparse positions have at most `pieces` pieces, and castling rights, an en passant capture or a pawn on one of
        the two ranks before promotion. They are reached by short walks from bases after most pieces have been removed.
        A batch has fewer positions than requested, or none, if too few positions are within the budget at depth 4.

        Raises the errors of `sample`, and ValueError if `pieces` is less than 3.
        """
        if pieces < MIN_PIECES:
            raise ValueError(f"a sparse position has at least {MIN_PIECES} pieces, not {pieces}")
        least, *_, most = SPARSE_DEPTHS
        return self._draw(number, budget, least, most, pieces)

    @property
    def sampled(self) -> int:
        """Number of positions sampled so far."""
        return self._sampled

    @property
    def event_counts(self) -> Words:
        """Number of occurrences of each event, by event number."""
        return self._pool.pair_counts.diagonal()

    @property
    def pair_counts(self) -> Words:
        """Number of occurrences of each pair of events: rows are the higher event number, columns the lower."""
        return np.tril(self._pool.pair_counts, -1)

    def chance_of_new_event(self) -> float:
        """Return the probability that a new event occurs in the next position; see `chance_of_new`."""
        return chance_of_new(self.event_counts, self._sampled)

    def _draw(self, number: int, budget: int, least: int, most: int, pieces: int, changes: int = 0) -> PositionBatch:
        if min(number, budget, changes) < 0:
            raise ValueError(f"numbers must not be negative: {number} positions, {budget} nodes")
        if budget > MAX_NODES:
            raise ValueError(f"the budget must not be above {MAX_NODES} nodes, as {budget} is")
        if number > self._memory.number:
            self._memory = _BlockMemory(number)
        request = (number, budget, least, most, pieces, self._to_rook, self.chess960, self._is_scheduled, changes)
        words = (self._pool.words, np.array(request, dtype=np.uint64), self._memory.words)
        sampled = int(block.sample_block(tables(), *(np.uint64(array.ctypes.data) for array in words)))
        self._sampled += sampled
        return self._memory.take_block(sampled, self.chess960, self._to_rook)


_ARRAYS = tuple(field.name for field in fields(PositionBatch) if field.name not in ("chess960", "castles_to_rook"))


class _BlockMemory:
    """Memory for the largest batch so far: the arrays of a `PositionBatch`, and scratch memory for kernels."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.control = Control()
        self._scratch = np.zeros(block.SCRATCH_BYTES, dtype=np.uint8)
        self._text = np.empty(number * LONGEST_FEN, dtype=np.uint8)
        self._text_ends, self._depths, self._ends, self._totals, self._bases, self._move_ends = (
            np.empty(number, dtype=np.int64) for _ in range(6)
        )
        # Unused memory costs nothing, so there is space for the largest possible number of moves.
        self._keys = np.empty(number * MAX_MOVES, dtype=np.uint16)
        self._counts = np.empty(number * MAX_MOVES, dtype=np.int64)
        self._events = np.empty((number, WORDS), dtype=np.uint64)
        self._moves = np.empty(number * block.LONGEST_WALK, dtype=np.uint32)
        arrays = (getattr(self, f"_{name}") for name in block.BlockMemory._fields if name != "control")
        addresses = [array.ctypes.data for array in arrays]
        self.words = np.array([*addresses, int(self.control.address)], dtype=np.uint64)
        """The fields of the kernels' `BlockMemory`; valid during the lifetime of this object."""

    def take_block(self, number: int, chess960: bool, castles_to_rook: bool) -> PositionBatch:
        """Return copies of the first `number` positions."""
        sizes = {
            "text": self._end(self._text_ends, number) + (number > 0),
            "keys": self._end(self._ends, number),
            "counts": self._end(self._ends, number),
            "moves": self._end(self._move_ends, number),
        }
        arrays = {name: getattr(self, f"_{name}")[: sizes.get(name, number)].copy() for name in _ARRAYS}
        return PositionBatch(**arrays, chess960=chess960, castles_to_rook=castles_to_rook)

    @staticmethod
    def _end(ends: NDArray[np.int64], number: int) -> int:
        return int(ends[number - 1]) if number else 0
