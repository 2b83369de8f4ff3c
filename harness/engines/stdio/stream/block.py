"""A block of questions that an engine is asked at once: how it is asked, and what has been heard of the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .....generator.drawing.drawn import Drawn
from ...asking_ahead import Collected
from ...base import EngineError
from ...kernels.answers import (
    CLOSED,
    QUESTION,
    ROOT_MOVE_ROOM,
    STATE_WORDS,
    STRAY,
    AnswerFormat,
    AnswerMemory,
    Expected,
    read_answers,
)
from ...kernels.lines import KEYS
from ..descriptor import Descriptor
from ..dialects import ROOT_MOVES, TOTALS
from ..grammar import programs, separators
from ..lines import AnswerPatterns, root_move
from ..process import plain_text


def rewritten_total(patterns: AnswerPatterns) -> str:
    """Return the format in which the totals are that patterns read, one of `dialects.TOTALS`."""
    has_depth = patterns.total is not None and "depth" in patterns.total.group_names
    return "Perft D: N" if has_depth else "Nodes: N"


class AnswerRewriter:
    """Rewrites the output of an engine as it comes, line by line."""

    def __init__(self, patterns: AnswerPatterns | None, separator: str) -> None:
        """Take the patterns, and what this engine writes between thousands where they do not read it."""
        self._patterns, self._separator = patterns or AnswerPatterns(), separator
        self._rest = b""

    @property
    def unended(self) -> int:
        """The length of the last line as far as it has come, without its newline."""
        return len(self._rest)

    def rewrite(self, data: bytes) -> bytes:
        """Take in output; return the root moves and totals of the lines that have ended. Raises UnparseableOutput."""
        text = self._rest + data.replace(b"\r", b"\n")
        *lines, self._rest = text.split(b"\n")
        found = [self._rewrite_line(plain_text(line)) for line in lines if line]
        return "".join(found).encode()

    def _rewrite_line(self, line: str) -> str:
        patterns = self._patterns
        pair = root_move(line, self._separator) if patterns.move is None else patterns.root_move(line)
        if pair is not None:
            return f"{pair[0]}: {pair[1]}\n"
        if patterns.total is None:
            is_no_root_move = patterns.move is not None and root_move(line, self._separator) is not None
            return "" if is_no_root_move else f"{line}\n"
        return "".join(
            f"nodes: {nodes}\n" if depth is None else f"perft {depth}: {nodes}\n"
            for _, nodes, depth in patterns.totals(line)
        )


NEVER = 1_000
"""A depth at which nobody lists root moves."""


@dataclass(frozen=True)
class StreamProtocol:
    """How an engine is asked ahead, and how it writes its answers."""

    descriptor: Descriptor
    total_format: str
    """How it writes totals, one of `dialects.TOTALS`."""
    lists_from: int
    """The least depth at which it lists root moves; `NEVER` where only totals can be compared."""
    threads: int = 1
    leaves_out_final_moves: bool = False
    """Whether it lists no root moves with a count of 0."""
    is_rewritten: bool = False
    """Whether its answers have to be rewritten for the compiled reader."""

    def questions(self, drawn: Drawn) -> bytes:
        """Return what asks about all positions of a block."""
        depths = drawn.depths.tolist()
        around = {depth: self._around(depth) for depth in set(depths)}
        pieces: list[bytes] = []
        for fen, depth in zip(drawn.text.tobytes().split(b"\n"), depths, strict=False):  # nothing is behind the last \n
            before, after = around[depth]
            pieces += (before, fen, after)
        return b"".join(pieces)

    def _around(self, depth: int) -> tuple[bytes, bytes]:
        """Return what stands before and behind a FEN in a question."""
        lines = self.descriptor.lines("\0", [], depth, self.threads)
        before, _, after = "\n".join(lines).partition("\0")
        return before.encode(), f"{after}\n".encode()


class ExpectedAnswers:
    """What a right generator answers to a block, in memory that a kernel reads."""

    def __init__(self, drawn: Drawn, has_final_moves: bool = True) -> None:
        """Take a block, without root moves that have a count of 0 unless `has_final_moves`.

        Raises ValueError where its arrays do not fit together.
        """
        per_position = (drawn.ends, drawn.totals, drawn.depths)
        number, listed = len(drawn.text_ends), len(drawn.keys)
        fits = all(len(one) == number for one in per_position) and len(drawn.counts) == listed
        if not fits or (listed and int(drawn.keys.max()) >= KEYS) or (number and int(drawn.ends[-1]) != listed):
            raise ValueError("the arrays of the block do not fit together")
        keys, arrays = drawn.keys, (drawn.counts, *per_position)
        if not has_final_moves and listed:
            has_leaves = drawn.counts != 0
            new_ends = np.concatenate(([0], np.cumsum(has_leaves)))[drawn.ends]
            keys, arrays = keys[has_leaves], (drawn.counts[has_leaves], new_ends, drawn.totals, drawn.depths)
        self._keys = np.ascontiguousarray(keys, dtype=np.uint16)
        self._words = [np.ascontiguousarray(one, dtype=np.int64) for one in arrays]
        at = [_address(one) for one in self._words]
        self.expected = Expected(_address(self._keys), at[0], at[1], at[2], at[3], np.uint64(number))


def _address(array: NDArray[Any]) -> np.uint64:
    return np.uint64(array.ctypes.data)


@dataclass(frozen=True)
class Marker:
    """The question that follows a block, and the engine's own answer to it."""

    question: bytes
    right: ExpectedAnswers


