"""Runs with engines that are correct from the FEN and incorrect after they have played the moves of a case."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from helpers.fakes import COUNTING
from helpers.headlines import without_moves
from helpers.program import Run

ENGINES = f"""{COUNTING}
def divided(board, depth):
    pairs = []
    for move in list(board.legal_moves):
        board.push(move)
        pairs.append((move.uci(), perft(board, depth - 1)))
        board.pop()
    return pairs

def no_en_passant(fen, depth, moves):
    board = chess.Board(fen)
    for move in moves: board.push_uci(move)
    if moves: board.ep_square = None
    return divided(board, depth)

def keeps_rights(fen, depth, moves):
    board = chess.Board(fen)
    for move in moves:
        rights, taken = board.castling_rights, board.piece_type_at(chess.parse_square(move[2:4]))
        board.push_uci(move)
        if taken == chess.ROOK: board.castling_rights = rights
    return divided(board, depth)

def rights_come_back(fen, depth, moves):
    board = chess.Board(fen)
    rights = board.castling_rights
    for move in moves: board.push_uci(move)
    board.castling_rights = rights & board.rooks
    return divided(board, depth)

def sums(fen, depth, moves):
    board = chess.Board(fen)
    for move in moves: board.push_uci(move)
    return sum(perft(board, each) for each in range(1, depth + 1))
"""
TITLES = {
    "no_en_passant": "wrong state: Wrong en passant square",
    "keeps_rights": "extra move: Castling without the right",
    "rights_come_back": "extra move: Castling without the right",
    "sums": "it adds up the counts of all depths from 1 to N",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(ENGINES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", TITLES)
def test_a_fault_after_moves_is_one_cause_and_its_command_shows_it(name: str, run: Run) -> None:
    done = run("run", "-e", f"python:mine:{name}", "-s", "setups", "--report", "report.json", COLUMNS="300")
    assert done.returncode == 1, done.stderr
    causes = json.loads(Path("report.json").read_text())["causes"]
    assert [cause["title"].partition(";")[0] for cause in causes] == [TITLES[name]]
    again = re.search(r"reproduce: perft-check (.*)", done.stdout)
    assert again is not None
    assert run(*shlex.split(again[1])).returncode == 1
    if name != "sums":
        assert shlex.split(again[1])[:2] == ["fuzz", "--replay"]
        assert "The count from its FEN is correct: the engine plays a move wrongly." in done.stdout


def test_unnecessary_setup_options_are_removed(run: Run) -> None:
    done = run("run", "-e", "zoo:startpos-without-rights", "-s", "setups", COLUMNS="300")
    assert done.returncode == 1, done.stderr
    assert "  missing move: Castling, set up by startpos\n" in without_moves(done.stdout)
    assert "ucinewgame" not in "".join(re.findall(r"reproduce: (.*)", done.stdout))
