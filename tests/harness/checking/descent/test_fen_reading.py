"""A FEN that is read wrongly is one fault, however many moves it takes away: the find says that it is read so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.fakes import limited
from helpers.program import Run

pytestmark = pytest.mark.slow  # each test fuzzes an engine

BOARD = """
import chess
class Board(chess.Board):
    def __init__(self, fen):
        super().__init__(fen)
        if self.turn is chess.BLACK:
            self.ep_square = None
def nothing_en_passant(fen, depth):
    board = chess.Board(fen)
    moves = [move for move in board.legal_moves if not board.is_en_passant(move)]
    if depth == 1:
        return {move.uci(): 1 for move in moves}
    found = {}
    for move in moves:
        board.push(move)
        found[move.uci()] = sum(nothing_en_passant(board.fen(), depth - 1).values())
        board.pop()
    return found
"""


def found_rules(run: Run, spec: str, examples: int = 150) -> list[list[str]]:
    """Return the rules of the wrong moves of each find of a short fuzz."""
    words = ("-e", spec, "-n", str(examples), "--seed", "1", "--jobs", "1", "--timeout", "20", "--report", "json=-")
    report: dict[str, Any] = json.loads(run("fuzz", *words).stdout)
    assert len(report["causes"]) == 1, report["causes"]
    return [sorted({move["rule"] for move in find["finding"]["wrong"]}) for find in report["finds"]]


@pytest.mark.parametrize(
    ("limit", "rule"),
    [
        ("rights-unread", "fen-castling"),
        ("en-passant-unread", "fen-en-passant"),
        ("en-passant-crashes", "fen-en-passant"),
    ],
)
def test_a_field_that_is_read_wrongly_is_one_find(run: Run, limit: str, rule: str) -> None:
    assert [rules for rules in found_rules(run, limited(limit)) if rules] == [[rule]]


def test_a_class_that_reads_no_en_passant_square_with_black_to_move(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOARD)
    assert found_rules(run, "python:mine:Board") == [["fen-en-passant"]]


def test_what_is_wrong_after_moves_as_well_is_no_fault_of_the_fen(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOARD)
    rules = found_rules(run, "python:mine:nothing_en_passant")
    assert {rule for one in rules for rule in one} >= {"en-passant"}
    assert not any(rule.startswith("fen-") for one in rules for rule in one)
