"""`bench` and `moves -e own:TECHNIQUE`, as users call them."""

from __future__ import annotations

import pytest
from helpers.asking import asking
from helpers.program import Run
from perft_check.harness.engines.types.own import OwnEngine

OURS = asking(OwnEngine("own:turbo"))

ROOK = "4k3/4p3/8/8/4R3/8/4P3/4K3 w - - 0 1"


def test_moves_are_listed_in_the_order_of_a_technique(run: Run) -> None:
    done = run("moves", ROOK, "-e", "own:linked-list")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-2:] == [
        "16 legal moves, in the order of generation:",
        "e4e5 e4e6 e4e7 e4f4 e4g4 e4h4 e4e3 e4d4 e4c4 e4b4 e4a4 e1d1 e1f1 e1d2 e1f2 e2e3",
    ]


def test_squares_are_those_of_white_whoever_moves(run: Run) -> None:
    done = run("moves", "4k3/4p3/8/4r3/8/8/4P3/4K3 b - - 0 1", "-e", "own:ray-delta")
    assert "e5e4" in done.stdout
    assert "e5a5" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["moves", "startpos", "-e", "own:linkedlist"], "did you mean 'own:linked-list'?"),
        (
            ["moves", "startpos", "-e", "own:skip", "--all"],
            "own:skip generates legal moves only: leave out --type and --all",
        ),
        (["moves", "xfen-02", "-e", "own:ray-cast"], "ray-cast knows castling of standard chess only"),
        (["bench", "-e", "own:skipp"], "no engine named 'own:skipp': did you mean 'own:skip'?"),
        (["bench", "-p", "nowhere"], "no position named 'nowhere'"),
        (["bench", "-p", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"], "has no legal move, so there is nothing to time"),
    ],
)
def test_wrong_input_is_reported_in_one_line(run: Run, arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


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
    assert done.stdout.count("lists moves fastest") == 2


@pytest.mark.slow
def test_castling_is_written_as_the_position_has_it(run: Run) -> None:
    done = run("moves", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "-e", "own:lookup")
    assert "e8g8 e8c8" in done.stdout
    assert "e8h8" not in done.stdout
