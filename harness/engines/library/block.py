"""Memory that the process of a library shares with us: a block of drawn positions, and what became of them."""

from __future__ import annotations

import mmap
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import libraries as words

if TYPE_CHECKING:
    from ....generator.drawing.drawn import Drawn

_ALIGNED = 64
_STEP_BYTES = 2**20
"""The memory grows by steps of so many bytes."""


class SharedBlock:
    """Positions and answers in memory that the process of the library has, too."""

    def __init__(self, memory: int) -> None:
        """Take the descriptor of the memory."""
        self._memory = memory
        self._map: mmap.mmap | None = None
        self._header: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._doubted: NDArray[np.uint64] = np.zeros(0, np.uint64)

    def write(self, questions: Drawn) -> int:
        """Write positions, to be asked from the first one on; return how many bytes they take."""
        ends = np.ascontiguousarray(questions.text_ends)
        arrays: dict[np.uint64, NDArray[Any]] = {
            words.FENS: questions.text,
            words.FEN_ENDS: ends,
            words.DEPTHS: questions.depths,
            words.KEYS: questions.keys,
            words.KEY_ENDS: questions.ends,
            words.TOTALS: questions.totals,
            words.DOUBTED: np.zeros(len(ends), np.uint64),
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
        self._header[words.POSITIONS] = len(ends)
        self.begin(0)
        return size

    def begin(self, first: int) -> None:
        """Let the next round begin with this position."""
        self._header[words.FIRST] = self._header[words.UNDER_WAY] = first
        self._header[words.DOUBTS] = 0

    @property
    def under_way(self) -> int:
        """The position that is being asked about, or was when the process ended."""
        return min(int(self._header[words.UNDER_WAY]), int(self._header[words.POSITIONS]) - 1)

    @property
    def doubts(self) -> list[int]:
        """The positions answered wrongly in this round."""
        found: list[int] = self._doubted[: int(self._header[words.DOUBTS])].tolist()
        return [number for number in found if number < len(self._doubted)]

    def _with_room(self, size: int) -> mmap.mmap:
        if self._map is None or len(self._map) < size:
            room = -(-size // _STEP_BYTES) * _STEP_BYTES
            os.ftruncate(self._memory, room)
            self._map = mmap.mmap(self._memory, room)
            self._header = np.frombuffer(self._map, np.uint64, words.HEADER_BYTES // 8)
        return self._map
