"""A bench from plan to result, with a clock that only engines advance."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
from helpers.asking import asking
from perft_check.errors import UsageError
from perft_check.generator.counting.perft import perft
from perft_check.generator.game import Game
from perft_check.harness.checking import benching
from perft_check.harness.checking.benching import Bench, BenchPlan, run_bench
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.model.results.bench import BenchProgress
from perft_check.harness.model.results.verdict import Verdict
from perft_check.suites.positions import resolve_position

OURS = asking(OwnEngine("own:turbo"))

NAMES = ("startpos", "kiwipete", "cpw-3", "cpw-4", "cpw-5", "cpw-6")
LINES = {name: Game(resolve_position(name)) for name in NAMES}
COUNTS: dict[tuple[int, int], int] = {}
"""By an element of LINES, and a depth."""


class CallableClock:
    """A clock that advances while an engine counts."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Timed(PythonChessEngine):
    """Counts a given number of nodes per second, after a delay for each question; noise is relative to the time."""

    min_depth = 1

    def __init__(
        self, name: str, clock: CallableClock, speed: float, noise: float = 0.0, overhead: float = 0.0
    ) -> None:
        self.name, self.deepest = name, 0
        self._clock, self._speed, self._noise, self._overhead = clock, speed, noise, overhead
        self._source = random.Random(name)

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        """Advance the clock."""
        key = id(game), depth
        if key not in COUNTS:
            COUNTS[key] = perft(game.position, depth)
        self.deepest = max(self.deepest, depth)
        factor = 1 + self._noise * self._source.gauss(0, 1)
        self._clock.now += self._overhead + COUNTS[key] / self._speed * max(0.1, factor)
        return COUNTS[key]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> CallableClock:
    """Return the clock of the bench."""
    made = CallableClock()
    monkeypatch.setattr(benching, "time", SimpleNamespace(perf_counter=made, monotonic=made))
    return made


def run(
    new: PythonChessEngine, old: PythonChessEngine, plan: BenchPlan, fail_below: float | None = None
) -> BenchProgress:
    """Return the result of a bench of two engines."""
    plan = replace(plan, compared=old.name, fail_below=fail_below)
    *_, last = run_bench(Bench([asking(new), asking(old)], OURS), LINES, plan)
    return last


GUARD = BenchPlan(shortest_count=0.2)


def test_a_bench_of_slow_engines_keeps_to_its_time(clock: CallableClock) -> None:
    """At 9 million nodes per second, 12 rounds of 3,000,000 leaf nodes would take 377 seconds."""
    last = run(Timed("new", clock, 9e6, 0.05), Timed("old", clock, 9e6, 0.05), GUARD)
    assert last.rounds >= 20
    assert clock.now <= 21
    assert {one.position: one.depth for one in last.speeds} == {
        "startpos": 4, "kiwipete": 3, "cpw-3": 4, "cpw-4": 4, "cpw-5": 3, "cpw-6": 3,
    }  # fmt: skip


def test_fast_engines_count_three_million_leaf_nodes(clock: CallableClock) -> None:
    last = run(Timed("new", clock, 4e9, 0.05), Timed("old", clock, 4e9, 0.05), GUARD)
    assert {one.position: one.depth for one in last.speeds} == {
        "startpos": 5, "kiwipete": 4, "cpw-3": 6, "cpw-4": 5, "cpw-5": 5, "cpw-6": 4,
    }  # fmt: skip


def test_a_slow_start_of_each_count_does_not_limit_the_depth(clock: CallableClock) -> None:
    """A program that is started for each count, which takes 20 milliseconds."""
    new = Timed("new", clock, 9e6, 0.01, overhead=0.02)
    last = run(new, Timed("old", clock, 9e6, 0.01, overhead=0.02), GUARD)
    assert {one.position: one.depth for one in last.speeds}["startpos"] == 4
    assert clock.now <= 21


def test_a_clear_difference_ends_the_bench_early(clock: CallableClock) -> None:
    last = run(Timed("new", clock, 8e6, 0.02), Timed("old", clock, 9e6, 0.02), GUARD)
    assert last.comparison is not None
    assert last.comparison.is_clear
    assert last.comparison.interval is not None
    assert last.comparison.interval[0] <= 8 / 9 <= last.comparison.interval[1] < 1
    assert last.rounds == 7
    assert clock.now <= 8


def test_a_clearly_met_limit_ends_the_bench_early(clock: CallableClock) -> None:
    last = run(Timed("new", clock, 9e6, 0.03), Timed("old", clock, 9e6, 0.03), GUARD, fail_below=0.9)
    assert last.comparison is not None
    assert (last.comparison.is_clear, last.comparison.is_too_slow, last.rounds) == (True, False, 7)


def test_a_given_number_of_rounds_is_made(clock: CallableClock) -> None:
    last = run(Timed("new", clock, 8e6, 0.02), Timed("old", clock, 9e6, 0.02), BenchPlan(rounds=12))
    assert (last.rounds, last.left_seconds) == (12, 0)


def test_a_depth_without_leaf_nodes_is_a_usage_error() -> None:
    mate = Game(resolve_position("4q3/8/8/8/8/5Q2/5Kq1/7k w - - 0 1"))
    with pytest.raises(UsageError) as raised:
        [*run_bench(Bench([asking(PythonChessEngine())], OURS), {"mate": mate}, BenchPlan(depth=3))]
    assert str(raised.value) == "mate: no leaf node at depth 3, so nothing to time; give another depth"


class Crashing(PythonChessEngine):
    """Crashes at every count."""

    name = "new"

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        raise EngineCrash("it crashed")


def test_the_bench_ends_if_nothing_can_be_compared(clock: CallableClock) -> None:
    last = run(Crashing(), Timed("old", clock, 9e6), GUARD)
    assert (last.rounds, last.comparison) == (1, None)
    assert {one.verdict for one in last.speeds if one.engine == "new"} == {Verdict.CRASH}
