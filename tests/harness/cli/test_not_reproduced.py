"""What is not reproduced by a new process has a verdict of its own."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from helpers.program import WIDE, Run

pytestmark = pytest.mark.slow  # most tests start processes

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
WRONG_LATER = WRONG_ONCE.replace("ASKED == 10", "ASKED == 16")
"""`fuzz` asks about ten positions before it draws any."""
SMALL = ("-n", "20", "--strategy", "walks", "--seed", "1", "-j", "1", "--depth", "1", "--careful")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "once.py").write_text(WRONG_ONCE)
    (tmp_path / "later.py").write_text(WRONG_LATER)
    (tmp_path / "tenth.py").write_text(WRONG_AT_THE_TENTH)
    return tmp_path


def test_a_find_that_does_not_come_again_is_no_fault(fuzz: Run, folder: Path) -> None:
    done = fuzz("-e", "python:later:moves", *SMALL)
    assert (folder / "flag").exists()
    assert done.returncode == 0, done.stdout
    assert "1. not reproduced: " in done.stdout
    assert "; not reproduced in a new process, even by replaying all " in done.stdout
    lines = done.stdout.splitlines()
    assert "no fault of python:later:moves in 20 positions, and 1 failure not reproduced" in lines
    assert lines[-1].startswith("reproduce: perft-check fuzz --replay ")


@pytest.mark.slow
def test_it_counts_if_asked_to(fuzz: Run, folder: Path) -> None:
    done = fuzz("-e", "python:later:moves", *SMALL, "--fail-not-reproduced", "--report", "json=r.json")
    assert done.returncode == 1, done.stdout
    report = json.loads((folder / "r.json").read_text())
    assert [finding["verdict"] for finding in report["findings"]] == ["not reproduced"]
    assert report["exit_code"] == 1


def test_a_fault_that_needs_its_history_is_one(fuzz: Run, folder: Path) -> None:
    """The replay asks for all of it."""
    done = fuzz("-e", "python:tenth:moves", *SMALL)
    assert done.returncode == 1, done.stdout
    assert "; this position alone may not reproduce it, so the command below replays all " in done.stdout
    again = next(line for line in done.stdout.splitlines() if line.startswith("reproduce: "))
    done = fuzz(*shlex.split(again)[3:], **WIDE)
    assert done.returncode == 1, done.stdout


COUNTS = {"4K3": 5, "3K4": 5, "2K5": 5, "1K6": 5, "K7": 3, "5K2": 5, "6K1": 5, "7K": 3, "4K2R": 14, "3QK3": 21}
COUNTS |= {"4KN2": 8, "N3K3": 7}
SUITE = "".join(f"4k3/8/8/8/8/8/8/{rank} w - - 0 1 ;D1 {count}\n" for rank, count in COUNTS.items())
"""Twelve positions, of which the tenth question is one."""


def suite_in(folder: Path) -> tuple[str, ...]:
    (folder / "twelve.epd").write_text(SUITE)
    return "-s", "twelve.epd", "-j", "1"


def test_a_case_that_is_right_when_asked_anew_is_no_mismatch(run: Run, folder: Path) -> None:
    done = run("-e", "python:once:moves", *suite_in(folder), COLUMNS="1000")
    assert done.returncode == 0, done.stdout
    assert "NOT REPRODUCED  twelve:" in done.stdout
    assert "; a new process, asked for all " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("11 of 12 positions agree, 1 not reproduced")
    again = next(line for line in done.stdout.splitlines() if "reproduce: perft-check fuzz --replay " in line)
    assert again.endswith(" -e python:once:moves --depth 1")
    assert run(*shlex.split(again)[2:], "-a", "own").returncode == 0


def test_such_a_case_counts_if_asked_to(run: Run, folder: Path) -> None:
    done = run("-e", "python:once:moves", *suite_in(folder), "--fail-not-reproduced", "--report", "json=-")
    assert done.returncode == 1, done.stdout
    report = json.loads(done.stdout)
    assert report["verdicts"] == {"agree": 11, "not reproduced": 1}
    (failed,) = (result for result in report["results"] if result["verdict"] != "agree")
    assert failed["at_first"] == "mismatch"
    assert Path(failed["replay"]).read_text().count("\n") == int(failed["message"].split(" position")[0].split()[-1])


def test_a_case_that_needs_its_history_is_a_mismatch(run: Run, folder: Path) -> None:
    done = run("-e", "python:tenth:moves", *suite_in(folder), COLUMNS="1000")
    assert done.returncode == 1, done.stdout
    assert "; a new process fails only once it has been asked for all " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("11 of 12 positions agree, 1 mismatch")


def test_a_crash_that_comes_once_is_not_reproduced(run: Run, folder: Path) -> None:
    crashes = WRONG_ONCE.replace("return legal + legal[:1]", "os.abort()")
    (folder / "crashes.py").write_text(crashes)
    done = run("-e", "python:crashes:moves", *suite_in(folder), "--report", "json=-")
    assert done.returncode == 0, done.stdout
    assert [r["at_first"] for r in json.loads(done.stdout)["results"] if r["verdict"] == "not reproduced"] == ["crash"]
