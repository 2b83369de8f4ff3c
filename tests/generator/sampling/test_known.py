"""Blocks of positions that are known, against blocks that are made of one answer after the other."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from helpers.blocks import correct_block, random_positions
from perft_check.generator import Position
from perft_check.generator.sampling.known import known_block

MATE = Position.from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
PROMOTES = Position.from_fen("r3k2r/1P4P1/8/3pP3/8/8/1p4p1/R3K2R w KQkq d6 0 1")


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("chess960", "castles_to_rook"), [(False, False), (False, True), (True, True)])
def test_a_known_block_has_the_right_answers(depth: int, chess960: bool, castles_to_rook: bool) -> None:
    special = () if chess960 else (MATE, PROMOTES)
    positions = [*special, *random_positions(20, chess960=chess960), *special]
    found = known_block(positions, [depth] * len(positions), chess960=chess960, castles_to_rook=castles_to_rook)
    right = correct_block(positions, depth, castles_to_rook)
    for field in fields(found):
        one, other = getattr(found, field.name), getattr(right, field.name)
        assert np.array_equal(one, other), field.name


def test_each_position_has_its_depth() -> None:
    found = known_block([MATE, PROMOTES, PROMOTES], [3, 1, 2], chess960=False, castles_to_rook=False)
    assert found.totals.tolist() == [0, *(correct_block([PROMOTES], depth).totals[0] for depth in (1, 2))]
    assert found.depths.tolist() == [3, 1, 2]


def test_an_empty_block() -> None:
    assert len(known_block([], [], chess960=False, castles_to_rook=False)) == 0
