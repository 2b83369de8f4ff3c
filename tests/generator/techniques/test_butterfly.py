"""Butterfly boards: their size, and the threads of some pieces."""

from __future__ import annotations

import pytest
from perft_check.generator.techniques.butterfly import BUTTERFLY
from perft_check.generator.types.squares import name_of, square_of

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
POSITION, DIRECTION = 0, 1


def thread(kind: int, origin: str, column: int, start: str | None = None) -> list[str]:
    """Return the squares from `start` (default: the one after the origin) until the thread returns to the origin."""
    squares = BUTTERFLY.table[kind, square_of(origin)]
    square = square_of(start) if start else int(squares[square_of(origin), column])
    found = []
    while square != square_of(origin):
        found.append(name_of(square))
        square = int(squares[square, column])
    return found


def test_size_of_the_butterfly_boards() -> None:
    assert BUTTERFLY.table.shape == (8, 64, 64, 2)
    assert BUTTERFLY.table.dtype.itemsize == 1
    assert BUTTERFLY.table_bytes == 64 * 1024


def test_rook_on_e4() -> None:
    assert " ".join(thread(ROOK, "e4", POSITION)) == "e5 e6 e7 e8 f4 g4 h4 e3 e2 e1 d4 c4 b4 a4"
    for first, ray in {"f4": "e5 e6 e7 e8", "e3": "f4 g4 h4", "d4": "e3 e2 e1"}.items():
        for target in ray.split():
            assert thread(ROOK, "e4", DIRECTION, target)[1] == first
    for target in ("d4", "c4", "b4", "a4"):
        assert thread(ROOK, "e4", DIRECTION, target) == [target]


@pytest.mark.parametrize(
    ("origin", "pushes", "captures"),
    [
        ("e2", ["e3", "e4"], ["d3", "f3"]),
        ("e4", ["e5"], ["d5", "f5"]),
        ("a2", ["a3", "a4"], ["b3"]),
        ("h7", ["h8"], ["g8"]),
        ("e8", [], []),
    ],
)
def test_pawns_have_a_thread_of_pushes_and_one_of_captures(origin: str, pushes: list[str], captures: list[str]) -> None:
    assert thread(PAWN, origin, POSITION) == pushes
    assert thread(PAWN, origin, DIRECTION) == captures


def test_total_length_of_the_threads_of_each_piece() -> None:
    def total(kind: int) -> int:
        return sum(len(thread(kind, name_of(origin), POSITION)) for origin in range(64))

    assert [total(kind) for kind in range(8)] == [0, 56 + 8, 336, 560, 896, 1456, 420, 0]
