"""`assert_same_moves`: what it takes for a position and for a move, and what it says of wrong ones."""

from __future__ import annotations

import chess
import pytest
from helpers.fakes import fake
from helpers.pytest_process import Pytest, pytest_of
from perft_check.generator import START_FEN, Position
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
    """Extra, missing and repeated moves, one as in games, text that is none, and castling as the position has it."""
    right = [move.uci() for move in Position.from_fen(CASTLING).legal_moves]
    wrong = [move for move in right if move not in ("a1a2", "e1g1")]
    with pytest.raises(AssertionError) as raised:
        assert_same_moves(CASTLING, [*wrong, "h1h2", "e1e3", "Kd3", "d3d9"])
    head, *sentences = str(raised.value).splitlines()
    assert head == f"6 wrong moves in Position.from_fen('{CASTLING}')"
    assert [sentence.split(". ", 1)[0] for sentence in sentences] == [
        "  missing move 'a1a2' (Ra2): Ordinary move [plain-move]",
        "  extra move 'd3d9': Text that is not a move [not-a-move]",
        "  extra move 'e1d3': Piece does not move like this [piece-movement]",
        "  extra move 'e1e3': Piece does not move like this [piece-movement]",
        "  missing move 'e1g1' (O-O): Castling with only the rook's path attacked [castling-rook-passes-attack]",
        "  duplicate move 'h1h2' (Rh2): Move listed more than once [duplicate]",
    ]
    assert sentences[0].endswith(". The rook on a1 may go to a2: that square is empty.")


def test_what_is_no_position_and_no_move() -> None:
    with pytest.raises(ValueError, match="the board has 1 rank instead of 8"):
        assert_same_moves("8 w - - 0 1", [])
    with pytest.raises(TypeError, match=r"a name such as startpos, a Position or a chess\.Board, not 7"):
        assert_same_moves(7, [])  # type: ignore[arg-type]
    with pytest.raises(
        TypeError, match=r"a move must be UCI text, a Move, a chess\.Move, or an object that prints as UCI text, not 7"
    ):
        assert_same_moves(CASTLING, [7])


def test_positions_have_names_and_moves() -> None:
    assert_same_moves("startpos", chess.Board().legal_moves)
    board = chess.Board()
    board.push_uci("e2e4")
    assert_same_moves("startpos moves e2e4", board.legal_moves)
    with pytest.raises(ValueError, match="no position named 'starpos': did you mean 'startpos'"):
        assert_same_moves("starpos", [])


def test_ten_missing_moves_are_enough() -> None:
    with pytest.raises(AssertionError) as raised:
        assert_same_moves("startpos", [])
    head, *sentences, last = str(raised.value).splitlines()
    assert head.startswith("20 wrong moves in ")
    assert (len(sentences), last) == (10, "  ... and 10 more missing moves")


def test_what_lists_no_moves() -> None:
    with pytest.raises(TypeError, match="moves must be a list or a string, not 7"):
        assert_same_moves("startpos", 7)  # type: ignore[arg-type]


pytest_plugins = ["pytester"]
TESTS = """
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

def test_counts(perft_engine):
    assert perft_engine.name.startswith("uci:")
    assert perft_engine.perft(START, 3) == 8902
    divide = perft_engine.divide(START, 2)
    assert len(divide) == 20 and set(divide.values()) == {20}

def test_no_answer(perft_engine):
    perft_engine.perft("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", 1)

def test_moves(assert_same_moves):
    right = "a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 b1a3 b1c3 g1f3 g1h3"
    assert_same_moves(START, right)
    assert_same_moves(START, right.replace("e2e4", "e2e5"))
"""


@pytest.fixture
def run_pytest(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Pytest:
    """Run pytest with these arguments on the tests above."""
    pytester.makepyfile(TESTS)
    return pytest_of(pytester, monkeypatch, "-p", "no:hypothesispytest")


@pytest.mark.slow
def test_in_tests_of_users(run_pytest: Pytest) -> None:
    """A failure shows the line of the test, and nothing of our code. An engine may print only a total."""
    done = run_pytest("--perft-engine", fake("no-divide"))
    assert done.ret == 1
    done.assert_outcomes(passed=1, failed=2)
    errors = [line.removeprefix("E").strip() for line in done.outlines if line.startswith("E  ")]
    assert errors == [
        "perft_check.generator.validation.FenError: trailing text after the six fields: 'extra'",
        f"AssertionError: 2 wrong moves in Position.from_fen('{START_FEN}')",
        "missing move 'e2e4' (e4): Pawn's double step [double-push]. The pawn on e2 may move two squares from where it "
        "started, for e3 and e4 are empty.",
        "extra move 'e2e5': Piece does not move like this [piece-movement]. The pawn on e2 cannot reach e5: a pawn "
        "moves straight ahead and captures one square diagonally ahead.",
    ]
    assert [line for line in done.outlines if ".py:" in line and "::" not in line] == [
        "test_in_tests_of_users.py:10: FenError",
        "test_in_tests_of_users.py:15: AssertionError",
    ]


@pytest.mark.slow
def test_without_an_engine(run_pytest: Pytest) -> None:
    done = run_pytest("-k", "counts")
    assert done.ret == 1
    done.assert_outcomes(errors=1)
    assert "perft_engine: add --perft-engine SPEC, or set perft_engine in the configuration of pytest" in done.outlines
