"""Conversion between many positions, the kernels' arrays of states, and FEN text."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from .kernels.attacks import NOT_FILE_A, NOT_FILE_H
from .kernels.fen import FLIP, LONGEST_FEN, NOWHERE, write_lines
from .kernels.machine.bits import ONE
from .kernels.machine.memory import address_of
from .notation.fen import CastlingStyle
from .position import Position
from .types.pieces import Color

Words = NDArray[np.uint64]

_PIECES, _ROW_WORDS = 12, 17
"""Number of bitboards, and of all values, in a row that describes a `Position`."""
_7, _9 = np.uint64(7), np.uint64(9)
_COLORS = tuple(Color)
_SQUARES = (*range(int(NOWHERE)), None)


def states_of(positions: Sequence[Position]) -> Words:
    """Return positions as states for kernels, of shape (n, `STATE_WORDS`)."""
    words = chain.from_iterable(map(_row_of, positions))
    rows = np.fromiter(words, dtype=np.uint64, count=len(positions) * _ROW_WORDS).reshape(-1, _ROW_WORDS)
    black, castling, passed, halfmove, fullmove = rows.T[_PIECES:]
    pawns, knights, bishops, rooks, queens, kings = np.moveaxis(rows[:, :_PIECES].reshape(-1, 2, 6), 2, 0)
    sides = np.stack([pawns, knights, bishops | queens, rooks | queens, kings], axis=2)
    boards = _seen(sides, black).reshape(-1, 10)
    target = ONE << (passed ^ FLIP * black)  # for `NOWHERE`, NumPy shifts the bit out
    ready = boards[:, 0]
    target &= (ready & NOT_FILE_A) << _7 | (ready & NOT_FILE_H) << _9
    rights = np.where(black, castling.byteswap(), castling)
    return np.column_stack([boards, target, rights, black, passed, halfmove, fullmove])


def positions_of(states: Words, chess960: Iterable[bool]) -> list[Position]:
    """Return states as positions; `chess960` says for each one whether it is a Chess960 position."""
    *boards, _, rights, black, passed, halfmove, fullmove = states.T
    sides = _seen(np.stack(boards, axis=1).reshape(-1, 2, 5), black)
    pawns, knights, diagonals, orthogonals, kings = np.moveaxis(sides, 2, 0)
    queens = diagonals & orthogonals
    kinds = np.stack([pawns, knights, diagonals ^ queens, orthogonals ^ queens, queens, kings])
    pieces = zip(*(zip(*words, strict=True) for words in np.moveaxis(kinds, 2, 0).tolist()), strict=True)
    turns, squares = map(_COLORS.__getitem__, black.tolist()), map(_SQUARES.__getitem__, passed.tolist())
    castling = np.where(black, rights.byteswap(), rights)
    fields = (pieces, turns, castling.tolist(), squares, halfmove.tolist(), fullmove.tolist(), chess960)
    with _no_collections():  # everything but the constructor runs in C loops
        return list(map(Position, *fields))


@contextmanager
def _no_collections() -> Iterator[None]:
    """Disable garbage collection while many objects are created, none of which can be freed yet."""
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
    """Convert bitboards (n x side x type) between White's view and that of the side to move."""
    seen, is_black = sides.copy(), black != 0
    seen[is_black] = sides[is_black, ::-1].byteswap()
    return seen


def write_states(states: Words, castling: CastlingStyle = "xfen") -> bytes:
    """Return the FENs of states, of shape (n, `STATE_WORDS`), each followed by a newline."""
    states = np.ascontiguousarray(states)
    text = np.empty(len(states) * LONGEST_FEN, dtype=np.uint8)
    length = write_lines(
        address_of(states), np.uint64(len(states)), address_of(text), np.uint64(castling == "shredder")
    )
    return text[: int(length)].tobytes()
