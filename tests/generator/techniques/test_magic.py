"""The magic technique: its table, the rook on e4, the search for numbers."""

from __future__ import annotations

from perft_check.generator.kernels.sliders import magic
from perft_check.generator.kernels.sliders.magic import BISHOP, ROOK
from perft_check.generator.techniques.magic import MAGICS
from perft_check.generator.types.squares import square_of


def test_the_search_reproduces_the_numbers() -> None:
    for piece, origins in ((BISHOP, range(16)), (ROOK, map(square_of, ("e4", "b7", "h5")))):
        for square in origins:
            assert MAGICS.find_tries(piece, square) == MAGICS.tries[piece][square]


def test_the_numbers_differ_from_those_of_the_kernels() -> None:
    own, kernels = (
        {numbers.number(piece, square) for piece in (ROOK, BISHOP) for square in range(64)}
        for numbers in (MAGICS, magic.MAGICS)
    )
    assert len(own) == len(kernels) == 128
    assert own.isdisjoint(kernels)
