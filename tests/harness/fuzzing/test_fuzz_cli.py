"""The options of `perft-check fuzz`, and the messages about mistakes in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.fakes import fake
from helpers.fuzz_report import titles
from helpers.program import Run, check_mistakes, wrong

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


MISTAKES = {
    "--strategy fortune": (
        "--strategy 'fortune': choose from templates, placements, mutations, walks, games, locked, sequences, setups, "
        "castlings"
    ),
    "--strategy Walk": "--strategy 'Walk': did you mean 'walks'?",
    "--ignore castling": "--ignore 'castling': only clocks can be ignored",
    "--examples 5 --time 5": "--examples and --time cannot be combined: leave one out",
    "--convention castling=neither": "--convention describes the lists of your engine: name it with -e",
    "-e own:turbo -a own -a own:turbo": "own:turbo would be compared with itself: name another engine with -a",
    "--self-consistency -a own": "--self-consistency uses no reference: leave out -a",
    "--replay '8/8/8 w - - 0 1'": "bad FEN '8/8/8 w - - 0 1': the board has 3 ranks instead of 8",
    "--replay 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8e6'": (
        "'e8e6', move 2 of 2, is not legal for Black in "
    ),
    "-e owl": "no engine named 'owl': did you mean 'own'?",
    "--corpus none/my.epd": "--corpus none/my.epd: must be a file in an existing folder",
    "--report json=- --report md=-": "--report: two reports go to stdout",
    "--corpus findings.epd --report json=./findings.epd": (
        "--report: this command already uses './findings.epd'; name another file"
    ),
    "--corpus /dev/full": "--corpus /dev/full: must be a file in an existing folder",
    "-e own:turbo -e own": "--engine is given 2 times, but this command takes one engine",
    "--strategy castlings -n 10 --standard": "... castlings",
    "--strategy castlings -n 10 -e python-chess": "... castlings",
    "--examples 0": "Invalid value for '--examples'",
    "--time 0": "Invalid value for '--time'",
    "--depth 7": "Invalid value for '--depth'",
    "--jobs 0": "Invalid value for '--jobs'",
    "--seed -1": "Invalid value for '--seed'",
    "startpos": "unexpected argument 'startpos'",
    "--replay startpos --time 5": "--replay checks one position only: leave out --time",
    "--replay startpos --corpus my.epd": "--replay checks one position only: leave out --corpus",
}
"""Arguments of `fuzz` with mistakes, and what is said about them."""


def test_a_mistake_is_reported_in_one_line(fuzz: Run) -> None:
    check_mistakes(fuzz, MISTAKES)


def test_a_corpus_that_is_not_a_suite_is_refused(fuzz: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Buy milk.\n")
    assert wrong(fuzz, "--corpus", "notes.txt", "-n", "5").startswith("notes.txt:1: ")
    assert (tmp_path / "notes.txt").read_text() == "Buy milk.\n"


RIGHT = {
    "a FEN": ([KIWIPETE], "moves, fen"),
    "a name": (["kiwipete"], "moves, fen"),
    "with moves": ([f"{KIWIPETE} moves e1g1 e8c8 a2a4 b4a3"], "moves, fen"),
    "a mate": (["Q7/8/k7/2K5/8/8/8/8 b - - 0 3"], "moves"),
    "Chess960": (["bnqnr1kr/1pp2pp1/p2b4/7P/4P3/8/PPPP3P/BNQNRBKR b HEhe - 0 10", "--chess960"], "moves, fen"),
    "of another engine": (["startpos", "-e", "python-chess"], "moves, fen"),
    "of itself": (["startpos", "--self-consistency", "-e", "own:turbo"], "consistency"),
    "deeper": (["startpos", "--depth", "3"], "moves, fen"),
    "set up in another way": (["4k3/8/8/8/8/8/8/4K2R w - - 0 1 setup after-another"], "setups"),
}


@pytest.mark.parametrize("what", RIGHT)
def test_a_correctly_answered_position_can_be_replayed(fuzz: Run, what: str) -> None:
    arguments, checks = RIGHT[what]
    done = fuzz("--replay", *arguments)
    engine = arguments[arguments.index("-e") + 1] if "-e" in arguments else "own"
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"no fault of {engine} found here; checks: {checks}\n"


def test_an_incorrectly_answered_position_can_be_replayed(fuzz: Run) -> None:
    arguments = ["-e", "zoo:castling-through-attack", "--depth", "1"]
    place = "b3k3/8/8/8/8/8/P7/4K2R w K - 0 1"
    done = fuzz("--replay", place, *arguments)
    assert done.returncode == 0
    wrong = "5rk1/8/8/8/8/8/P7/4K2R w K - 0 1"
    done = fuzz("--replay", wrong, *arguments)
    assert done.returncode == 1
    assert done.stdout.startswith("1. extra move e1g1: Castling through an attacked square")
    assert f"in {wrong}" in " ".join(done.stdout.split())


def test_quiet_prints_the_last_line_only(fuzz: Run, tmp_path: Path) -> None:
    report = tmp_path / "fuzz.json"
    done = fuzz("-e", "own", "-q", "-n", "20", "--seed", "5", "-j", "1", "--report", f"json={report}")
    assert (done.returncode, done.stdout.split("\n")) == (0, ["no fault of own found in 20 positions", ""])
    assert done.stderr == ""
    written = json.loads(report.read_text())
    assert (written["seed"], written["examples"], written["findings"], written["failure"]) == (5, 20, [], "")


def test_clocks_can_be_ignored(fuzz: Run) -> None:
    replay = ["--replay", "4k3/8/8/8/8/8/8/4K2R w - - 5 9", "-e", fake("stops-clocks"), "--depth", "1"]
    done = fuzz(*replay)
    assert done.returncode == 1
    assert titles(done.stdout) == ["wrong state: Wrong halfmove clock", "wrong state: Wrong move number"]
    done = fuzz(*replay, "--ignore", "clocks")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "no fault of engine.py found here; checks: moves, fen",
    )
