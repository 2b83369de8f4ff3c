"""The example of `docs/two-plies.md` is true."""

from __future__ import annotations

import re
from pathlib import Path

import chess
from helpers import two_plies
from perft_check.generator import Position, perft

PAGE = Path(__file__).parents[3] / "docs" / "two-plies.md"


def test_the_example_of_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    found = re.search(r'perft "(.*)" 2 -e own:two-plies\n(\d+)\n', page)
    assert found is not None
    board, pairs = chess.Board(found[1]), int(found[2])
    moves, replies = board.legal_moves.count(), two_plies.theirs_to_move(board).legal_moves.count()
    assert f"{moves} x {replies} = {moves * replies} pairs" in page
    assert f"{moves * replies} - {moves * replies - pairs} = {pairs} pairs" in page
    assert perft(Position.from_fen(found[1]), 2, kernel="two-plies") == pairs
