"""Checks, pins, attacks and destinations, compared with python-chess."""

from __future__ import annotations

import chess
import pytest
from perft_check.generator.types.squares import squares_in
from perft_check.harness.explorer.board_view import attacked_squares, pinned_squares
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
