"""Blocks of positions in memory shared with the process of a library, and the loop that asks about them."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Any

from .. import child_environment

child_environment.load_numpy()

import numpy as np  # noqa: E402 - after setting the variables that limit its threads
from numpy.typing import NDArray  # noqa: E402

from ....platforms.memory import extend  # noqa: E402
from ..kernels import libraries as words  # noqa: E402
from .interface import GUARD, LEGAL, ROOM, Functions  # noqa: E402

if TYPE_CHECKING:
    from ....generator.sampling.position_batch import PositionBatch

_ALIGNED = 64
_STEP_BYTES = 2**20
"""The size of the shared memory is a multiple of this number of bytes."""


class SharedBlock:
    """A block of positions and its results, in memory shared with the process of a library."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._map: mmap.mmap | None = None
        self._header: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._doubted: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._tally: NDArray[np.uint8] = np.zeros(0, np.uint8)

    def write(self, questions: PositionBatch, tally: NDArray[np.uint8]) -> int:
        """Write positions to the shared memory, and return their size in bytes.

        `tally` is the memory of a `CoverageTally`, or an empty array if coverage is not measured.
        """
        ends = np.ascontiguousarray(questions.text_ends)
        arrays: dict[np.uint64, NDArray[Any]] = {
            words.FENS: questions.text,
            words.FEN_ENDS: ends,
            words.DEPTHS: questions.depths,
            words.KEYS: questions.keys,
            words.KEY_ENDS: questions.ends,
            words.TOTALS: questions.totals,
            words.DOUBTED: np.zeros(len(ends), np.uint64),
            words.TALLY: tally,
        }
        offsets, size = {}, words.HEADER_BYTES
        for word, array in arrays.items():
            offsets[word] = size
            size += -(-array.nbytes // _ALIGNED) * _ALIGNED
        memory = self._with_room(size)
        for word, array in arrays.items():
            self._header[word] = offsets[word]
            np.frombuffer(memory, array.dtype, array.size, offsets[word])[:] = array
        np.frombuffer(memory, np.uint8, questions.text.size, offsets[words.FENS])[ends] = 0
        self._doubted = np.frombuffer(memory, np.uint64, len(ends), offsets[words.DOUBTED])
        self._tally = np.frombuffer(memory, np.uint8, len(tally), offsets[words.TALLY])
        self._header[words.POSITIONS] = len(ends)
        self.begin(0)
        return size

    def begin(self, first: int) -> None:
        """Set the index of the position at which the next round starts."""
        self._header[words.FIRST] = self._header[words.UNDER_WAY] = first
        self._header[words.DOUBTS] = 0

    @property
    def under_way(self) -> int:
        """Index of the current position, or of the position at which the process exited."""
        return min(int(self._header[words.UNDER_WAY]), int(self._header[words.POSITIONS]) - 1)

    @property
    def doubts(self) -> list[int]:
        """Indices of positions with incorrect answers in this round."""
        found: list[int] = self._doubted[: int(self._header[words.DOUBTS])].tolist()
        return [number for number in found if number < len(self._doubted)]

    @property
    def tally(self) -> NDArray[np.uint8]:
        """A copy of the coverage tally."""
        return self._tally.copy()

    def _with_room(self, size: int) -> mmap.mmap:
        if self._map is None or len(self._map) < size:
            room = -(-size // _STEP_BYTES) * _STEP_BYTES
            extend(self._memory, room)
            self._map = mmap.mmap(self._memory, room)
            self._header = np.frombuffer(self._map, np.uint64, words.HEADER_BYTES // 8)
        return self._map


_MOVE_WORDS = 2
ZERO = np.uint64(0)
ROOT_DEPTH = 1
KNOWN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The position used to test whether a library can list legal moves."""


class LibraryQuestions:
    """Asks a library about the positions of a block, in the library's process."""

    def __init__(self, functions: Functions, memory: int) -> None:
        lists = _lister(functions)
        self._perft, self._lists = np.uint64(functions.address("perft")), np.uint64(functions.address(lists))
        self._argument = np.uint64(LEGAL if lists == "moves" else ROOT_DEPTH)
        self._take = np.uint64(functions.address("coverage_take"))
        self._memory = memory
        self._map: mmap.mmap | None = None
        self._address = np.uint64(0)
        self._own = np.zeros(words.MARK_WORDS + _MOVE_WORDS * (ROOM + GUARD), np.uint64)
        nothing = np.zeros(words.HEADER_BYTES // 8, np.uint64)
        self._loop(np.uint64(nothing.ctypes.data), ZERO)  # compile or load it

    def ask(self, size: int, *, is_measured: bool) -> int:
        """Ask about a block of `size` bytes, and return the number of incorrect answers.

        If `is_measured`, the branches reached by each answer are recorded in the block.
        """
        if self._map is None or len(self._map) < size:
            self._map = mmap.mmap(self._memory, 0)
            self._address = np.uint64(np.frombuffer(self._map, np.uint8).ctypes.data)
        return self._loop(self._address, self._take if is_measured else ZERO)

    def _loop(self, block: np.uint64, take: np.uint64) -> int:
        own = np.uint64(self._own.ctypes.data)
        return int(words.ask_library(block, self._perft, self._lists, self._argument, np.uint64(ROOM), own, take))


def _lister(functions: Functions) -> str:
    """Return the name of the function that lists root moves, or "" if there is none."""
    offered = functions.names()
    if "divide" in offered:
        return "divide"
    return "moves" if "moves" in offered and functions.moves(KNOWN, LEGAL) is not None else ""
