"""Comparison with an older engine: ratios and noise."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest
from helpers.asking import asking
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.checking import benching
from perft_check.harness.checking.benching import Bench, BenchPlan, compare_speeds, run_bench
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.model.results.bench import BenchFinished, Comparison, Speed, SpeedRatio
from perft_check.harness.model.results.verdict import ExitCode, Verdict
from perft_check.reports.content.bench import verdict
from perft_check.reports.formats.json import JSON
from perft_check.reports.formats.markdown import MARKDOWN

OURS = asking(OwnEngine("own:turbo"))

STEADY = (1.0,) * 12


def speeds(engine: str, **rounds: tuple[float, ...]) -> list[Speed]:
    return [Speed(engine, position, 5, 100, speed) for position, speed in rounds.items()]


def test_ratios_are_computed_within_each_round() -> None:
    """A drift in the speed of the machine affects both engines."""
    drift = tuple(100.0 - number for number in range(12))
    timed = speeds("./new", rook=tuple(0.9 * one for one in drift), pawn=STEADY) + speeds(
        "./old", rook=drift, pawn=STEADY
    )
    compared = compare_speeds(timed, "./new", "./old", None)
    assert compared is not None
    assert [round(one.median, 6) for one in compared.positions] == [0.9, 1.0]
    assert compared.interval is not None
    assert [round(limit, 6) for limit in compared.interval] == [0.948683, 0.948683]  # the root of 0.9 times 1
    assert (round(compared.median, 6), compared.is_beyond_noise, compared.is_too_slow) == (0.948683, True, False)


def test_an_engine_that_failed_is_not_compared() -> None:
    failed = [replace(one, verdict=Verdict.CRASH) for one in speeds("./new", rook=(1.0,))]
    assert compare_speeds(failed + speeds("./old", rook=STEADY), "./new", "./old", 0.9) is None


@pytest.mark.parametrize(
    ("rounds", "interval", "is_beyond"),
    [
        ((0.9,) * 6, None, False),  # all six are on one side by chance in 1 of 32 cases, and each look counts
        ((0.9,) * 7, (0.9, 0.9), True),
        ((0.9,) * 6 + (1.0,), (0.9, 1.0), False),  # of 7 rounds the least and the greatest
        ((0.5, 0.6, 0.7, 0.8, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1.5, 2.0), (0.6, 1.5), False),  # of 12 not
        ((1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1), (1.5, 2.1), True),
    ],
)
def test_a_difference_beyond_noise(
    rounds: tuple[float, ...], interval: tuple[float, float] | None, is_beyond: bool
) -> None:
    compared = Comparison("./new", "./old", (SpeedRatio("rook", 5, rounds),))
    limits = compared.interval and tuple(round(limit, 9) for limit in compared.interval)
    assert (limits, compared.is_beyond_noise) == (interval, is_beyond)


@pytest.mark.parametrize(
    ("rounds", "fail_below", "is_clear"),
    [
        ((0.9,) * 6, None, False),
        ((0.9,) * 7, None, True),
        ((0.8, 0.9, 0.9, 0.9, 0.9, 0.9, 0.99), None, False),  # slower, but by 1 % or by 20 %
        ((0.999,) * 4 + (1.001,) * 4, None, True),  # alike
        ((0.99,) * 4 + (1.01,) * 4, None, False),
        ((0.99,) * 4 + (1.01,) * 4, 0.95, True),  # whichever is faster, it is fast enough
        ((0.94, 0.9, 0.9, 0.9, 0.9, 0.9, 0.96), 0.95, False),
    ],
)
def test_when_more_rounds_are_not_needed(rounds: tuple[float, ...], fail_below: float | None, is_clear: bool) -> None:
    assert Comparison("./new", "./old", (SpeedRatio("rook", 5, rounds),), fail_below).is_clear is is_clear


def test_a_slow_engine_has_exit_status_1() -> None:
    right = (Speed("./new", "rook", 5, 100, STEADY),)
    for fail_below, status, end in (
        (None, ExitCode.AGREE, ""),
        (0.8, ExitCode.AGREE, "; fast enough, not below 0.8"),
        (0.95, ExitCode.MISMATCH, "; too slow, below 0.95"),
    ):
        compared = Comparison("./new", "./old", (SpeedRatio("rook", 5, (0.9,) * 12),), fail_below)
        assert BenchFinished(right, comparison=compared).exit_code is status
        assert verdict(compared) == f"new is 10.0 % slower, 95 % confidence: 10.0 to 10.0 % (12 rounds){end}"
        wrong = (replace(right[0], verdict=Verdict.CRASH),)
        assert BenchFinished(wrong, comparison=compared).exit_code is ExitCode.ENGINE_FAILED


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        ((1.1,) * 3 + (1.12,) * 4, "new is 12.0 % faster, 95 % confidence: 10.0 to 12.0 % (7 rounds)"),
        (
            (0.992,) * 4 + (1.004,) * 4,
            "no measurable difference: within 0.8 %, 95 % confidence (8 rounds); "
            "increase --seconds for a clearer result",
        ),
        ((0.25,) * 4 + (0.5,) * 3, "new takes 4.0 times as long, 95 % confidence: 2.0 to 4.0 (7 rounds)"),
        ((2.0,) * 3 + (3.0,) * 4, "new is 3.0 times as fast, 95 % confidence: 2.0 to 3.0 (7 rounds)"),
        (
            (0.9,) * 3,
            "new is 10.0 % slower, with too few rounds to be sure (3 rounds); increase --seconds for a clearer result",
        ),
    ],
)
def test_the_description_of_a_difference(rounds: tuple[float, ...], sentence: str) -> None:
    assert verdict(Comparison("./new", "./old", (SpeedRatio("rook", 5, rounds),))) == sentence


def test_reports_of_a_comparison() -> None:
    timed = (Speed("./new", "a|b", 5, 100, (1.0, 3.0)), Speed("./old", "a|b", 5, 100, (), Verdict.CRASH))
    compared = Comparison("./new", "./old", (SpeedRatio("a|b", 5, (0.9,) * 8),), 0.95)
    finished = BenchFinished(timed, comparison=compared)
    told = json.loads(JSON.render(finished))["comparison"]
    assert (told["median"], told["is_too_slow"], told["is_beyond_noise"]) == (0.9, True, True)
    assert (told["quartiles"], told["interval"], told["fail_below"]) == ([0.9, 0.9], [0.9, 0.9], 0.95)
    assert json.loads(JSON.render(BenchFinished(timed)))["comparison"] is None
    page = MARKDOWN.render(finished).splitlines()
    assert "| new | 2.0 | 1.00 |" in page
    assert "| old | crash | - |" in page
    assert "| a\\|b 5 | 0.900 | 0.900 to 0.900 |" in page


class NotingEngine(PythonChessEngine):
    """Reports which engine is asked."""

    def __init__(self, name: str, asked: list[str]) -> None:
        self.name, self._asked = name, asked

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        self._asked.append(self.name)
        return 1


MATE = Game(Position.from_fen("4q3/8/8/8/8/5Q2/5Kq1/7k w - - 0 1"))
"""One leaf node at depth 1, and none below."""


def test_every_second_round_is_in_reverse_order() -> None:
    asked: list[str] = []
    bench = Bench([asking(NotingEngine("a", asked)), asking(NotingEngine("b", asked))], OURS)
    *_, last = run_bench(bench, {"mate": MATE}, BenchPlan(rounds=3, depth=1))
    assert "".join(asked) == "abbaab"
    assert [(one.engine, len(one.rounds)) for one in last.speeds] == [("a", 3), ("b", 3)]


def test_short_counts_are_repeated_within_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """This clock advances by a second whenever it is read."""
    monkeypatch.setattr(benching, "time", SimpleNamespace(perf_counter=count().__next__))
    asked: list[str] = []
    bench = Bench([asking(NotingEngine("a", asked))], OURS)
    started = bench.start_position("mate", MATE, 1)
    (one,) = bench.time_round({"mate": MATE}, started, 0, least_seconds=2.5)
    assert "".join(asked) == "aaa"
    assert one.rounds == (3 * one.nodes / 3.0 / 1e6,)