class Reader:
    """What a kernel needs to read the answers of one engine."""

    def __init__(self, protocol: StreamProtocol) -> None:
        self._programs = np.frombuffer(programs((*ROOT_MOVES, TOTALS[protocol.total_format])), dtype=np.uint8)
        self._separators = np.frombuffer(separators(protocol.descriptor.separator or ""), dtype=np.uint8)
        addresses = _address(self._programs), _address(self._separators)
        self.format = AnswerFormat(*addresses, np.uint64(protocol.lists_from))
        self._keys = np.zeros(ROOT_MOVE_ROOM, dtype=np.uint16)
        self._counts = np.zeros(ROOT_MOVE_ROOM, dtype=np.uint64)
        self._places = np.zeros(KEYS, dtype=np.uint16)

    def memory(self, state: NDArray[np.uint64], marks: NDArray[np.uint16]) -> AnswerMemory:
        """Return the addresses of the memory for one block."""
        shared = _address(self._keys), _address(self._counts), _address(self._places)
        return AnswerMemory(_address(state), *shared, _address(marks))


class StreamBlock:
    """Questions whose answers are being read, with the marker that is asked about after them."""

    def __init__(self, drawn: Drawn, right: ExpectedAnswers, marker: Marker, reader: Reader) -> None:
        self.drawn, self.marker = drawn, marker
        self._kept = right, reader  # a kernel reads and writes their memory
        self._state = np.zeros(STATE_WORDS, dtype=np.uint64)
        self._marks = np.zeros(len(drawn) + 1, dtype=np.uint16)
        memory = reader.memory(self._state, self._marks)
        self._words = np.array([*reader.format, *right.expected, *marker.right.expected, *memory], dtype=np.uint64)
        self._address = _address(self._words)

    @property
    def is_closed(self) -> bool:
        """Whether the marker has been answered, so that nothing more is to come."""
        return bool(self._state[CLOSED])

    @property
    def progress(self) -> tuple[int, ...]:
        """What changes with each answer to a question, not with one that is given again: that may go on for ever."""
        return int(self._state[QUESTION]), int(self._state[CLOSED])

    def read(self, address: int, size: int) -> int:
        """Read whole lines at an address, as far as they belong to this block; return how many bytes they have."""
        return int(read_answers(np.uint64(address), np.uint64(size), self._address))

    def finish(self, trouble: EngineError | None, was_asked: bool = True) -> Collected:
        """Return what has become of the block, where there was trouble, of one that may not have been asked."""
        answered = min(int(self._state[QUESTION]), len(self.drawn))
        if trouble is not None and was_asked and answered < len(self.drawn):
            self._marks[answered] = 1
        doubtful = np.flatnonzero(self._marks[: len(self.drawn)])
        return Collected(self.drawn, doubtful, answered, int(self._state[STRAY]), trouble)
