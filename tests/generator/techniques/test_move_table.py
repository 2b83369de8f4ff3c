"""Move tables: their size, the lists of a rook and a bishop, and that every jump goes on."""

from __future__ import annotations

from perft_check.generator.techniques.move_table import KINDS, MOVE_TABLE, SENTINEL
from perft_check.generator.types.pieces import Kind
from perft_check.generator.types.squares import name_of, square_of


def entries(kind: Kind, origin: int) -> list[tuple[int, int]]:
    """Return a list up to its sentinel: squares, and jumps as numbers in the list."""
    table = MOVE_TABLE.table.tolist()
    start = table[KINDS.index(kind) * 64 + origin]
    end = table.index(SENTINEL, start)
    return [(entry & 255, (entry >> 8) - start) for entry in table[start:end]]


def test_a_list_for_each_piece_and_square() -> None:
    heads, steps = 5 * 64, 1456 + 896 + 560 + 336 + 420
    assert len(MOVE_TABLE.table) == heads + steps + heads
    assert MOVE_TABLE.table_bytes == 4 * 4308
    assert MOVE_TABLE.table.tolist().count(SENTINEL) == 5 * 64


def test_rook_on_e4() -> None:
    found = entries(Kind.ROOK, square_of("e4"))
    assert " ".join(name_of(square) for square, _ in found) == "e5 e6 e7 e8 f4 g4 h4 e3 e2 e1 d4 c4 b4 a4"
    assert [jump for _, jump in found] == [4] * 4 + [7] * 3 + [10] * 3 + [14] * 4


def test_bishop_on_d5() -> None:
    found = entries(Kind.BISHOP, square_of("d5"))
    assert " ".join(name_of(square) for square, _ in found) == "e6 f7 g8 e4 f3 g2 h1 c4 b3 a2 c6 b7 a8"
    assert [jump for _, jump in found] == [3] * 3 + [7] * 4 + [10] * 3 + [13] * 3


def test_every_jump_leads_forward_to_a_ray_or_to_the_end() -> None:
    for kind in KINDS:
        for origin in range(64):
            jumps = [jump for _, jump in entries(kind, origin)]
            assert all(number < jump <= len(jumps) for number, jump in enumerate(jumps))
            assert jumps[-1] == len(jumps)
