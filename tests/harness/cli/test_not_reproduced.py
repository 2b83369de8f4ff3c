"""What does not come again when an engine is asked anew has a verdict of its own."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from helpers.program import WIDE, Run

WRONG_ONCE = """\
import os
import chess

ASKED = 0


def moves(fen):
    global ASKED
    ASKED += 1
    legal = [move.uci() for move in chess.Board(fen).legal_moves]
    if ASKED == 10 and not os.path.exists("flag"):
        open("flag", "w").close()
        return legal + legal[:1]
    return legal
"""
WRONG_AT_THE_TENTH = WRONG_ONCE.replace(' and not os.path.exists("flag")', "")
SMALL = ("-n", "20", "--strategy", "walks", "--seed", "1", "-j", "1", "--depth", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "once.py").write_text(WRONG_ONCE)
    (tmp_path / "tenth.py").write_text(WRONG_AT_THE_TENTH)
    return tmp_path


def test_a_find_that_does_not_come_again_is_no_fault(fuzz: Run, folder: Path) -> None:
    done = fuzz("-e", "python:once:moves", *SMALL)
    assert (folder / "flag").exists()
    assert done.returncode == 0, done.stdout
    assert "1. not reproduced: " in done.stdout
    assert "; a new process does not show it, nor one that is asked for all " in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last == "no fault of python:once:moves in 20 positions, and 1 failure not reproduced"


def test_it_counts_if_asked_to(fuzz: Run, folder: Path) -> None:
    done = fuzz("-e", "python:once:moves", *SMALL, "--fail-not-reproduced", "--report", "json=r.json")
    assert done.returncode == 1, done.stdout
    report = json.loads((folder / "r.json").read_text())
    assert [find["verdict"] for find in report["finds"]] == ["not reproduced"]
    assert report["exit_code"] == 1


def test_a_fault_that_needs_its_history_is_one(fuzz: Run, folder: Path) -> None:
    """The replay asks for all of it."""
    done = fuzz("-e", "python:tenth:moves", *SMALL)
    assert done.returncode == 1, done.stdout
    assert "; this position alone does not show it: the replay asks for all " in done.stdout
    again = next(line for line in done.stdout.splitlines() if line.startswith("again: "))
    done = fuzz(*shlex.split(again)[3:], **WIDE)
    assert done.returncode == 1, done.stdout
