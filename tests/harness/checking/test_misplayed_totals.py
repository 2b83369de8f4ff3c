"""A misplayed move is named from totals only if they fit at two depths."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from perft_check.generator.counting.perft import perft
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.generator.types.pieces import Color
from perft_check.harness.checking.descent.descent_path import _find_misplayed
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.base import Divide

BEFORE = Game(Position.from_fen("8/8/8/2P5/8/1p6/1k6/R3K1NR b KQ - 0 84"))
AFTER = BEFORE.after(BEFORE.position.parse_uci("b2a1"))
SAME_SIDE = replace(AFTER.position, turn=Color.BLACK)
"""The position that results if the move does not change the side to move."""


class OnlyTotals:
    """Answers with the totals of one position at each depth."""

    min_depth = 1

    def __init__(self, positions: dict[int, Position]) -> None:
        self.positions = positions

    def divide(self, _game: Game, depth: int) -> Divide:
        return Divide.of_total(perft(self.positions[depth], depth))


@pytest.mark.parametrize(
    ("positions", "rules"),
    [
        ({1: SAME_SIDE, 2: SAME_SIDE}, ["side-to-move"]),
        ({1: AFTER.position, 2: SAME_SIDE}, []),
        ({1: AFTER.position, 2: AFTER.position}, []),
    ],
)
def test_totals_of_two_depths_must_fit(positions: dict[int, Position], rules: list[str]) -> None:
    engine = cast("EngineSession", OnlyTotals(positions))
    assert [move.rule for move in _find_misplayed(BEFORE, AFTER, engine)] == rules
