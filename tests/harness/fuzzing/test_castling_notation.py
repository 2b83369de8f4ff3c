"""Notation of castling: a wrong target of the king is reported, and another notation in Chess960 is one finding."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES, castling
from helpers.program import Run

pytestmark = pytest.mark.slow  # most tests start processes

PROGRAM = shlex.join([sys.executable, str(FAKES / "castling.py")])
NOTATION = "notation castling-by-king-target"
B_FILE = "extra castling-not-a-king-step"


def findings_of(run: Run, *words: str) -> tuple[int, set[str]]:
    """Return the exit status of `fuzz` and the names of its findings, none of which accuses the reference."""
    done = run("fuzz", *words, "--jobs", "1", "--report", "json=-")
    findings = json.loads(done.stdout)["findings"]
    assert all(finding["is_of_engine"] for finding in findings), findings
    return done.returncode, {finding["name"] for finding in findings}


@pytest.mark.parametrize("mode", ["ends-on-b", "white-ends-on-b", "writes-b"])
def test_a_king_that_castles_to_the_b_file_is_reported(run: Run, mode: str) -> None:
    status, names = findings_of(
        run, "-e", castling(mode), "--seed", "1", "-n", "60", "--strategy", "templates", "--careful"
    )
    assert (status, B_FILE in names) == (1, True), names
    assert {name for name in names if name.startswith("extra")} == {B_FILE}
    assert {name.partition("-")[0] for name in names - {B_FILE}} == {"missing castling"}


def spec(folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str, mode: str) -> str:
    """Return an engine of another type than UCI for a mode."""
    shutil.copy(FAKES / "castling.py", folder)
    monkeypatch.setenv("CASTLING", mode)
    described = {"launch": f"{PROGRAM} plain {mode}", "case": "setboard {fen}\nperft {depth}"}
    (folder / "mine.json").write_text(json.dumps(described))
    return {
        "cmd": f"cmd:{PROGRAM} argv {mode} {{fen}} {{depth}}",
        "script": f"script:{PROGRAM} script {mode}",
        "moves": "python:castling:moves_of",
        "divides": "python:castling:divide_of",
        "descriptor": "mine.json",
    }[kind]


@pytest.mark.parametrize("kind", ["cmd", "script", "moves", "descriptor"])
def test_wrong_castling_is_reported_for_other_types_of_engines(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    engine = spec(tmp_path, monkeypatch, kind, "writes-b")
    done = run("fuzz", "--replay", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "--depth", "1", "-e", engine)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "e8b8 extra: The king on e8 may go only one square, and going to b8 is not castling" in done.stdout
    assert "e8c8 (O-O-O) missing: " in done.stdout


@pytest.mark.parametrize("mode", ["king-target", "queen-side-target", "far-target"])
def test_writing_the_kings_target_in_chess960_is_one_finding(run: Run, mode: str) -> None:
    words = "-e", castling(mode), "--chess960", "--seed", "3", "-n", "60", "--depth", "1"
    assert findings_of(run, *words) == (1, {NOTATION})


@pytest.mark.parametrize("kind", ["moves", "divides", "descriptor"])
def test_it_is_one_finding_for_other_types_of_engines(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    words = "--chess960", "--seed", "5", "-n", "40"
    assert findings_of(run, "-e", spec(tmp_path, monkeypatch, kind, "king-target"), *words) == (1, {NOTATION})


def test_an_engine_that_writes_the_kings_target_is_not_pipelined(run: Run) -> None:
    """Pipelining would start after 160 positions."""
    words = "--chess960", "--seed", "3", "-n", "200", "--depth", "1", "--jobs", "1"
    done = run("fuzz", "-e", castling("king-target"), *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 kind of fault of castling.py found in 200 positions" in done.stdout
    assert " is asked one question at a time: it writes castling of Chess960 as the king's target" in done.stderr


def test_wrong_notation_of_castling_quotes_the_move_of_the_engine(run: Run) -> None:
    place = "--replay", "1k6/8/8/8/8/8/8/1K3R2 w F - 0 1", "--chess960"
    done = run("fuzz", *place, "-e", castling("king-target"))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1. wrong notation of b1g1: Castling is written as the king's target in Chess960\n" in done.stdout
    assert "b1g1 (O-O) written wrongly: White's castling king-side is written b1f1 in Chess960, king" in done.stdout


def test_wrong_notation_hides_no_fault_below_other_moves(run: Run) -> None:
    """Black can castle queenside after any move of White, who can castle, too."""
    place = "--replay", "r3k3/8/8/8/8/8/P7/4K2R w Hq - 0 1", "--chess960", "--depth", "2"
    done = run("fuzz", *place, "-e", castling("king-target-without-long"))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1. missing move e8a8: Castling\n" in done.stdout
