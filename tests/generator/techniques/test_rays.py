"""The steps of which all move tables are made."""

from __future__ import annotations

import pytest
from perft_check.generator.kernels import geometry
from perft_check.generator.techniques import rays
from perft_check.generator.types.pieces import Kind
from perft_check.generator.types.squares import name_of, square_of

E4 = square_of("e4")


@pytest.mark.parametrize(
    ("kind", "number"),
    [(Kind.QUEEN, 1456), (Kind.ROOK, 896), (Kind.BISHOP, 560), (Kind.KNIGHT, 336), (Kind.KING, 420)],
)
def test_number_of_steps_from_all_squares(kind: Kind, number: int) -> None:
    assert sum(len(rays.steps(kind, origin)) for origin in range(64)) == number


def test_rook_on_e4_goes_north_east_south_west() -> None:
    assert [[name_of(target) for target in ray] for ray in rays.rays(Kind.ROOK, E4)] == [
        ["e5", "e6", "e7", "e8"],
        ["f4", "g4", "h4"],
        ["e3", "e2", "e1"],
        ["d4", "c4", "b4", "a4"],
    ]
    assert [step.blocked for step in rays.steps(Kind.ROOK, E4)] == [4] * 4 + [7] * 3 + [10] * 3 + [14] * 4


def test_a_queen_goes_where_rook_and_bishop_go() -> None:
    for origin in range(64):
        targets = [step.target for step in rays.steps(Kind.QUEEN, origin)]
        both = rays.steps(Kind.ROOK, origin) + rays.steps(Kind.BISHOP, origin)
        assert targets == [step.target for step in both]


@pytest.mark.parametrize(("kind", "ways"), [(Kind.KNIGHT, geometry.KNIGHT_STEPS), (Kind.KING, geometry.KING_STEPS)])
def test_steppers_go_on_with_the_next_step_either_way(kind: Kind, ways: tuple[geometry.Direction, ...]) -> None:
    for origin in range(64):
        steps = rays.steps(kind, origin)
        assert geometry.bitboard([step.target for step in steps]) == geometry.leaper_attacks(origin, ways)
        assert [step.blocked for step in steps] == list(range(1, len(steps) + 1))


def test_nodes_are_numbered_through_and_never_lead_back() -> None:
    nodes, heads = rays.nodes()
    assert len(nodes) == rays.NODES == 2912
    assert (heads[0], heads[64], heads[128], len(heads)) == (0, 1456, 1456 + 896, 192)
    for number, node in enumerate(nodes):
        assert node.free in (0, number + 1)
        assert node.blocked == 0 or number < node.free <= node.blocked
    assert sum(node.free == 0 for node in nodes) == 192
