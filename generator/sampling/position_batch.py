"""A batch of positions with the correct answers, used as questions to an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..fens import states_of, write_states
from ..kernels.counting.walk import count_leaves
from ..kernels.encoding import MAX_MOVES
from ..kernels.machine.bits import ONE, ZERO
from ..kernels.machine.memory import Control, address_of
from ..kernels.sampling.answers import SCRATCH_BYTES, write_answers
from ..kernels.sampling.schedule import tally
from ..kernels.tables import tables
from ..position import Position
from ..types.squares import name_of, square_of

WORDS = 2
"""Number of uint64 values for the events of a position: bit i of value w is `Event(64 * w + i)`."""
_NEWLINE = ord("\n")

PROMOTIONS = " nbrq"
"""Promotion letters in UCI notation, by their number in a key."""
_SQUARES = tuple(name_of(square) for square in range(64))
UCI_TEXTS = tuple(
    f"{origin}{target}{letter.strip()}" for letter in PROMOTIONS for target in _SQUARES for origin in _SQUARES
)
"""The UCI notation of each key in `PositionBatch.keys`."""


def key_of(move: str) -> int:
    """Return the key of a move in UCI notation, as in `PositionBatch.keys`. Raises ValueError for any other text."""
    return square_of(move[:2]) | square_of(move[2:4]) << 6 | PROMOTIONS.index(move[4:] or " ") << 12


@dataclass(frozen=True)
class PositionBatch:
    """Positions and the answers of a correct generator, as arrays over n positions or m root moves."""

    text: NDArray[np.uint8]
    """The FENs, each followed by a newline, as `Position.fen()` writes them; in Chess960 as Shredder-FEN."""
    text_ends: NDArray[np.int64]
    """n; the index of the newline after each FEN."""
    depths: NDArray[np.int64]
    """n; the depth to count to, at least 1."""
    keys: NDArray[np.uint16]
    """m; the root moves of all positions, sorted within each position: `origin | target << 6 | promotion << 12`.

    Squares are numbered from a1 = 0 to h8 = 63; promotion is 0 for none, 1 for knight, 2 bishop, 3 rook, 4 queen. The
    target of castling is the square of the rook (e1h1) if `castles_to_rook`, otherwise the king's destination (e1g1).
    """
    counts: NDArray[np.int64]
    """m; the number of leaf nodes below each root move, which is 1 at depth 1."""
    ends: NDArray[np.int64]
    """n; the end index of the root moves of each position in `keys` and `counts`."""
    totals: NDArray[np.int64]
    """n; the sum of the counts of each position."""
    events: NDArray[np.uint64]
    """n x `WORDS`; the events that occur in each position."""
    bases: NDArray[np.int64]
    """n; the number of the base in the pool, or its bitwise complement if the base was changed."""
    moves: NDArray[np.uint32]
    """The moves from the base to each position, concatenated over all positions, as `Move`."""
    move_ends: NDArray[np.int64]
    """n; the end index of the moves to each position."""
    chess960: bool
    castles_to_rook: bool

    @classmethod
    def without_bases(
        cls,
        text: NDArray[np.uint8],
        depths: NDArray[np.int64],
        keys: NDArray[np.uint16],
        counts: NDArray[np.int64],
        ends: NDArray[np.int64],
        totals: NDArray[np.int64],
        *,
        chess960: bool,
        castles_to_rook: bool,
    ) -> PositionBatch:
        """Return a batch of positions that were not sampled, without bases, moves or events."""
        number = len(depths)
        return cls(
            text=text,
            text_ends=np.flatnonzero(text == _NEWLINE).astype(np.int64),
            depths=depths,
            keys=keys,
            counts=counts,
            ends=ends,
            totals=totals,
            events=np.zeros((number, WORDS), dtype=np.uint64),
            bases=np.full(number, -1, dtype=np.int64),
            moves=np.zeros(0, dtype=np.uint32),
            move_ends=np.zeros(number, dtype=np.int64),
            chess960=chess960,
            castles_to_rook=castles_to_rook,
        )

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.depths)

    def part(self, first: int, end: int) -> PositionBatch:
        """Return the positions with indices from `first` to `end`, exclusive."""
        texts, roots, paths = (
            self._range(ends, first, end) for ends in (self.text_ends + 1, self.ends, self.move_ends)
        )
        some = slice(first, end)
        return PositionBatch(
            text=self.text[texts],
            text_ends=self.text_ends[some] - texts.start,
            depths=self.depths[some],
            keys=self.keys[roots],
            counts=self.counts[roots],
            ends=self.ends[some] - roots.start,
            totals=self.totals[some],
            events=self.events[some],
            bases=self.bases[some],
            moves=self.moves[paths],
            move_ends=self.move_ends[some] - paths.start,
            chess960=self.chess960,
            castles_to_rook=self.castles_to_rook,
        )

    @staticmethod
    def _range(ends: NDArray[np.int64], first: int, end: int) -> slice:
        """Return the slice that contains the data of some positions, given the end index of each position."""
        return slice(int(ends[first - 1]) if first else 0, int(ends[end - 1]) if end else 0)

    def fen(self, index: int) -> str:
        """Return the FEN of one position."""
        start = int(self.text_ends[index - 1]) + 1 if index else 0
        return self.text[start : int(self.text_ends[index])].tobytes().decode("ascii")

    def event_counts(self, end: int) -> NDArray[np.int64]:
        """Return the number of positions before `end` in which each event occurs, by event number."""
        words, times = np.ascontiguousarray(self.events[:end]), np.zeros(64 * WORDS, dtype=np.int64)
        tally(np.uint64(words.ctypes.data), np.uint64(len(words)), np.uint64(times.ctypes.data))
        return times

    def keys_of(self, index: int) -> list[int]:
        """Return the sorted keys of the root moves of a position."""
        return _part(self.keys, self.ends, index)

    def moves_to(self, index: int) -> list[int]:
        """Return the moves from the base to a position."""
        return _part(self.moves, self.move_ends, index)

    def roots(self, index: int) -> dict[int, int]:
        """Return the number of leaf nodes below each root move of a position, by its key."""
        return dict(zip(self.keys_of(index), _part(self.counts, self.ends, index), strict=True))


def _part(
    values: NDArray[np.uint16] | NDArray[np.uint32] | NDArray[np.int64], ends: NDArray[np.int64], index: int
) -> list[int]:
    start = int(ends[index - 1]) if index else 0
    part: list[int] = values[start : int(ends[index])].tolist()
    return part


def batch_with_answers(
    positions: Sequence[Position], depths: Sequence[int], *, chess960: bool, castles_to_rook: bool
) -> PositionBatch:
    """Return a batch of given positions with the correct answers.

    All positions must be of the same variant. Each is counted to its own depth, which is at least 1.
    """
    number, states, control = len(positions), states_of(positions), Control()
    text = np.frombuffer(write_states(states, "shredder" if chess960 else "xfen"), dtype=np.uint8)
    depth_array = np.array(depths, dtype=np.int64)
    keys, counts = np.empty(number * MAX_MOVES, dtype=np.uint16), np.empty(number * MAX_MOVES, dtype=np.int64)
    ends, totals = np.empty(number, dtype=np.int64), np.empty(number, dtype=np.int64)
    scratch = np.zeros(SCRATCH_BYTES, dtype=np.uint8)
    if number:
        # The recursive kernel is compiled first, because compiling it as part of another kernel takes twice as long.
        count_leaves(tables(), positions[0].board, ONE, control.address, ZERO)
        write_answers(
            tables(),
            address_of(states),
            address_of(depth_array),
            np.uint64(number),
            np.uint64(castles_to_rook),
            address_of(keys),
            address_of(counts),
            address_of(ends),
            address_of(totals),
            address_of(scratch),
            control.address,
        )
    listed = int(ends[-1]) if number else 0
    return PositionBatch.without_bases(
        text,
        depth_array,
        keys[:listed],
        counts[:listed],
        ends,
        totals,
        chess960=chess960,
        castles_to_rook=castles_to_rook,
    )
