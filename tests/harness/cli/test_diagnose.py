"""`divide --answer` and `diagnose`: what is wrong with counts that were pasted, and which bug makes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.program import Run, check_mistakes
from perft_check.generator import Position

FEN = "7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1"
DIVIDE = "h8g8: 52\nh8h7: 59\nh8g7: 88\nc4c3: 57\n\nNodes searched: 256\n"
"""The divide of `FEN` at depth 3 by an engine whose pinned pawns never capture en passant; 53 and 257 are correct."""


@pytest.fixture
def answer(tmp_path: Path) -> str:
    """Return a file with the divide."""
    path = tmp_path / "divide.txt"
    path.write_text(DIVIDE)
    return str(path)


def test_a_pasted_divide_is_compared(run: Run, answer: str) -> None:
    done = run("divide", FEN, "3", "--answer", answer)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[1].split()[-5:] == ["h8g8", "Kg8", "52", "53", "-1"]
    assert lines[-2:] == [
        "depth 3: divide.txt 256, own:turbo 257",
        "next, ask your engine for: divide 2 of 6k1/8/8/8/2p5/8/BP6/6K1 w - - 1 2",
    ]


def test_a_missing_and_an_extra_root_move_are_explained(run: Run, tmp_path: Path) -> None:
    moves = {move.uci() for move in Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").legal_moves}
    (tmp_path / "divide.txt").write_text("".join(f"{move}: 1\n" for move in sorted(moves - {"e1g1"} | {"e1e3"})))
    done = run("divide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "1", "--answer", "divide.txt", COLUMNS="200")
    assert done.returncode == 1
    assert "e1e3 extra: The king on e1 cannot reach e3: a king moves one square in any direction." in done.stdout
    assert "e1g1 (O-O) missing: White may castle king-side: " in done.stdout


def test_a_correct_answer_agrees(run: Run, answer: str) -> None:
    Path(answer).write_text(DIVIDE.replace("52", "53").replace("256", "257"))
    done = run("divide", FEN, "3", "--answer", answer)
    assert (done.returncode, done.stdout) == (0, "all counts are correct\n")


def test_totals_are_read_from_a_redirected_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "totals.txt").write_text("20, 400, 8903\n")
    done = run("divide", "startpos", "3", "--answer", "totals.txt")
    assert done.returncode == 1
    assert "    3  8,903    8,902" in done.stdout.splitlines()


def test_the_json_of_an_answer_is_that_of_a_divide(run: Run, answer: str) -> None:
    document = json.loads(run("divide", FEN, "3", "--answer", answer, "--json").stdout)
    (difference,) = document["differences"]
    assert (document["kind"], document["exit_code"]) == ("divide", 1)
    assert [(one["uci"], one["got"], one["expected"]) for one in difference["moves"]] == [("h8g8", 52, 53)]


def test_the_bug_behind_a_divide_is_named(run: Run, answer: str) -> None:
    done = run("diagnose", FEN, "3", "--answer", answer, COLUMNS="200")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "1 of 4 counts is incorrect"
    assert lines[2].startswith("1. ep-pinned-along: ")
    assert lines[3] == "  reproduces 1 of 1 incorrect count and agrees with 3 of 3 correct counts"
    assert lines[4] == "  rule: perft-check explain en-passant-along-pin"
    assert lines[-1].startswith("to ask next: perft 3 of k3r3/4p3/8/3P4/8/8/8/3K4 w - - 0 1: 496 is correct, ")


def test_an_engine_is_diagnosed(run: Run) -> None:
    document = json.loads(run("diagnose", FEN, "3", "-e", "zoo:ep-pinned-along", "--json").stdout)
    assert document["kind"] == "diagnosis"
    assert document["candidates"][0]["fault"] == "ep-pinned-along"
    assert (document["differing"], document["correct"]) == (1, 3)


def test_a_file_of_positions_with_the_counts_of_an_engine(run: Run, tmp_path: Path) -> None:
    (tmp_path / "counts.epd").write_text(f"{FEN} ;D1 4 ;D2 45 ;D3 256\n")
    done = run("diagnose", "counts.epd")
    assert done.returncode == 1
    assert "ep-pinned-along" in done.stdout


def test_correct_counts_have_no_bug(run: Run, tmp_path: Path) -> None:
    (tmp_path / "totals.txt").write_text("20 400 8902")
    done = run("diagnose", "startpos", "3", "--answer", "totals.txt")
    assert (done.returncode, done.stdout) == (0, "all counts are correct\n")


def test_a_divide_of_another_position_is_diagnosed_if_a_fault_explains_it(run: Run, tmp_path: Path) -> None:
    moves = {"e1f2": 45, "e1d2": 45, "e1f1": 30, "e1d1": 30, "e2e3": 30, "e2e4": 30}
    (tmp_path / "white.txt").write_text("".join(f"{move}: {nodes}\n" for move, nodes in moves.items()))
    words = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "3", "--moves", "e2e4", "--answer", "white.txt")
    done = run("diagnose", *words)
    assert done.returncode == 1
    assert "1. first-move-skipped: " in done.stdout
    done = run("divide", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "white.txt: 0 of its 6 root moves are legal in 4k3/8/8/8/4P3/8/8/4K3 b" in done.stderr


MISTAKES = {
    f"divide '{FEN}' 3 --answer missing.txt": "cannot read missing.txt: No such file or directory",
    f"divide '{FEN}' 3 --answer empty.txt": "empty.txt has no counts: expected root moves such",
    f"divide '{FEN}' 2 --answer divide.txt": "divide.txt has the counts of depth 3, not 2: give depth 3",
    "divide kiwipete 3 --answer divide.txt": "divide.txt: 0 of its 4 root moves are legal in r3k2r/",
    f"divide '{FEN}' 3 --answer divide.txt -e own": "--answer compares text with perft-check's",
    f"diagnose '{FEN}' 3 --answer search.txt": "search.txt is the output of a search: ask the engine to count, as in",
    f"diagnose '{FEN}' 3 --answer negative.txt": "negative.txt answers -57, which cannot be a count: it is negative",
    f"diagnose '{FEN}' 3 --answer part.txt": "part.txt has 1 of the 4 root moves of 7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1,",
    f"diagnose '{FEN}' 3 --answer two.txt": "two.txt has a root move after its total, 'h8g8: 52': give one divide",
    "diagnose startpos": "diagnose needs a depth after the position",
    "diagnose divide.txt 3": "divide.txt is a file with positions, depths and counts: leave out depth and --answer",
    "diagnose startpos 3 --answer divide.txt -e own": "--answer and -e cannot be combined",
}
"""Command lines with mistakes, and what is said about them."""


def test_bad_input_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "divide.txt").write_text(DIVIDE)
    (tmp_path / "empty.txt").write_text("hello\n")
    (tmp_path / "search.txt").write_text("info depth 3 nodes 256 pv h8g8\nbestmove h8g8\n")
    (tmp_path / "negative.txt").write_text("c4c3: -57\nNodes searched: -57\n")
    (tmp_path / "part.txt").write_text("h8g8: 52\n")
    (tmp_path / "two.txt").write_text(DIVIDE + DIVIDE)
    check_mistakes(run, MISTAKES)
