"""Engines whose answers vary by chance are distinguished from those that depend on their history."""

from __future__ import annotations

import json
import re
import shlex
import sys
from math import comb
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import Run
from perft_check.generator import Position, perft

pytestmark = pytest.mark.slow  # most tests start processes

VARYING = shlex.join([sys.executable, str(FAKES / "varying.py")])
TITLE = "answers differ from time to time (threads? a table? uninitialized memory?)"
FENS = [
    "4k3/8/8/8/8/8/P7/4K2R w K - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/4r3/8/8/8/4B3/8/4K2b w - - 0 1",
    "8/Pk6/8/8/8/8/6Kp/8 w - - 0 1",
]


@pytest.fixture
def suite(tmp_path: Path) -> str:
    """Return a suite of ten positions: five, each with two move numbers."""
    positions = [Position.from_fen(f"{fen[:-1]}{number}") for number in (1, 2) for fen in FENS]
    rows = (f"{one.fen()} ;D1 {perft(one, 1)} ;D2 {perft(one, 2)}\n" for one in positions)
    (tmp_path / "ten.epd").write_text("".join(rows))
    return "ten.epd"


@pytest.mark.parametrize(("what", "share"), [("deep", "0.4"), ("all", "0.3"), ("first", "0.5")])
def test_run_distinguishes_chance_from_history(what: str, share: str, run: Run, suite: str) -> None:
    done = run("run", "-s", suite, "-e", f"uci:{VARYING} {what} {share} asked", "-j", "1", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert [cause["title"].partition(";")[0] for cause in report["causes"]] == [TITLE]
    assert set(report["verdicts"]) <= {"agree", "mismatch", "not reproduced"}
    assert "fails only once" not in done.stdout


@pytest.mark.parametrize("what", ["deep", "all", "first"])
def test_fuzz_reports_no_fault_in_moves(what: str, fuzz: Run) -> None:
    limits = ("-n", "40", "--seed", "1", "-j", "1", "--careful", "--strategy", "placements")
    done = fuzz("-e", f"uci:{VARYING} {what} 0.4 asked", *limits, "--report", "json=-")
    findings = json.loads(done.stdout)["findings"]
    assert findings
    explained = [finding for finding in findings if finding["finding"] and finding["finding"]["varies"]]
    assert all(finding["finding"]["note"].startswith(TITLE) for finding in explained)
    verdicts = {finding["verdict"] for finding in findings if finding not in explained}
    assert verdicts <= {"not reproduced"}, findings


HISTORY = """\
import chess

ASKED = 0


def moves(fen):
    global ASKED
    ASKED += 1
    legal = [move.uci() for move in chess.Board(fen).legal_moves]
    return WHAT if ASKED CONDITION else legal
"""


@pytest.mark.parametrize(
    ("what", "condition"), [("legal[1:]", "== 5"), ("legal * 2", "> 7"), ("legal + legal[-1:]", "% 6 == 0")]
)
def test_an_effect_of_history_is_reported_with_a_p_value(
    what: str, condition: str, run: Run, suite: str, tmp_path: Path
) -> None:
    (tmp_path / "history.py").write_text(HISTORY.replace("WHAT", what).replace("CONDITION", condition))
    shallow = "".join(line.partition(" ;D2")[0] + "\n" for line in (tmp_path / suite).read_text().splitlines())
    (tmp_path / "shallow.epd").write_text(shallow)
    done = run("run", "-s", "shallow.epd", "-e", "python:history:moves", "-j", "1", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    messages = [result["message"] for result in json.loads(done.stdout)["results"] if result["message"]]
    assert messages
    for message in messages:
        assert "a new process fails only once it has been asked for all " in message
        found = re.search(
            r"incorrect 0 of (\d+) times alone, 5 of 5 times after all previous questions: (.*)\)", message
        )
        assert found is not None, message
        assert found[2] == f"p = {1 / comb(int(found[1]) + 5, 5):.1g} if the order were random"
