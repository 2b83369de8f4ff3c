"""Batches of given positions, compared with batches built from python-chess's answers."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from helpers.blocks import correct_block, random_positions
from perft_check.generator import Position
from perft_check.generator.sampling.position_batch import batch_with_answers

MATE = Position.from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
PROMOTES = Position.from_fen("r3k2r/1P4P1/8/3pP3/8/8/1p4p1/R3K2R w KQkq d6 0 1")


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("chess960", "castles_to_rook"), [(False, False), (False, True), (True, True)])
def test_answers_are_correct(depth: int, chess960: bool, castles_to_rook: bool) -> None:
    special = () if chess960 else (MATE, PROMOTES)
    positions = [*special, *random_positions(20, chess960=chess960), *special]
    found = batch_with_answers(positions, [depth] * len(positions), chess960=chess960, castles_to_rook=castles_to_rook)
    right = correct_block(positions, depth, castles_to_rook)
    for field in fields(found):
        one, other = getattr(found, field.name), getattr(right, field.name)
        assert np.array_equal(one, other), field.name


def test_each_position_is_counted_to_its_own_depth() -> None:
    found = batch_with_answers([MATE, PROMOTES, PROMOTES], [3, 1, 2], chess960=False, castles_to_rook=False)
    assert found.totals.tolist() == [0, *(correct_block([PROMOTES], depth).totals[0] for depth in (1, 2))]
    assert found.depths.tolist() == [3, 1, 2]


def test_an_empty_batch() -> None:
    assert len(batch_with_answers([], [], chess960=False, castles_to_rook=False)) == 0
