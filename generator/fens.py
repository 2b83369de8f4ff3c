"""Many positions at once: the arrays in which kernels read and write them, and their FENs.

`Position.from_fen` and `Position.fen` are what it is measured by: each result is equal to theirs.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .kernels.attacks import NOT_FILE_A, NOT_FILE_H
from .kernels.fen.reading import CHESS960, STANDARD, read_lines
from .kernels.fen.state import FLIP, NOWHERE, STATE_WORDS
from .kernels.fen.writing import LONGEST_FEN, write_lines
from .kernels.machine.bits import ONE
from .kernels.tables import tables
from .notation.fen import CastlingStyle
from .position import Position, read_fen
from .types.pieces import Color
from .validation import FenError

Words = NDArray[np.uint64]

_PIECES, _ROW_WORDS = 12, 17
"""Of a row, which has a position as `Position` has it: its bitboards, and all its words."""
_7, _9 = np.uint64(7), np.uint64(9)
_COLORS = tuple(Color)
_SQUARES = (*range(int(NOWHERE)), None)


def states_of(positions: Sequence[Position]) -> Words:
    """Return the states of positions as the kernels have them: n x `STATE_WORDS`."""
    words = chain.from_iterable(map(_row_of, positions))
    rows = np.fromiter(words, dtype=np.uint64, count=len(positions) * _ROW_WORDS).reshape(-1, _ROW_WORDS)
    black, castling, passed, halfmove, fullmove = rows.T[_PIECES:]
    pawns, knights, bishops, rooks, queens, kings = np.moveaxis(rows[:, :_PIECES].reshape(-1, 2, 6), 2, 0)
    sides = np.stack([pawns, knights, bishops | queens, rooks | queens, kings], axis=2)
    boards = _seen(sides, black).reshape(-1, 10)
    target = ONE << (passed ^ FLIP * black)  # NumPy shifts the bit out for `NOWHERE`
    ready = boards[:, 0]
    target &= (ready & NOT_FILE_A) << _7 | (ready & NOT_FILE_H) << _9
    rights = np.where(black, castling.byteswap(), castling)
    return np.column_stack([boards, target, rights, black, passed, halfmove, fullmove])


def positions_of(states: Words, chess960: Iterable[bool]) -> list[Position]:
    """Return the positions of states; `chess960` says for each whether it is of Chess960."""
    *boards, _, rights, black, passed, halfmove, fullmove = states.T
    sides = _seen(np.stack(boards, axis=1).reshape(-1, 2, 5), black)
    pawns, knights, diagonals, orthogonals, kings = np.moveaxis(sides, 2, 0)
    queens = diagonals & orthogonals
    kinds = np.stack([pawns, knights, diagonals ^ queens, orthogonals ^ queens, queens, kings])
    pieces = zip(*(zip(*words, strict=True) for words in np.moveaxis(kinds, 2, 0).tolist()), strict=True)
    turns, squares = map(_COLORS.__getitem__, black.tolist()), map(_SQUARES.__getitem__, passed.tolist())
    castling = np.where(black, rights.byteswap(), rights)
    fields = (pieces, turns, castling.tolist(), squares, halfmove.tolist(), fullmove.tolist(), chess960)
    with _no_collections():  # most of what reading a FEN takes: loops of C, but for the constructor
        return list(map(Position, *fields))


@contextmanager
def _no_collections() -> Iterator[None]:
    """Keep the collector from going through many new objects again and again: none of them is garbage yet."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _row_of(position: Position) -> tuple[int, ...]:
    passed = int(NOWHERE) if position.en_passant is None else position.en_passant
    white, black = position.pieces
    return (*white, *black, position.turn, position.castling, passed, position.halfmove, position.fullmove)


def _seen(sides: Words, black: Words) -> Words:
    """Return bitboards (n x side x kind) as White sees them, or back, as the side to move sees them."""
    seen, is_black = sides.copy(), black != 0
    seen[is_black] = sides[is_black, ::-1].byteswap()
    return seen


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
