"""`bench` and `moves -e own:TECHNIQUE`, as users call them."""

from __future__ import annotations

import subprocess
import sys

import pytest

ROOK = "4k3/4p3/8/8/4R3/8/4P3/4K3 w - - 0 1"


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "perft_check", *arguments], capture_output=True, text=True, timeout=300, check=False
    )


def test_a_walk_is_shown_square_by_square() -> None:
    done = call("moves", ROOK, "-e", "own:linked-list", "--trace")
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    visited = [row[1] for row in rows if len(row) > 2 and row[0].isdigit() and row[2] in ("empty", "own", "enemy")]
    assert visited == ["e5", "e6", "e7", "f4", "g4", "h4", "e3", "e2", "d4", "c4", "b4", "a4"]
    assert ["8", "e2", "own", "P", "2", "(e4e2)"] in rows
    assert done.stdout.splitlines()[-2:] == [
        "16 legal moves, in the order in which they are found:",
        "e4e5 e4e6 e4e7 e4f4 e4g4 e4h4 e4e3 e4d4 e4c4 e4b4 e4a4 e1d1 e1f1 e1d2 e1f2 e2e3",
    ]


def test_squares_are_those_of_white_whoever_moves() -> None:
    done = call("moves", "4k3/4p3/8/4r3/8/8/4P3/4K3 b - - 0 1", "-e", "own:ray-delta", "--trace")
    assert "e5e4" in done.stdout
    assert "e5a5" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["moves", "startpos", "-e", "own:linkedlist"], "did you mean 'own:linked-list'?"),
        (
            ["moves", "startpos", "--trace"],
            "moves are listed by a technique, own:NAME, not by 'own': there are own:turbo",
        ),
        (["moves", "startpos", "-e", "own:skip", "--all"], "own:skip lists legal moves: leave out --type and --all"),
        (["moves", "xfen-02", "-e", "own:ray-cast"], "ray-cast knows castling of standard chess only"),
        (["bench", "-e", "own:skipp"], "no engine named 'own:skipp': did you mean 'own:skip'?"),
        (["bench", "-p", "nowhere"], "no position named 'nowhere'"),
        (["bench", "-e", "zoo:castling-from-check", "-p", "kiwipete"], "zoo:castling-from-check counts"),
    ],
)
def test_wrong_input_is_told_in_one_line(arguments: list[str], complaint: str) -> None:
    done = call(*arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_speeds_stand_side_by_side() -> None:
    done = call("bench", "-e", "own", "-e", "own:skip", "-p", "cpw-3", "--rounds", "1")
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["engine", "cpw-3", "6", "of", "own"] in rows
    assert [row[0] for row in rows if row and row[0].startswith("own")] == ["own", "own:skip"]
    assert next(row for row in rows if row[:1] == ["own"])[-1] == "1.00"


def test_techniques_are_compared() -> None:
    done = call("bench", "--techniques", "-p", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "--rounds", "1")
    assert done.returncode == 0
    rows = {row[0]: row[1:] for line in done.stdout.splitlines() if (row := line.split())}
    assert (rows["linked-list"][0], rows["dense-list"][0], rows["butterfly"][0]) == ("47,360", "12,416", "65,536")
    assert "lists fastest" in done.stdout
