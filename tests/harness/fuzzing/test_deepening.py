"""How deep positions are counted, compared with leaf nodes counted by python-chess."""

from __future__ import annotations

import chess
import pytest
from helpers.lines import leaves
from perft_check.generator.position import Position
from perft_check.harness.fuzzing.checks.divides import affordable_depth


def deepest(board: chess.Board, depth: int) -> int:
    """Return the depth, or up to three plies more while each of them has some leaf nodes and not too many."""
    for more, most in enumerate((4000, 6000, 8000), 1):
        if not 0 < leaves(board, depth + more) <= most:
            return depth + more - 1
    return depth + 3


@pytest.mark.parametrize(
    ("fen", "depth", "expected"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, 2),  # 8,902 leaves at depth 3
        ("4k3/8/8/8/8/8/P7/4K2R w K - 0 1", 2, 3),  # 6,299 at depth 4
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 2, 4),  # 1,356 at depth 4, 9,664 at depth 5
        ("k7/p7/P7/8/8/5p1p/5P1P/4K2R w K - 0 1", 2, 5),  # never more than 8,000
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", 2, 2),  # stalemate
    ],
)
def test_sparse_positions_are_counted_deeper(fen: str, depth: int, expected: int) -> None:
    assert affordable_depth(Position.from_fen(fen), depth) == expected
    assert deepest(chess.Board(fen), depth) == expected
