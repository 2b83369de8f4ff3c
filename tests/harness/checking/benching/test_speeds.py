"""What a bench times and what it does not: games that end, and incorrect counts."""

from __future__ import annotations

from helpers.asking import asking
from perft_check.generator import Position, perft
from perft_check.generator.game import Game
from perft_check.harness.checking.benching import Bench, BenchPlan, run_bench
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.model.results.verdict import Verdict
from perft_check.reports.content.bench import bench_table
from rich.console import Console

OURS = asking(OwnEngine("own:turbo"))


def test_a_short_game_is_timed_to_its_end() -> None:
    """The only move is mate: one leaf node at depth 1, and none below."""
    game = Game(Position.from_fen("4q3/8/8/8/8/5Q2/5Kq1/7k w - - 0 1"))
    *_, last = run_bench(Bench([asking(OwnEngine("own"))], OURS), {"over": game}, BenchPlan(rounds=1))
    (speed,) = last.speeds
    assert (speed.depth, speed.nodes, len(speed.rounds)) == (1, 1, 1)


class MiscountingEngine(PythonChessEngine):
    """Returns a count that is one too high."""

    name = "wrong"

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        return perft(game.position, depth) + 1


def test_an_incorrect_count_has_no_speed() -> None:
    said: list[str] = []
    game = Game(Position.from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"))
    bench = Bench([asking(OwnEngine("own")), asking(MiscountingEngine())], OURS, said.append)
    *_, last = run_bench(bench, {"cpw-3": game}, BenchPlan(rounds=2, depth=6))
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
