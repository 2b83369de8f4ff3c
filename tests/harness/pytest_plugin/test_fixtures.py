"""The fixtures of the plugin in tests of users."""

from __future__ import annotations

import pytest
from helpers.fakes import fake
from helpers.pytest_process import Pytest, pytest_of
from perft_check.generator import START_FEN

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
