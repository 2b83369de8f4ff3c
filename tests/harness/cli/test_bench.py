"""`bench`, also as CI calls it with `--save` and `--compare`, and `moves -e own:TECHNIQUE`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from helpers.program import Run, check_mistakes
from perft_check.harness import values

ROOK = "4k3/4p3/8/8/4R3/8/4P3/4K3 w - - 0 1"
MATE = "4q3/8/8/8/8/5Q2/5Kq1/7k w - - 0 1"
"""One leaf at depth 1, and none below: a count takes no time."""


@pytest.fixture
def _short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a round end after each count."""
    monkeypatch.setattr(values, "GUARD_SECONDS", 0.0)


short_rounds = pytest.mark.usefixtures("_short_rounds")


MISTAKES = {
    "moves startpos -e own:linkedlist": "... did you mean 'own:linked-list'?",
    "moves startpos -e own:skip --all": "... own:skip generates legal moves only: leave out --type and --all",
    "moves xfen-02 -e own:ray-cast": "... ray-cast knows castling of standard chess only",
    "bench -e own:skipp": "... no engine named 'own:skipp': did you mean 'own:skip'?",
    "bench -p startpos --depth 99 --timeout 1": (
        "startpos: perft-check's kernel takes longer than --timeout at depth 99, so no count can be checked; "
        "give a smaller depth"
    ),
    "bench -p nowhere": "... no position named 'nowhere'",
    "bench -p 'k7/1Q6/1K6/8/8/8/8/8 b - - 0 1'": "... has no legal move, so there is nothing to time",
    "bench --fail-below 0.9": "... --fail-below needs --compare SPEC",
    "bench --compare own": "... --compare needs exactly one engine under test: name it with -e",
    "bench -e own -e own:skip --compare own:turbo": "... --compare needs exactly one engine under test",
    "bench -e own --compare own": "... own would be compared with itself: name another engine with --compare",
    "bench -e own --compare none": "... no engine named 'none'",
    "bench -e own --compare run.json": "... run.json",
    "bench -e own --compare own:skip --rounds 7": (
        "... --rounds 7 is too few to distinguish a difference from noise: use 8 or more"
    ),
    "bench -e own --compare own:skip --techniques": "... leave out --techniques",
    "bench -e own --compare own:skip --fail-below much": "... 'much' is not a number from 0.01 to 100",
}
"""Command lines with mistakes, and what is said about them."""


def test_wrong_input_is_reported_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"format": 1, "perft_check": "0.1.0", "engine": "own"}')
    check_mistakes(run, MISTAKES)
    assert os.listdir(tmp_path) == ["run.json"]


def test_moves_are_listed_in_the_order_of_a_technique(run: Run) -> None:
    done = run("moves", ROOK, "-e", "own:linked-list")
    assert done.returncode == 0
    assert "LEGAL: 16 moves" in done.stdout
    listed = "e4e5 e4e6 e4e7 e4f4 e4g4 e4h4 e4e3 e4d4 e4c4 e4b4 e4a4 e1d1 e1f1 e1d2 e1f2 e2e3"
    assert [line.split()[0] for line in done.stdout.splitlines()[-16:]] == listed.split()


def test_squares_are_those_of_white_whoever_moves(run: Run) -> None:
    done = run("moves", "4k3/4p3/8/4r3/8/8/4P3/4K3 b - - 0 1", "-e", "own:ray-delta")
    assert "e5e4" in done.stdout
    assert "e5a5" in done.stdout


def test_an_engine_named_twice_is_timed_once_and_that_is_said(run: Run) -> None:
    done = run("bench", "-e", "own", "-e", "own", "-p", "cpw-3", "--rounds", "1")
    assert done.returncode == 0
    assert "own is given 2 times, but timed once" in done.stderr.splitlines()


def test_speeds_stand_side_by_side(run: Run) -> None:
    done = run("bench", "-e", "own", "-e", "own:skip", "-p", "cpw-3", "--rounds", "1")
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["engine", "cpw-3", "6", "of", "own"] in rows
    assert [row[0] for row in rows if row and row[0].startswith("own")] == ["own", "own:skip"] * 2
    assert next(row for row in rows if row[:1] == ["own"])[-1] == "1.00"


@pytest.mark.slow
def test_techniques_are_compared(run: Run) -> None:
    """Those that know castling of standard chess only reject the other position, and are compared all the same."""
    done = run("bench", "--techniques", "-p", "cpw-3", "-p", "xfen-02", "--rounds", "1")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "own:lookup at xfen-02: lookup knows castling of standard chess only" in done.stderr
    rows = {row[0]: row[1:] for line in reversed(done.stdout.splitlines()) if (row := line.split())}
    assert (rows["linked-list"][0], rows["dense-list"][0], rows["butterfly"][0]) == ("47,360", "12,416", "65,536")
    assert rows["own:lookup"][1:3] == ["rejected", "position"]
    assert rows["lookup"][0] == "139,264"
    assert "-" not in rows["lookup"][1:]


@pytest.mark.slow
def test_castling_is_written_as_the_position_has_it(run: Run) -> None:
    done = run("moves", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "-e", "own:lookup")
    assert "e8g8  O-O\ne8c8  O-O-O" in done.stdout
    assert "e8h8" not in done.stdout


@short_rounds
def test_a_slower_engine_is_refused(run: Run, tmp_path: Path) -> None:
    """python-chess takes a thousand times as long as our counting kernel."""
    words = ["bench", "-e", "python-chess", "--compare", "own", "-p", MATE, "--rounds", "8", "--fail-below", "100"]
    done = run(*words, "--report", "bench.md")
    assert done.returncode == 1
    assert "; too slow, below 100" in done.stdout.splitlines()[-1]
    assert "## speed of python-chess against own" in (tmp_path / "bench.md").read_text()


@short_rounds
def test_a_wrong_engine_fails_whatever_its_speed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("def count(fen, depth):\n    return 2\n")
    done = run("bench", "-e", "python:wrong:count", "--compare", "own", "-p", MATE, "--fail-below", "0.01")
    assert done.returncode == 1
    assert "python:wrong:count counts 2 at " in done.stderr
    assert "speed of python:wrong:count against own" not in done.stdout


@short_rounds
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
