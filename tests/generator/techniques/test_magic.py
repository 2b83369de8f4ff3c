"""The magic technique: its table, a rook on e4, and the search for magic numbers."""

from __future__ import annotations

import random

import pytest
from perft_check.generator.kernels import geometry
from perft_check.generator.kernels.sliders import magic
from perft_check.generator.kernels.sliders.magic import BISHOP, DIRECTIONS, ROOK
from perft_check.generator.techniques.magic import ATTACKS, CAPTURE, MAGIC, MAGICS, RECORD, build
from perft_check.generator.types.squares import square_of

E4 = square_of("e4")
TABLE = build()


def squares(names: str) -> int:
    return geometry.bitboard([square_of(name) for name in names.split()])


def record(piece: int, square: int) -> list[int]:
    """Return the mask, the magic number, the shift and the start of the attacks."""
    start = square * RECORD + piece * 4
    return [int(word) for word in TABLE[start : start + 4]]


def index_of(piece: int, square: int, occupied: int) -> int:
    mask, number, shift, _ = record(piece, square)
    return (occupied & mask) * number % 2**64 >> shift


def test_size_of_the_table() -> None:
    """The table has 800 KiB for rooks, 41 KiB for bishops, and a cache line per square."""
    assert len(TABLE) == 64 * 8 + 102_400 + 5_248
    assert TABLE.nbytes == 4096 + 819_200 + 41_984
    assert MAGIC.table_bytes == TABLE.nbytes + 1024


def test_the_magic_index_of_the_rook_on_e4() -> None:
    mask, _, shift, place = record(ROOK, E4)
    assert mask == squares("e2 e3 e5 e6 e7 b4 c4 d4 f4 g4")
    assert shift == 64 - 10
    assert place == ATTACKS + sum(2 ** record(ROOK, square)[0].bit_count() for square in range(E4))
    blockers = squares("e6 c4 a4 e8")
    targets = squares("e5 e6 e3 e2 e1 f4 g4 h4 d4 c4")
    assert int(TABLE[place + index_of(ROOK, E4, blockers)]) == targets


@pytest.mark.parametrize("piece", [ROOK, BISHOP])
def test_attacks_of_every_square(piece: int) -> None:
    draw = random.Random(piece)
    for square in range(64):
        for _ in range(40):
            occupied = draw.getrandbits(64) & draw.getrandbits(64)
            attacks = int(TABLE[record(piece, square)[3] + index_of(piece, square, occupied)])
            assert attacks == geometry.slider_attacks(square, DIRECTIONS[piece], occupied)


def test_the_search_reproduces_the_magic_numbers() -> None:
    for piece, origins in ((BISHOP, range(16)), (ROOK, map(square_of, ("e4", "b7", "h5")))):
        for square in origins:
            assert MAGICS.find_tries(piece, square) == MAGICS.tries[piece][square]


def test_the_magic_numbers_differ_from_those_of_the_kernels() -> None:
    own, kernels = (
        {numbers.number(piece, square) for piece in (ROOK, BISHOP) for square in range(64)}
        for numbers in (MAGICS, magic.MAGICS)
    )
    assert len(own) == len(kernels) == 128
    assert own.isdisjoint(kernels)


def test_the_capture_flag_is_beyond_the_sixteen_bits_of_a_list() -> None:
    assert int(CAPTURE) == 1 << 16
