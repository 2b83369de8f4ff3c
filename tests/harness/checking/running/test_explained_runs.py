"""A faulty engine, a suite, and a report that names the rule; and votes."""

from __future__ import annotations

import shlex

import pytest
from helpers.headlines import without_moves
from helpers.program import Run, wrong


@pytest.mark.slow
def test_many_failures_have_one_cause(run: Run) -> None:
    done = run("-e", "zoo:castling-from-check", "-s", "smoke", "-s", "chess960", "--max-nodes", "3000", "-q")
    assert done.returncode == 1
    assert without_moves(done.stdout).count("extra move: Castling out of check") == 1
    assert "e1c1 extra: White cannot castle out of check, which the queen" in done.stdout
    assert "\n  same cause in 9 other positions, among them " in done.stdout
    assert "\n  7 of these failures are not explained here; to explain every failure, add --explain all" in done.stdout
    assert "\n169 of 179 positions agree, 10 mismatches from 1 cause" in done.stdout


def test_no_explain_stops_at_the_root_moves(run: Run) -> None:
    done = run("-e", "zoo:ep-pinned-along", "-s", "special", "--filter", "ep-dest", "--explain=none", "-q")
    assert done.returncode == 1
    assert ["c4b3", "cxb3", "1", "missing"] in [line.split()[-4:] for line in done.stdout.splitlines()]
    assert "pinned against" not in done.stdout


def test_divide_names_position_move_and_rule(run: Run) -> None:
    done = run("divide", "7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1", "3", "-e", "zoo:ep-pinned-along", "-a", "own")
    assert done.returncode == 1
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert "missing move c4b3: En passant along the line of a pin" in lines
    assert "after Kg8 b4" in lines
    assert "in    6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 2" in lines
    assert "c4b3 (cxb3) missing: The pawn on c4 is pinned against the" in done.stdout


def test_a_lone_dissenter_is_named(run: Run) -> None:
    fault = "zoo:king-beside-king"
    fen = "8/3k4/8/8/8/3K4/8/8 w - - 0 1"
    for engine, reference in (("own", fault), (fault, "own")):
        done = run("divide", fen, "3", "-e", engine, "-a", "python-chess", "-a", reference, COLUMNS="400")
        assert done.returncode == 1
        assert done.stdout.splitlines()[-1] == f"{fault} alone differs; all others agree"


def test_a_move_that_the_reference_lists_twice(run: Run) -> None:
    done = run("divide", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", "1", "-e", "own", "-a", "zoo:hash-move-twice")
    assert done.returncode == 1
    assert "the reference is wrong about e7f8q: Move listed more than once" in done.stdout.splitlines()
    assert "e7f8q (exf8=Q) occurs more often in the reference's list: " in done.stdout


@pytest.mark.parametrize("command", [["run"], ["divide", "kiwipete", "2"], ["fuzz", "-n", "10"]])
def test_an_engine_is_not_compared_with_itself(run: Run, command: list[str]) -> None:
    message = wrong(run, *command, "-e", "zoo:pins-forgotten", "-a", "own", "-a", "zoo:pins-forgotten")
    assert message == "zoo:pins-forgotten would be compared with itself: name another engine with -a"


def test_a_reference_that_fails_is_named(run: Run) -> None:
    done = run("run", "-e", "own", "-a", "zoo:tables-never-ready", "--filter", "cpw-2", "-s", "smoke")
    assert done.returncode == 3
    assert "the reference zoo:tables-never-ready failed: zoo:tables-never-ready waits for tables" in done.stdout


def test_references_that_are_split_have_no_majority(run: Run) -> None:
    fen = "8/3k4/8/8/8/3K4/P7/8 w - - 0 1"
    first, second = "zoo:king-beside-king", "zoo:push-from-any-rank"
    done = run("divide", fen, "3", "-e", "own", "-a", first, "-a", second)
    assert done.returncode == 1
    assert "no majority: the references disagree with each other" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reference", "heading", "sentence"),
    [
        (
            "pins-forgotten",
            "the reference is wrong: Pinned piece leaves its line",
            "d2e1 is only in the reference's list: The bishop on d2 is",
        ),
        (
            "castling-b-file-attacked",
            "the reference is wrong: Castling with only the rook's path attacked",
            "e8c8 (O-O-O) is only in the engine's list: Black may castle",
        ),
    ],
)
def test_an_incorrect_reference_is_named(run: Run, reference: str, heading: str, sentence: str) -> None:
    """The rules of chess decide, whichever of the two is called the engine."""
    done = run("divide", "kiwipete", "3", "-e", "own", "-a", f"zoo:{reference}", COLUMNS="400")
    assert done.returncode == 1
    assert heading in without_moves(done.stdout).splitlines()
    assert sentence in done.stdout


@pytest.mark.slow
def test_commands_to_be_copied_stay_on_one_line(run: Run) -> None:
    done = run("divide", "kiwipete", "3", "-e", "zoo:pins-forgotten", "-a", "python-chess", COLUMNS="60")
    commands = [line.removeprefix("reproduce: ") for line in done.stdout.splitlines() if line.startswith("reproduce: ")]
    assert len(commands) == 2
    assert all(shlex.split(command)[-2:] == ["-a", "python-chess"] for command in commands)
