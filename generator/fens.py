"""Many FENs at once, read and written by compiled code.

`Position.from_fen` and `Position.fen` are what it is measured by: each result is equal to theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .kernels.fen.reading import CHESS960, STANDARD, read_lines
from .kernels.fen.state import STATE_WORDS
from .kernels.fen.writing import LONGEST_FEN, write_lines
from .kernels.tables import tables
from .notation.fen import CastlingStyle
from .position import Position, read_fen
from .states import Words, positions_of, states_of
from .validation import FenError

BLOCK = 1 << 14
"""FENs that are read or written at a time; each takes a few hundred bytes meanwhile."""
T = TypeVar("T")


def read_fens(fens: Sequence[str], chess960: bool | None = False) -> list[Position | FenError]:
    """Return for each FEN the position that `Position.from_fen` returns, or the FenError that it raises."""
    return list(chain.from_iterable(_read_block(block, chess960) for block in _blocks(fens)))


def write_fens(positions: Sequence[Position], castling: CastlingStyle = "xfen") -> list[str]:
    """Return the FEN of each position, as `Position.fen` does."""
    texts = (write_states(states_of(block), castling) for block in _blocks(positions))
    return [fen for text in texts for fen in text.decode("ascii").splitlines()]


def remember_fens(positions: Sequence[Position]) -> None:
    """Write the FENs of positions, so that `Position.fen` of each has only to return its own."""
    for position, fen in zip(positions, write_fens(positions), strict=True):
        position.__dict__["_fen"] = fen


def read_states(text: bytes) -> tuple[Words, NDArray[np.uint8]]:
    """Return a state and a mark for each line; every line ends with a newline.

    Where the mark is `DOUBTFUL` (see `kernels.fen.reading`), the state is zero, and `Position.from_fen` knows whether
    the line is a FEN. Where it is `CHESS960`, the castling rights need Chess960.
    """
    number = text.count(b"\n")
    states, marks = np.zeros((number, STATE_WORDS), dtype=np.uint64), np.zeros(number, dtype=np.uint8)
    lines = np.frombuffer(text, dtype=np.uint8)
    read_lines(tables(), _address(lines), np.uint64(number), _address(states), _address(marks))
    return states, marks


def write_states(states: Words, castling: CastlingStyle = "xfen") -> bytes:
    """Return the FENs of states (n x `STATE_WORDS`), each with a newline behind it."""
    states = np.ascontiguousarray(states)
    text = np.empty(len(states) * LONGEST_FEN, dtype=np.uint8)
    length = write_lines(_address(states), np.uint64(len(states)), _address(text), np.uint64(castling == "shredder"))
    return text[: int(length)].tobytes()


def _read_block(fens: Sequence[str], chess960: bool | None) -> Iterable[Position | FenError]:
    states, marks = read_states(_lines_of(fens))
    needs = marks == CHESS960
    is_read = (marks == STANDARD) | (needs & (chess960 is not False))
    variants = needs[is_read].tolist() if chess960 is None else repeat(chess960)
    plain = positions_of(states[is_read], variants)
    if len(plain) == len(fens):
        return plain
    read = iter(plain)
    return [next(read) if ok else read_fen(fen, chess960) for fen, ok in zip(fens, is_read.tolist(), strict=False)]


def _lines_of(fens: Sequence[str]) -> bytes:
    """Return the FENs as lines: what is no ASCII, and a newline inside of a FEN, as something that is in no FEN."""
    text = "\n".join([*fens, ""])
    if text.count("\n") != len(fens):
        text = "\n".join([*(fen.replace("\n", "?") for fen in fens), ""])
    return text.encode("ascii", "replace")


def _blocks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    return (items[start : start + BLOCK] for start in range(0, len(items), BLOCK))


def _address(array: Words | NDArray[np.uint8]) -> np.uint64:
    return np.uint64(array.ctypes.data)
