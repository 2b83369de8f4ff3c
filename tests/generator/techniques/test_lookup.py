"""The tables of the lookup technique."""

from __future__ import annotations

import random

import numpy as np
import pytest
from perft_check.generator.kernels import geometry
from perft_check.generator.techniques import lookup_tables
from perft_check.generator.techniques.lookup import LOOKUP
from perft_check.generator.types.squares import square_of, squares_in

pytestmark = pytest.mark.slow  # compiling takes long

E4 = square_of("e4")
TABLE = lookup_tables.build()
AXES = (((1, 0), (-1, 0)), ((0, 1), (0, -1)), ((1, 1), (-1, -1)), ((1, -1), (-1, 1)))


def squares(names: str) -> int:
    return geometry.bitboard([square_of(name) for name in names.split()])


def along(line: int, square: int, occupied: int) -> int:
    """Look up a line as the kernel does."""
    inner, factor = map(int, TABLE[int(lookup_tables.LINES) + square * 8 + line * 2 :][:2])
    state = (occupied & inner) * factor % 2**64 >> 58
    return int(TABLE[int(lookup_tables.SLIDES) + (line * 64 + square) * 64 + state])


def test_size_of_the_tables() -> None:
    """There are eight tables with a word per square, eight words per square for lines, and 64 states of four lines."""
    assert len(TABLE) == lookup_tables.WORDS == 8 * 64 + 8 * 64 + 4 * 64 * 64
    assert LOOKUP.table_bytes == 139_264


def test_the_rook_on_e4_is_looked_up_by_rank_and_file() -> None:
    rank, file = int(lookup_tables.RANK), int(lookup_tables.FILE)
    assert along(rank, E4, squares("c4 e4 g4 h4")) == squares("c4 d4 f4 g4")
    assert along(file, E4, squares("e6 e4")) == squares("e1 e2 e3 e5 e6")
    assert len({along(rank, E4, occupied << 24) for occupied in range(256)}) == 4 * 3


@pytest.mark.parametrize("line", range(4))
def test_every_line(line: int) -> None:
    draw = random.Random(line)
    for square in range(64):
        for _ in range(40):
            occupied = draw.getrandbits(64) & draw.getrandbits(64)
            assert along(line, square, occupied) == geometry.slider_attacks(square, AXES[line], occupied)


@pytest.mark.parametrize(
    ("table", "square", "targets"),
    [
        (lookup_tables.KNIGHT, "e4", "d6 f6 c5 g5 c3 g3 d2 f2"),
        (lookup_tables.KING, "h1", "g1 g2 h2"),
        (lookup_tables.PUSH, "e2", "e3"),
        (lookup_tables.DOUBLE_PUSH, "e2", "e4"),
        (lookup_tables.DOUBLE_PUSH, "e3", ""),
        (lookup_tables.PAWN_CAPTURE, "a2", "b3"),
        (np.uint64(lookup_tables.PUSH + np.uint64(64)), "e7", "e6"),
        (np.uint64(lookup_tables.DOUBLE_PUSH + np.uint64(64)), "e7", "e5"),
        (np.uint64(lookup_tables.PAWN_CAPTURE + np.uint64(64)), "e4", "d3 f3"),
    ],
)
def test_sets_by_square(table: np.uint64, square: str, targets: str) -> None:
    assert squares_in(int(TABLE[int(table) + square_of(square)])) == squares_in(squares(targets))
