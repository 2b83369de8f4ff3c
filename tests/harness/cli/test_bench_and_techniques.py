"""`bench` and `moves -e own:TECHNIQUE`, as users call them."""

from __future__ import annotations

import pytest
from helpers.asking import asking
from helpers.program import Run
from perft_check.generator import Position, perft
from perft_check.generator.line import Line
from perft_check.harness.checking.benching.timing import Bench, BenchPlan, run_bench
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.kinds.own import OwnEngine
from perft_check.harness.engines.kinds.python_chess import PythonChessEngine
from perft_check.harness.model.results.verdict import Verdict
from perft_check.reports.facts.bench import bench_table
from rich.console import Console

OURS = asking(OwnEngine("own:turbo"))

ROOK = "4k3/4p3/8/8/4R3/8/4P3/4K3 w - - 0 1"


def test_moves_are_listed_in_the_order_of_a_technique(run: Run) -> None:
    done = run("moves", ROOK, "-e", "own:linked-list")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-2:] == [
        "16 legal moves, in the order in which they are found:",
        "e4e5 e4e6 e4e7 e4f4 e4g4 e4h4 e4e3 e4d4 e4c4 e4b4 e4a4 e1d1 e1f1 e1d2 e1f2 e2e3",
    ]


def test_squares_are_those_of_white_whoever_moves(run: Run) -> None:
    done = run("moves", "4k3/4p3/8/4r3/8/8/4P3/4K3 b - - 0 1", "-e", "own:ray-delta")
    assert "e5e4" in done.stdout
    assert "e5a5" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["moves", "startpos", "-e", "own:linkedlist"], "did you mean 'own:linked-list'?"),
        (["moves", "startpos", "-e", "own:skip", "--all"], "own:skip lists legal moves: leave out --type and --all"),
        (["moves", "xfen-02", "-e", "own:ray-cast"], "ray-cast knows castling of standard chess only"),
        (["bench", "-e", "own:skipp"], "no engine named 'own:skipp': did you mean 'own:skip'?"),
        (["bench", "-p", "nowhere"], "no position named 'nowhere'"),
        (["bench", "-p", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"], "no legal move, so nothing to time"),
    ],
)
def test_wrong_input_is_told_in_one_line(run: Run, arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_an_engine_named_twice_is_timed_once_and_that_is_said(run: Run) -> None:
    done = run("bench", "-e", "own", "-e", "own", "-p", "cpw-3", "--rounds", "1")
    assert done.returncode == 0
    assert "own is named 2 times, and timed once" in done.stderr.splitlines()


def test_speeds_stand_side_by_side(run: Run) -> None:
    done = run("bench", "-e", "own", "-e", "own:skip", "-p", "cpw-3", "--rounds", "1")
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["engine", "cpw-3", "6", "of", "own"] in rows
    assert [row[0] for row in rows if row and row[0].startswith("own")] == ["own", "own:skip"] * 2
    assert next(row for row in rows if row[:1] == ["own"])[-1] == "1.00"
    assert any("█" * 20 in row for row in rows)


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
    assert done.stdout.count("lists fastest") == 2


@pytest.mark.slow
def test_castling_is_written_as_the_position_has_it(run: Run) -> None:
    done = run("moves", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "-e", "own:lookup")
    assert "e8g8 e8c8" in done.stdout
    assert "e8h8" not in done.stdout


def test_a_game_that_is_over_soon_is_timed_to_its_end() -> None:
    """The only move is mate: one leaf at depth 1, and none below."""
    line = Line(Position.from_fen("4q3/8/8/8/8/5Q2/5Kq1/7k w - - 0 1"))
    *_, last = run_bench(Bench([asking(OwnEngine("own"))], OURS), {"over": line}, BenchPlan(rounds=1))
    (speed,) = last.speeds
    assert (speed.depth, speed.nodes, len(speed.rounds)) == (1, 1, 1)


class MiscountingEngine(PythonChessEngine):
    """Counts one too many, at once."""

    name = "wrong"

    def perft(self, setup: Line, depth: int, call: EngineCall) -> int:
        return perft(setup.position, depth) + 1


def test_a_wrong_count_is_no_speed() -> None:
    said: list[str] = []
    line = Line(Position.from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"))
    bench = Bench([asking(OwnEngine("own")), asking(MiscountingEngine())], OURS, said.append)
    *_, last = run_bench(bench, {"cpw-3": line}, BenchPlan(rounds=2, depths={"cpw-3": 6}))
    speeds = last.speeds
    assert [(one.engine, one.depth, one.nodes, one.verdict, len(one.rounds)) for one in speeds] == [
        ("own", 6, 11030083, Verdict.AGREE, 2),
        ("wrong", 6, 11030083, Verdict.MISMATCH, 0),
    ]
    wrong = "wrong counts 11,030,084 at cpw-3, depth 6, instead of 11,030,083: "
    assert said == [f"{wrong}perft-check divide cpw-3 6 -e wrong -a own:turbo"]
    table = Console(width=100, record=True)
    table.print(bench_table(speeds))
    assert ["wrong", "mismatch", "-"] in [row.split() for row in table.export_text().splitlines()]
