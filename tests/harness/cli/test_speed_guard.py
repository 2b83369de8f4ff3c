"""`bench --save` and `bench --compare`, as CI calls them."""

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
        (["--fail-below", "0.9"], "--fail-below needs --compare FILE or --compare SPEC"),
        (["--compare", "own"], "--compare compares one engine: name it with -e"),
        (["-e", "own", "-e", "own:skip", "--compare", "own:turbo"], "--compare compares one engine"),
        (["-e", "own", "--compare", "own"], "own would be compared with itself: name another engine with --compare"),
        (
            ["-e", "own", "--compare", "none"],
            "--compare 'none' is neither a file of bench --save nor an engine: no engine",
        ),
        (
            ["-e", "own", "--compare", "run.json"],
            "--compare 'run.json' is neither a file of bench --save nor an engine: ",
        ),
        (
            ["-e", "own", "--compare", "own:skip", "--rounds", "7"],
            "--rounds 7 is too few to distinguish a difference from noise: use 8 or more",
        ),
        (["-e", "own", "--compare", "own:skip", "--techniques"], "leave out --techniques"),
        (["-e", "own", "--compare", "own:skip", "--fail-below", "much"], "'much' is not a number from 0.01 to 100"),
        (["--save", "no/base.json"], "--save 'no/base.json': give a file in an existing folder"),
        (["--save", "."], "--save '.': give a file in an existing folder"),
        (["--save", "a.json", "--report", "a.json"], "this command already uses 'a.json'; name another file"),
    ],
)
def test_wrong_input_is_reported_in_one_line(run: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "run.json").write_text('{"format": 1, "perft_check": "0.1.0", "engine": "own"}')
    done = run("bench", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert os.listdir(tmp_path) == ["run.json"]


def test_figures_are_saved_and_compared(run: Run, tmp_path: Path) -> None:
    saved = run("bench", "-e", "own", "-p", MATE, "--rounds", "8", "--save", "base.json")
    assert saved.returncode == 0
    (position,) = json.loads((tmp_path / "base.json").read_text())["positions"]
    assert {name: len(rounds) for name, rounds in position["rounds"].items()} == {"own": 8, "own:turbo": 8}
    assert (position["fen"], position["depth"], position["nodes"]) == (MATE, 1, 1)
    done = run("bench", "-e", "own", "--rounds", "8", "--compare", "base.json", "--fail-below", "0.01")
    assert done.returncode == 0
    assert "; fast enough, not below 0.01" in done.stdout.splitlines()[-1]  # a busy machine wants more seconds
    assert "speed of own against own in base.json, saved " in done.stdout
    done = run("bench", "-e", "own", "-p", "kiwipete", "--compare", "base.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "it has no figures of 'kiwipete' with own: it has" in done.stderr


def test_a_slower_engine_is_refused_and_its_figures_are_not_saved(run: Run, tmp_path: Path) -> None:
    """python-chess takes a thousand times as long as our counting kernel."""
    (tmp_path / "base.json").write_text("kept")
    words = ["bench", "-e", "python-chess", "--compare", "own", "-p", MATE, "--rounds", "8", "--fail-below", "100"]
    done = run(*words, "--save", "base.json", "--report", "bench.md")
    assert done.returncode == 1
    assert "; too slow, below 100" in done.stdout.splitlines()[-1]
    assert "base.json is not written: the benchmark was interrupted, incorrect or too slow" in done.stderr
    assert (tmp_path / "base.json").read_text() == "kept"
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


def test_figures_keep_names_and_are_found_by_them(run: Run, tmp_path: Path) -> None:
    engines = ("-e", "own", "-e", "own:skip", "--name", "first", "--name", "second")
    run("bench", *engines, "-p", MATE, "--rounds", "8", "--save", "base.json")
    document = json.loads((tmp_path / "base.json").read_text())
    assert document["names"] == {"own": "first", "own:skip": "second"}
    words = ("bench", "-e", "own:magic", "--compare", "base.json", "--rounds", "8")
    told = run(*words, "--name", "second").stdout
    assert "speed of second against second in base.json, saved " in told
    assert (
        "speed of second against before in base.json, saved "
        in run(*words, "--name", "second", "--name", "before").stdout
    )
    refused = run(*words, "--name", "third")
    assert refused.returncode == 2
    assert "has own, own:skip, but not own:magic: save one engine, or one with this name" in refused.stderr
