"""Keys of positions and the moves of a search are checked, too."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import Run
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.engines.opening import open_session
from perft_check.harness.engines.stdio.displays import SearchAnswer, read_key, read_search
from perft_check.harness.fuzzing.checks.keys import Keys

EXPECTED = {
    "no-king": "king",
    "colors-alike": "the key leaves out the color of a ",
    "rook-is-queen": "the key leaves out the type of a ",
    "no-files": "",
    "no-turn": "the key leaves out the side to move",
    "no-rights": "",
    "one-word-for-rights": "",
    "no-en-passant": "",
    "counts-moves": "the key is not updated by a move",
    "en-passant-victim-stays": "the key is not updated by a capture en passant",
    "captured-piece-stays": "the key is not updated by a ",
    "promoted-pawn-stays": "the key is not updated by a promotion",
    "castled-rook-stays": "the key is not updated by castling",
    "right-of-captured-rook-stays": "the key is not updated by a move that ends a castling right",
}
"""Faults of `fakes/keyed.py` with words of the finding; empty if the position decides what is seen first."""


def keyed(fault: str) -> str:
    """Return the engine with this fault."""
    return "uci:" + shlex.join([sys.executable, str(FAKES / "keyed.py"), fault])


@pytest.mark.slow
@pytest.mark.parametrize("fault", EXPECTED)
def test_a_fault_of_keys_is_found(fuzz: Run, fault: str) -> None:
    done = fuzz("-e", keyed(fault), "-n", "40", "--seed", "1", "-j", "1", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    findings = json.loads(done.stdout)["findings"]
    assert {one["check"] for one in findings} == {"keys"}
    assert any(EXPECTED[fault] in one["finding"]["note"] for one in findings), findings


@pytest.mark.slow
@pytest.mark.parametrize("habit", ["none", "useless-en-passant"])
def test_correct_keys_are_not_accused(fuzz: Run, habit: str) -> None:
    done = fuzz("-e", keyed(habit), "-n", "60", "--seed", "1", "-j", "1")
    assert done.returncode == 0, done.stdout


FENS = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w A - 0 1")


@pytest.mark.parametrize("chess960", [False, True])
def test_many_keys_are_the_same_as_single_ones(chess960: bool) -> None:
    with open_session(keyed("none")) as session:
        session.start()
        games = [Game(Position.from_fen(fen, chess960=True)) for fen in FENS[: 3 if chess960 else 2]]
        fens = [game.base.fen(castling="shredder") for game in games] * 100
        keys = session.keys(fens, chess960=chess960)
        assert keys == [session.key(game) for game in games] * 100
        assert len(set(keys)) == len(games)


def test_an_engine_without_keys_has_none_for_many_positions() -> None:
    with open_session(searching("none")) as session:
        session.start()
        assert session.keys(FENS[:2], chess960=False) is None


def test_keys_that_are_equal_in_different_positions_are_found() -> None:
    fens = ("4k3/8/8/8/8/2P5/8/4K3 w - - 0 1", "4k3/8/8/8/8/6P1/8/4K3 w - - 0 1")
    with open_session(keyed("no-files")) as session:
        session.start()
        (found,) = Keys(session).compare_many(fens, chess960=False)
    assert found.finding is not None
    assert found.finding.note == f"two positions have the same key; the other is {fens[0]}"


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("Key: 8F8F01D4562F59FB", "8F8F01D4562F59FB"),
        ("Hash key = 0x463b96181691fc9c", "463B96181691FC9C"),
        ("zobrist: 5060803636482931868", "5060803636482931868"),
        ("  Zobrist Hash : 00ab12cd34ef5678", "AB12CD34EF5678"),
        ("Hash: 16", None),
        ("Checkers: e4", None),
        ("Fen: 8/8/8/8/8/8/8/K1k5 w - - 0 1", None),
    ],
)
def test_keys_are_read_as_engines_write_them(line: str, key: str | None) -> None:
    assert read_key([line]) == key


EXPECTED_OF_SEARCH = {
    "illegal-ponder": "go depth",
    "pv-past-mate": "go depth",
    "pinned-currmove": "go depth",
    "move-in-stalemate": "go depth",
    "none-in-check": "answers that there is no legal move",
    "best-of-last-search": "go depth",
    "castling-of-the-other-variant": "is written as in another variant",
    "promotion-without-letter": "go depth",
    "stale-en-passant": "go depth",
    "move-stays-made": "the search changes the position",
    "right-stays-lost": "the search changes the position",
    "en-passant-stays": "the search changes the position",
    "searchmoves-unchecked": "searchmoves",
}
"""Faults of `fakes/searching.py` with words of the finding."""


def searching(fault: str) -> str:
    """Return the engine with this fault."""
    return "uci:" + shlex.join([sys.executable, str(FAKES / "searching.py"), fault])


@pytest.mark.slow
@pytest.mark.parametrize("fault", EXPECTED_OF_SEARCH)
def test_a_fault_of_a_search_is_found(fuzz: Run, fault: str) -> None:
    done = fuzz("-e", searching(fault), "-n", "40", "--seed", "1", "-j", "1", "--fail-fast", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    findings = json.loads(done.stdout)["findings"]
    assert {one["check"] for one in findings} == {"search"}
    assert any(EXPECTED_OF_SEARCH[fault] in one["finding"]["note"] for one in findings), findings


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "verdict"), [("crash-at-many-moves", "crash"), ("hang-without-moves", "timeout")])
def test_a_search_that_crashes_or_hangs_is_found(fuzz: Run, fault: str, verdict: str) -> None:
    options = ["-n", "40", "--seed", "1", "-j", "1", "--fail-fast", "--timeout", "2", "--report", "json=-"]
    done = fuzz("-e", searching(fault), *options)
    assert done.returncode == 3, done.stderr
    assert [(one["check"], one["verdict"]) for one in json.loads(done.stdout)["findings"]] == [("search", verdict)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "habit", ["none", "no-searchmoves", "ignores-searchmoves", "ignores-nodes", "ignores-depth", "none-when-drawn"]
)
def test_a_correct_search_is_not_accused(fuzz: Run, habit: str) -> None:
    done = fuzz("-e", searching(habit), "-n", "60", "--seed", "1", "-j", "1")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["bestmove e2e4 ponder e7e5"], SearchAnswer("e2e4", "e7e5")),
        (["bestmove (none)"], SearchAnswer("")),
        (["bestmove 0000"], SearchAnswer("")),
        (
            [
                "info depth 1 score cp 5 pv e2e4 e7e5 bmc 2",
                "info depth 2 currmove d2d4 currmovenumber 2",
                "bestmove d2d4",
            ],
            SearchAnswer("d2d4", "", (("e2e4", "e7e5"),), ("d2d4",)),
        ),
        (["info string pv is not a variation here", "bestmove a2a3"], SearchAnswer("a2a3")),
        (["info depth 1"], None),
    ],
)
def test_the_moves_of_a_search_are_read(lines: list[str], answer: SearchAnswer | None) -> None:
    assert read_search(lines) == answer


def test_a_run_searches_in_five_positions(run: Run) -> None:
    done = run("run", "-s", "smoke", "-e", searching("illegal-ponder"), "-j", "1", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    failed = [one for one in json.loads(done.stdout)["results"] if one["verdict"] == "mismatch"]
    assert {one["message"] for one in failed} == {"its counts are correct, but its search is not"}
    assert {one["finding"]["cause"] for one in failed} == {"search"}
    assert len(failed) == 4  # no game leads to the fifth position


def test_a_crash_in_the_search_of_a_run_is_reproduced(run: Run, tmp_path: Path) -> None:
    fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
    (tmp_path / "many.epd").write_text(f"{fen} ;D1 218\n")
    done = run("run", "-s", "many.epd", "-e", searching("crash-at-many-moves"), COLUMNS="200")
    assert done.returncode == 3
    assert "in a search: searching.py exited with status 139" in done.stdout
    assert f"reproduce: perft-check fuzz --replay '{fen}' -e" in done.stdout


@pytest.mark.parametrize(
    "habit", ["none", "no-searchmoves", "ignores-searchmoves", "ignores-nodes", "ignores-depth", "none-when-drawn"]
)
def test_a_run_accepts_a_correct_search(run: Run, habit: str) -> None:
    done = run("run", "-s", "smoke", "-e", searching(habit), "-j", "1")
    assert done.returncode == 0, done.stdout
