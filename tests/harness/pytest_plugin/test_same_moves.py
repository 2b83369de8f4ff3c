"""`assert_same_moves`: what it takes for a position and for a move, and what it says of wrong ones."""

from __future__ import annotations

import chess
import pytest
from perft_check.generator import Position
from perft_check.harness.pytest_plugin.fixtures import assert_same_moves

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PINNED = "4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1"
CHESS960 = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"


def test_right_moves_of_every_kind() -> None:
    """Positions as FEN, ours and python-chess's; moves in any order and either notation of castling."""
    for fen in (CASTLING, CHESS960):
        position = Position.from_fen(fen, chess960=None)
        board = chess.Board(fen, chess960=position.chess960)
        for given in (fen, position, board):
            assert_same_moves(given, position.legal_moves)
            assert_same_moves(given, board.legal_moves)
            assert_same_moves(given, (move.uci(chess960=True) for move in position.legal_moves))
            assert_same_moves(given, " ".join(move.uci() for move in reversed(list(board.legal_moves))))
    assert_same_moves("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [])


def test_each_wrong_move_is_named_with_its_rule() -> None:
    """Extra, missing and repeated moves, text that is no move, and castling in the notation of the position."""
    right = [move.uci() for move in Position.from_fen(CASTLING).legal_moves]
    wrong = [move for move in right if move not in ("a1a2", "e1g1")]
    with pytest.raises(AssertionError) as raised:
        assert_same_moves(CASTLING, [*wrong, "h1h2", "e1e3", "Kd3"])
    head, *sentences = str(raised.value).splitlines()
    assert head == f"5 wrong moves in Position.from_fen('{CASTLING}')"
    assert [sentence.split(". ", 1)[0] for sentence in sentences] == [
        "  extra move 'Kd3': Text that is no move [not-a-move]",
        "  missing move 'a1a2' (Ra2): Ordinary move [plain-move]",
        "  extra move 'e1e3': Piece does not move like this [piece-movement]",
        "  missing move 'e1g1' (O-O): Castling while only the rook's way is attacked [castling-rook-passes-attack]",
        "  duplicate move 'h1h2' (Rh2): Move listed more than once [duplicate]",
    ]
    assert sentences[1].endswith(". The rook on a1 may go to a2: that square is empty.")


def test_what_is_no_position_and_no_move() -> None:
    with pytest.raises(ValueError, match="the board has 1 rank instead of 8"):
        assert_same_moves("8 w - - 0 1", [])
    with pytest.raises(TypeError, match=r"a position is a FEN, a Position or a chess\.Board, not 7"):
        assert_same_moves(7, [])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a move is UCI text, a Move or a chess\.Move, not 7"):
        assert_same_moves(CASTLING, [7])  # type: ignore[list-item]
