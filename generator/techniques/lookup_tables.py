"""The tables of the lookup technique: precomputed moves of every piece from every square.

Layout in words, by square:

    KNIGHT, KING                               attacked squares
    PUSH, DOUBLE_PUSH, PAWN_CAPTURE + side*64  pawn moves depend on the side, and captures differ from pushes
    LINES    eight words per square            mask and factor of each of the four lines through it
    SLIDES   64 sets per line and square       the moves along the line for each state of its inner squares

A slider is looked up line by line. At most six squares of a line determine how far it moves, because a piece on the
edge square blocks nothing. A multiplication collects the six bits in the top bits of a word. The squares of a rank or
a diagonal are on different files, so the multiplication can add all ranks into the top one without two bits colliding;
a file is first turned into a rank.

    rook on e4, along the rank:   occupied . . x . R . x x   moves  . . 1 1 . 1 1 .
                                  state      0 1 0 0 0 1       one of sixty-four

Squares are seen by the side that moves first, which goes up the board.
"""

from __future__ import annotations

import numpy as np

from ..kernels import geometry
from ..kernels.machine.bits import load, multiply
from ..kernels.machine.jit import inline
from ..kernels.sliders.magic import attacks_of_subsets, blocker_subsets
from .technique import Table

RANK, FILE, DIAGONAL, ANTIDIAGONAL = (np.uint64(line) for line in range(4))
_AXES = ((1, 0), (0, 1), (1, 1), (1, -1))
_FILE_B = 0x0202_0202_0202_0202
KNIGHT, KING, PUSH, DOUBLE_PUSH, PAWN_CAPTURE = (np.uint64(offset) for offset in (0, 64, 128, 256, 384))
LINES = np.uint64(512)
SLIDES = np.uint64(1024)
WORDS = 1024 + 4 * 64 * 64
_1, _3, _6, _58 = (np.uint64(number) for number in (1, 3, 6, 58))


def build() -> Table:
    """Return all tables as uint64 values."""
    table = np.zeros(WORDS, dtype=np.uint64)
    for square in range(64):
        table[int(KNIGHT) + square] = geometry.leaper_attacks(square, geometry.KNIGHT_STEPS)
        table[int(KING) + square] = geometry.leaper_attacks(square, geometry.KING_STEPS)
        _fill_pawns(table, square)
        for line in range(4):
            _fill_line(table, square, line)
    return table


def _fill_pawns(table: Table, square: int) -> None:
    for side, (up, start) in enumerate(((1, 1), (-1, 6))):
        index = side * 64 + square
        steps = geometry.ray(square, (0, up))
        table[int(PUSH) + index] = geometry.bitboard(steps[:1])
        table[int(DOUBLE_PUSH) + index] = geometry.bitboard(steps[1:2]) if square // 8 == start else 0
        table[int(PAWN_CAPTURE) + index] = geometry.leaper_attacks(square, ((-1, up), (1, up)))


def _fill_line(table: Table, square: int, line: int) -> None:
    files, ranks = _AXES[line]
    directions = ((files, ranks), (-files, -ranks))
    inner = geometry.blocker_mask(square, directions)
    # For a file, the multiplication moves the square on rank r to bit 57 + r.
    factor = sum(1 << 57 - 7 * rank - square % 8 for rank in range(1, 7)) if files == 0 else _FILE_B
    record = int(LINES) + square * 8 + line * 2
    table[record : record + 2] = inner, factor
    subsets = blocker_subsets(inner)
    states = subsets * np.uint64(factor) >> _58
    table[int(SLIDES) + (line * 64 + square) * 64 + states] = attacks_of_subsets(square, directions, subsets)


@inline
def at_square(walk: np.uint64, table: np.uint64, square: np.uint64) -> np.uint64:
    """Return the entry of a table for a square."""
    return load(walk, table + square)


@inline
def at_pawn_square(walk: np.uint64, table: np.uint64, side: np.uint64, square: np.uint64) -> np.uint64:
    """Return the entry of a pawn table for a side and a square."""
    return load(walk, table + (side << _6) + square)


@inline
def _along(walk: np.uint64, line: np.uint64, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the attacks of a slider on `square` along a line, in both directions."""
    record = LINES + (square << _3) + line + line
    state = multiply(occupied & load(walk, record), load(walk, record + _1)) >> _58
    return load(walk, SLIDES + (((line << _6) + square) << _6) + state)


@inline
def orthogonal(walk: np.uint64, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the attacks of a rook."""
    return _along(walk, RANK, square, occupied) | _along(walk, FILE, square, occupied)


@inline
def diagonal(walk: np.uint64, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the attacks of a bishop."""
    return _along(walk, DIAGONAL, square, occupied) | _along(walk, ANTIDIAGONAL, square, occupied)
