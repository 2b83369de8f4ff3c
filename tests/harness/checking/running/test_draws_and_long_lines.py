"""Engines that end the game at a draw, or cannot read the line of a long game, in the suite of setups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.fakes import written_engine
from helpers.program import Run
from perft_check.suites.bundled import SETUPS, bundled_path
from perft_check.suites.loader import load_suite

ENGINE = """
longest, most = 10**9, 10**9
MODE

class Mine(UciEngine):
    def hear(self, line):
        super().hear(read_long(line) if len(line) > longest else line)
    def moves(self, board):
        return [] if ended(board) else super().moves(board)
    def set_up(self, board, moves):
        try:
            super().set_up(board, moves[:most])
        except ValueError:  # cut off
            pass

Mine().serve()
"""
NEVER = "ended = lambda board: False\n"
DRAWS = {
    "ended = chess.Board.is_fivefold_repetition": ("Repetition", 2),
    "ended = lambda board: board.halfmove_clock >= 100": ("The fifty-move rule", 8),
    "ended = lambda board: board.halfmove_clock >= 150": ("The seventy-five-move rule", 3),
    "ended = chess.Board.is_insufficient_material": ("A dead position", 4),
}
"""What ends a game, the rule that is named, and the number of positions of the suite in which it occurs."""
CUT, DIES = "read_long = lambda line: line[:longest]\n", "read_long = lambda line: sys.exit(3)\n"
LIMITS = {f"{DIES}longest = 2048": (2_051, 395), f"{CUT}longest = 1700": (1_706, 326), "most = 300": (1_581, 301)}
"""What an engine cannot read, and the first unreadable line of the game of 430 plies."""


def checked(run: Run, folder: Path, mode: str) -> tuple[int, list[dict[str, Any]]]:
    engine = written_engine(folder / "engine.py", ENGINE.replace("MODE", mode))
    arguments = ("-e", engine, "-s", "setups", "--timeout", "60", "-j", "1")
    done = run(*arguments, "--report", "json=report.json")
    return done.returncode, json.loads((folder / "report.json").read_text())["results"]


def titles_of(cases: list[dict[str, Any]]) -> list[str]:
    return [case["message"] for case in cases if case["verdict"] == "mismatch"]


def test_the_suite_has_draws_long_lines_and_long_numbers() -> None:
    cases = list(load_suite(bundled_path(SETUPS)))
    fens = [case.position for case in cases if not case.moves]
    assert {98, 99, 100, 149, 150} <= {position.halfmove for position in fens}
    assert {1000, 9999} <= {position.fullmove for position in fens}
    lengths = [len(" ".join(case.game_after_moves.uci_moves())) for case in cases if case.moves]
    assert sum(length > 2_048 for length in lengths) == 2
    assert max(lengths) < 4_096 - 100
    assert len(cases) == 47


def test_a_correct_engine_agrees_everywhere(run: Run, tmp_path: Path) -> None:
    status, cases = checked(run, tmp_path, NEVER)
    assert status == 0
    assert {case["verdict"] for case in cases} == {"agree", "not compared"}


@pytest.mark.slow
@pytest.mark.parametrize("mode", DRAWS)
def test_an_engine_that_ends_the_game_at_a_draw(run: Run, tmp_path: Path, mode: str) -> None:
    title, times = DRAWS[mode]
    status, cases = checked(run, tmp_path, mode)
    assert status == 1
    assert {case["verdict"] for case in cases} == {"agree", "mismatch", "not compared"}
    failed = [case for case in cases if case["verdict"] == "mismatch"]
    assert len(failed) == times
    named = {(move["kind"], move["title"]) for case in failed if case["finding"] for move in case["finding"]["wrong"]}
    assert named == {("draw", f"{title} does not end the game")}


@pytest.mark.slow
@pytest.mark.parametrize("mode", LIMITS)
def test_an_engine_that_cannot_read_a_long_line(run: Run, tmp_path: Path, mode: str) -> None:
    size, plies = LIMITS[mode]
    status, cases = checked(run, tmp_path, f"{NEVER}{mode}")
    assert status == 1
    told = titles_of(cases)
    assert len(told) == 2
    assert f"engine.py cannot read a line of {size:,} bytes, a game of {plies} plies" in told
    assert all("cannot read a line of" in one for one in told)


LOST = """
class Board(chess.Board):
    def push_uci(self, text):
        move = super().push_uci(text)
        if text == "e1e2":
            self.remove_piece_at(chess.A2)
        return move

chess.Board = Board
"""


@pytest.mark.slow
def test_an_incorrect_position_after_a_long_game_is_not_blamed_on_its_length(run: Run, tmp_path: Path) -> None:
    status, cases = checked(run, tmp_path, NEVER + LOST)
    assert status == 1
    assert titles_of(cases)
    assert not any("cannot read" in one for one in titles_of(cases))


@pytest.mark.slow
def test_fuzz_reports_long_lines_as_one_fault(fuzz: Run, tmp_path: Path) -> None:
    engine = written_engine(tmp_path / "engine.py", ENGINE.replace("MODE", f"{NEVER}{CUT}longest = 2047"))
    done = fuzz("-e", engine, "-n", "80", "--seed", "1", "-j", "1", "--timeout", "60")
    assert done.returncode == 1, done.stderr
    assert "1 kind of fault of engine.py found in 80 positions" in done.stdout
    assert "1. engine.py cannot read a line of 2,049 bytes, a game of 405 plies" in done.stdout
