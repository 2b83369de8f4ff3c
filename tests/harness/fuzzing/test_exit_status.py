"""`run` and `fuzz` end with the same exit status for the same engine: there is one mapping from verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.program import Run

pytestmark = pytest.mark.slow  # each test starts processes

ENGINE = """
import os
import time

import chess


def count(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def extra(fen, depth):
    board, found = chess.Board(fen), {}
    for move in list(board.legal_moves):
        board.push(move)
        found[board.peek().uci()] = count(board, depth - 1)
        board.pop()
    if fen.split()[1] == "b" and "p" in fen.split()[0]:
        found["a1a1"] = 1
    return found


def is_hard(fen):
    return fen.split()[2] != "-" and fen != chess.STARTING_FEN


def crash(fen, depth):
    if is_hard(fen):
        os._exit(3)
    return count(chess.Board(fen), depth)


def hang(fen, depth):
    if is_hard(fen):
        time.sleep(1000)
    return count(chess.Board(fen), depth)


def garbage(fen, depth):
    return "none" if is_hard(fen) else count(chess.Board(fen), depth)


def extra_and_crash(fen, depth):
    if is_hard(fen):
        os._exit(3)
    return extra(fen, depth)
"""


@pytest.mark.parametrize(
    ("name", "status"),
    [
        pytest.param("extra", 1, marks=pytest.mark.long),
        ("crash", 3),
        pytest.param("hang", 3, marks=pytest.mark.long),
        pytest.param("garbage", 3, marks=pytest.mark.long),
        ("extra_and_crash", 1),
    ],
)
def test_a_fault_has_the_same_status_in_both(name: str, status: int, run: Run, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(ENGINE)
    words = "-e", f"python:engine:{name}", "-j", "1", "--timeout", "2" if name == "hang" else "100", "-q"
    ran = run("run", "-s", "smoke", "--max-depth", "1", "--explain=none", *words)
    fuzzed = run("fuzz", "-n", "40", "--seed", "1", *words)
    assert (ran.returncode, fuzzed.returncode) == (status, status), (ran, fuzzed)
