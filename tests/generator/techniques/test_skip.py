"""The lists with skips: their size, a rook's list, and where the skips lead."""

from __future__ import annotations

from perft_check.generator.techniques import rays
from perft_check.generator.techniques.skip import SENTINEL, SKIP
from perft_check.generator.types.pieces import Kind
from perft_check.generator.types.squares import name_of, square_of


def entries(kind: Kind, origin: int) -> list[tuple[int, int]]:
    """Return a list up to its sentinel: targets and skips."""
    table = SKIP.table.tolist()
    start = table[rays.SLIDERS.index(kind) * 64 + origin]
    end = table.index(SENTINEL, start)
    return [(entry & 255, entry >> 8) for entry in table[start:end]]


def test_size() -> None:
    assert len(SKIP.table) == 192 + 2912 + 192
    assert SKIP.table_bytes == 2 * 3296


def test_rook_on_e4() -> None:
    found = entries(Kind.ROOK, square_of("e4"))
    assert " ".join(name_of(target) for target, _ in found) == "e5 e6 e7 e8 f4 g4 h4 e3 e2 e1 d4 c4 b4 a4"
    assert [skip for _, skip in found] == [3, 2, 1, 0, 2, 1, 0, 2, 1, 0, 3, 2, 1, 0]


def test_a_blocked_step_goes_on_with_the_next_ray() -> None:
    for kind in rays.SLIDERS:
        for origin in range(64):
            steps, found = rays.steps(kind, origin), entries(kind, origin)
            assert [target for target, _ in found] == [step.target for step in steps]
            assert [number + 1 + skip for number, (_, skip) in enumerate(found)] == [step.blocked for step in steps]
