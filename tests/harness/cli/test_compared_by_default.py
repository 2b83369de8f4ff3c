"""`divide` and `perft` compare an engine with our own generator, unless they are told otherwise."""

from __future__ import annotations

import json
import shlex
import sys
from functools import partial
from pathlib import Path

import chess
import pytest
from fakes.counting import perft
from helpers.fakes import FAKES
from helpers.headlines import without_moves
from helpers.program import WIDE, Run, run_in, wrong

pytestmark = pytest.mark.slow  # most tests start processes

ONE_BUG = shlex.join([sys.executable, str(FAKES / "one_bug.py")])
PINNED = "7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1"
CHECKED = "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1"
BLOCKED = "4k3/8/8/8/8/4n3/3PP3/4K3 w - - 0 1"
WRONG = [
    (f"uci:{ONE_BUG} uci ep-pinned-along", PINNED, 3, "missing move: En passant along the line of a pin"),
    (f"cmd:{ONE_BUG} argv castling-from-check {{fen}} {{depth}}", CHECKED, 1, "extra move: Castling out of check"),
    (f"script:{ONE_BUG} script push-jumps", BLOCKED, 2, "extra move: Pawn's double step is blocked"),
]
"""Engines that count wrongly, each in a process of its own: where, how deep, and what is wrong."""
RIGHT = [spec.replace(spec.split()[3], "none") for spec, _, _, _ in WRONG]
TOTALS = f"cmd:{ONE_BUG} argv none {{fen}} {{depth}} count"
WRONG_TOTALS = f"cmd:{ONE_BUG} argv pins-forgotten {{fen}} {{depth}} count"
KNIGHT_PINNED = "k7/8/8/3r4/8/8/3N4/3K4 w - - 0 1"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the program in a process of its own."""
    return partial(run_in, tmp_path, **WIDE)


def right(fen: str, depth: int) -> int:
    """Return the count of python-chess."""
    return perft(chess.Board(fen), depth)


@pytest.mark.parametrize(("engine", "fen", "depth", "cause"), WRONG)
def test_divide_names_the_wrong_move_without_being_given_a_reference(
    run: Run, engine: str, fen: str, depth: int, cause: str
) -> None:
    done = run("divide", fen, str(depth), "-e", engine)
    assert (done.returncode, done.stderr) == (1, "")
    lines = without_moves(done.stdout).splitlines()
    assert cause in lines
    (totals,) = [line for line in lines if line.startswith(f"depth {depth}: ")]
    assert totals.endswith(f", own:turbo {right(fen, depth):,}")
    assert lines[-1].startswith("reproduce: perft-check divide ")
    assert lines[-1].endswith(" -a own:turbo")


@pytest.mark.parametrize(("engine", "fen", "depth", "cause"), WRONG)
def test_perft_prints_the_count_alone_and_says_that_it_is_wrong(
    run: Run, engine: str, fen: str, depth: int, cause: str
) -> None:
    done = run("perft", fen, str(depth), "-e", engine)
    assert (done.returncode, done.stdout) == (1, f"{int(done.stdout)}\n")
    figures, verdict, command = done.stderr.splitlines()
    assert figures.startswith(f"one_bug.py, depth {depth}: ")
    assert verdict == f"incorrect: own:turbo counts {right(fen, depth):,}, not {int(done.stdout):,}"
    found = run(*shlex.split(command.removeprefix("to find the wrong move: perft-check "))).stdout
    assert cause in without_moves(found).splitlines()


@pytest.mark.parametrize("engine", RIGHT)
def test_a_right_engine_agrees(run: Run, engine: str) -> None:
    done = run("divide", CHECKED, "2", "-e", engine)
    assert (done.returncode, done.stderr) == (0, "")
    nodes, name = right(CHECKED, 2), "one_bug.py" if "one_bug.py" in engine else engine
    assert done.stdout.splitlines()[-2:] == [
        f"{name} and own:turbo agree on every root move.",
        f"depth 2: {name} {nodes}, own:turbo {nodes}",
    ]
    done = run("perft", CHECKED, "2", "-e", engine)
    assert (done.returncode, done.stdout) == (0, f"{nodes}\n")
    assert done.stderr.splitlines()[1:] == ["own:turbo agrees"]


@pytest.mark.parametrize(("engine", "fen", "depth", "cause"), WRONG)
def test_alone_nothing_is_compared(run: Run, engine: str, fen: str, depth: int, cause: str) -> None:
    counted = run("perft", fen, str(depth), "-e", engine, "--alone")
    assert (counted.returncode, counted.stderr.count("\n")) == (0, 1)
    divided = run("divide", fen, str(depth), "-e", engine, "--alone")
    assert (divided.returncode, divided.stderr) == (0, "")
    *moves, empty, total = divided.stdout.splitlines()
    assert (empty, f"{total}\n") == ("", counted.stdout)
    assert sum(int(line.partition(": ")[2]) for line in moves) == int(total) != right(fen, depth)


@pytest.mark.parametrize("kernel", ["own", "own:turbo", "own:two-plies"])
def test_our_own_generator_counts_alone(run: Run, kernel: str) -> None:
    assert run("divide", PINNED, "1", "-e", kernel).stdout == "c4c3: 1\nh8g7: 1\nh8g8: 1\nh8h7: 1\n\n4\n"
    done = run("perft", PINNED, "1", "-e", kernel)
    assert (done.stdout, done.stderr.count("\n")) == ("4\n", 1)


def test_a_technique_is_compared(run: Run) -> None:
    done = run("divide", PINNED, "1", "-e", "own:magic")
    assert (done.returncode, "own:magic and own:turbo agree on every root move." in done.stdout) == (0, True)


def test_an_engine_that_prints_totals_is_asked_for_each_root_move(run: Run) -> None:
    done = run("divide", KNIGHT_PINNED, "2", "-e", TOTALS)
    assert "one_bug.py and own:turbo agree on every root move." in done.stdout.splitlines()
    moves = [line.split() for line in done.stdout.splitlines()[1:]]
    assert ["d1e1", str(right("k7/8/8/3r4/8/8/3N4/4K3 b - - 1 1", 1))] == moves[2][:2]
    done = run("divide", KNIGHT_PINNED, "2", "-e", WRONG_TOTALS)
    assert (done.returncode, "extra move: Pinned piece leaves its line" in without_moves(done.stdout)) == (1, True)


def test_where_totals_are_all_that_can_be_compared(run: Run) -> None:
    done = run("divide", KNIGHT_PINNED, "1", "-e", TOTALS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == [
        "The totals agree; one_bug.py prints no root moves to compare.",
        "depth 1: one_bug.py 4, own:turbo 4",
    ]
    done = run("divide", KNIGHT_PINNED, "1", "-e", WRONG_TOTALS)
    assert (done.returncode, "has 10 moves here, own:turbo has 4" in done.stdout) == (1, True)


def test_a_reference_that_is_named_takes_the_place_of_ours(run: Run) -> None:
    engine, fen, depth, cause = WRONG[1]
    done = run("divide", fen, str(depth), "-e", engine, "-a", "python-chess")
    assert (done.returncode, cause in without_moves(done.stdout), "own:turbo" in done.stdout) == (1, True, False)


def test_alone_beside_a_reference(run: Run, tmp_path: Path) -> None:
    line = "--alone and -a cannot be combined: leave one out"
    assert wrong(run, "divide", PINNED, "1", "--alone", "-a", "python-chess") == line
    (tmp_path / "perft-check.toml").write_text('engine = "zoo:pins-forgotten"\nagainst = ["python-chess"]\n')
    done = run("divide", KNIGHT_PINNED, "1", "--alone")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "10")
    done = run("divide", KNIGHT_PINNED, "1", "--no-config", "-e", "zoo:pins-forgotten")
    assert (done.returncode, "python-chess" in done.stdout, "own:turbo" in done.stdout) == (1, False, True)


def test_a_reference_that_takes_too_long_is_reported_as_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "quick.py").write_text("def total(fen, depth): return 1\n")
    done = run("perft", "startpos", "12", "-e", "python:quick:total", "--timeout", "2")
    assert (done.returncode, done.stdout) == (3, "1\n")
    last = "perft-check: the reference own:turbo failed: own:turbo has not answered within 2 seconds"
    assert done.stderr.splitlines()[1:] == [last]


def test_the_documents_have_the_comparison(run: Run) -> None:
    engine, fen, depth, _ = WRONG[0]
    done = run("perft", fen, str(depth), "-e", engine, "--json")
    document = json.loads(done.stdout)
    assert (document["exit_code"], document["nodes"], document["expected"]) == (1, 256, right(fen, depth))
    assert (document["reference"], done.returncode) == ("own:turbo", 1)
    done = run("divide", fen, str(depth), "-e", engine, "--json")
    document = json.loads(done.stdout)
    assert (document["exit_code"], document["references"], done.returncode) == (1, ["own:turbo"], 1)
