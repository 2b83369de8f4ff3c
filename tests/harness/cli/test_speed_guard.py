"""`bench --compare`, as CI calls it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from helpers.program import Run
from perft_check.harness import values

MATE = "4q3/8/8/8/8/5Q2/5Kq1/7k w - - 0 1"
"""One leaf at depth 1, and none below: a count takes no time."""


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a round end after each count."""
    monkeypatch.setattr(values, "GUARD_SECONDS", 0.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-below", "0.9"], "--fail-below needs --compare SPEC"),
        (["--compare", "own"], "--compare compares one engine: name it with -e"),
        (["-e", "own", "-e", "own:skip", "--compare", "own:turbo"], "--compare compares one engine"),
        (["-e", "own", "--compare", "own"], "own would be compared with itself: name another engine with --compare"),
        (["-e", "own", "--compare", "none"], "no engine named 'none'"),
        (["-e", "own", "--compare", "run.json"], "run.json"),
        (
            ["-e", "own", "--compare", "own:skip", "--rounds", "7"],
            "--rounds 7 is too few to distinguish a difference from noise: use 8 or more",
        ),
        (["-e", "own", "--compare", "own:skip", "--techniques"], "leave out --techniques"),
        (["-e", "own", "--compare", "own:skip", "--fail-below", "much"], "'much' is not a number from 0.01 to 100"),
    ],
)
def test_wrong_input_is_reported_in_one_line(run: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "run.json").write_text('{"format": 1, "perft_check": "0.1.0", "engine": "own"}')
    done = run("bench", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert os.listdir(tmp_path) == ["run.json"]


def test_a_slower_engine_is_refused(run: Run, tmp_path: Path) -> None:
    """python-chess takes a thousand times as long as our counting kernel."""
    words = ["bench", "-e", "python-chess", "--compare", "own", "-p", MATE, "--rounds", "8", "--fail-below", "100"]
    done = run(*words, "--report", "bench.md")
    assert done.returncode == 1
    assert "; too slow, below 100" in done.stdout.splitlines()[-1]
    assert "## speed of python-chess against own" in (tmp_path / "bench.md").read_text()


def test_a_wrong_engine_fails_whatever_its_speed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("def count(fen, depth):\n    return 2\n")
    done = run("bench", "-e", "python:wrong:count", "--compare", "own", "-p", MATE, "--fail-below", "0.01")
    assert done.returncode == 1
    assert "python:wrong:count counts 2 at " in done.stderr
    assert "speed of python:wrong:count against own" not in done.stdout


def test_both_engines_have_names(run: Run, tmp_path: Path) -> None:
    names = ("--name", "new", "--name", "the old")
    words = ("bench", "-e", "own", "--compare", "own:skip", "-p", MATE, "--rounds", "8")
    done = run(*words, *names, "--report", "bench.json")
    assert done.stdout.splitlines()[:2] == ["new      own", "the old  own:skip"]
    assert "speed of new against the old" in done.stdout.splitlines()
    document = json.loads((tmp_path / "bench.json").read_text())
    assert document["names"] == {"own": "new", "own:skip": "the old"}
    assert (document["comparison"]["engine"], document["comparison"]["baseline"]) == ("own", "own:skip")
    refused = run(*words, *names, "--name", "third")
    assert refused.stderr == "perft-check: --name is given 3 times, and 2 engines are named: leave one out\n"
