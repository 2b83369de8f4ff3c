"""A misread FEN is one fault, however many moves are missing: the finding says that the FEN is misread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.asking import Answering, asking
from helpers.fakes import COUNTING, limited
from helpers.program import Run
from perft_check.generator import Game, Position
from perft_check.harness.checking.descent.fen_reading import explain_crash
from perft_check.harness.engines.base import Divide, EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.model.results.verdict import Verdict

BOARD = f"""{COUNTING}
from fakes.uci_engine import UciEngine
class NothingEnPassant(UciEngine):
    def moves(self, board):
        return [move for move in super().moves(board) if not board.is_en_passant(move)]
class Board(chess.Board):
    def __init__(self, fen):
        super().__init__(fen)
        if self.turn is chess.BLACK:
            self.ep_square = None
def nothing_en_passant(fen, depth):
    return {{move.uci(): below for move, below in NothingEnPassant().counts(chess.Board(fen), depth)}}
"""


def found_rules(run: Run, spec: str, examples: int = 100) -> list[list[str]]:
    """Return the rules of the wrong moves in each finding of a short fuzzing run."""
    words = ("-e", spec, "-n", str(examples), "--seed", "1", "--jobs", "1", "--timeout", "20", "--report", "json=-")
    report: dict[str, Any] = json.loads(run("fuzz", *words).stdout)
    assert len(report["causes"]) == 1, report["causes"]
    return [sorted({move["rule"] for move in finding["finding"]["wrong"]}) for finding in report["findings"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "rule"),
    [
        ("rights-unread", "fen-castling"),
        ("en-passant-unread", "fen-en-passant"),
        ("en-passant-crashes", "fen-en-passant"),
    ],
)
def test_a_misread_field_is_one_finding(run: Run, limit: str, rule: str) -> None:
    assert [rules for rules in found_rules(run, limited(limit)) if rules] == [[rule]]


@pytest.mark.slow
def test_a_class_that_ignores_the_en_passant_square_with_black_to_move(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOARD)
    assert found_rules(run, "python:mine:Board") == [["fen-en-passant"]]


@pytest.mark.slow
def test_a_fault_that_also_occurs_after_moves_is_not_a_misread_fen(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOARD)
    rules = found_rules(run, "python:mine:nothing_en_passant")
    assert {rule for one in rules for rule in one} >= {"en-passant"}
    assert not any(rule.startswith("fen-") for one in rules for rule in one)


@pytest.mark.parametrize(("least_depth", "rules"), [(1, ["fen-en-passant"]), (2, [])])
def test_a_crash_below_a_position_is_not_a_misread_fen(least_depth: int, rules: list[str]) -> None:
    position, reference = Position.from_fen("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1"), PythonChessEngine()

    def divide(game: Game, depth: int) -> Divide:
        """Count correctly, but crash at the FEN from some depth on."""
        if depth >= least_depth and not game.moves and game.base.en_passant is not None:
            raise EngineCrash("it was killed by SIGSEGV")
        return reference.divide(game, depth, EngineCall())

    found = explain_crash(Game(position), Verdict.CRASH, asking(Answering(divide)))
    assert [move.rule for move in (found.wrong if found else ())] == rules
