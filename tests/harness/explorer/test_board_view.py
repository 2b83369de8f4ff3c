"""Checks, pins, attacks and destinations, compared with python-chess."""

from __future__ import annotations

import chess
import pytest
from perft_check.generator.position import Position
from perft_check.generator.types.squares import squares_in
from perft_check.harness.explorer.board_view import attacked_squares, pinned_squares
from perft_check.harness.explorer.view import moves_from
from perft_check.suites.bundled import bundled_path
from perft_check.suites.loader import load_suite

POSITIONS = [case.position for suite in ("smoke", "special", "standard") for case in load_suite(bundled_path(suite))]


@pytest.mark.parametrize("start", range(50))
def test_marks_are_those_of_python_chess(start: int) -> None:
    """Every fiftieth position of three suites is compared."""
    for position in POSITIONS[start::50]:
        board = chess.Board(position.fen(castling="shredder"), chess960=True)
        assert set(squares_in(position.checkers)) == set(board.checkers()), position
        king = board.king(board.turn)
        assert king is not None, "every position has its kings"
        own = chess.SquareSet(board.occupied_co[board.turn])
        assert pinned_squares(position) == {
            square for square in own if square != king and board.is_pinned(board.turn, square)
        }
        seen = board.copy()
        seen.remove_piece_at(king)
        assert attacked_squares(position) == {
            square for square in chess.SQUARES if seen.is_attacked_by(not board.turn, square)
        }, position


def test_castling_is_under_both_the_rook_and_the_destination() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    found = moves_from(position, 4)
    assert found[6] == found[7]
    assert sorted(found) == [3, 5, 6, 7, 11, 12, 13]
    assert moves_from(position, 60) == {}, "the side to move is White"


def test_a_promotion_has_four_moves() -> None:
    assert len(moves_from(Position.from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1"), 48)[56]) == 4
