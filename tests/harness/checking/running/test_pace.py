"""A long run is announced early and once, with advice on how to shorten it."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass

import pytest
from helpers.asking import opener_of
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.checking.running.schedule import Pace, Workload
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.model.results.events import Notice, RunFinished
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.shutdown import Interrupt
from perft_check.suites.case import Case, Suite


@pytest.mark.parametrize(
    ("answers", "left", "threads", "line"),
    [
        ([(20, 2.0)] * 2, Workload(100, 5_000), 1,
         "it takes 2.0 s per question: this run will take about 3 min more; less"),
        ([(20, 2.0)] * 2, Workload(100, 5_000), 2,
         "it takes 2.0 s per question: this run will take about 2 min more; less"),
        ([(20, 2.0)] * 2, Workload(100, 5_000), 4, None),
        ([(20, 2.0)] * 2, Workload(29, 5_000_000), 1, None),
        ([(20, 0.02), (400, 0.4), (8902, 8.9)], Workload(100, 120_000), 1,
         "it counts 1,000 nodes per second: this run will take about 2 min more; less"),
        ([(20, 0.02), (400, 0.4), (8902, 8.9)], Workload(9_000, 10_800_000), 1,
         "it counts 1,000 nodes per second: this run will take about 3 h more; less"),
        ([(8902, 1.0)] * 3, Workload(30, 10_000_000), 1, None),
        ([(0, 3.0)], Workload(1_000, 0), 1, None),
    ],
)  # fmt: skip
def test_the_announcement_of_the_remaining_time(
    answers: list[tuple[int, float]], left: Workload, threads: int, line: str | None
) -> None:
    pace = Pace()
    assert [pace.note(*one) for one in answers] == [False] * (len(answers) - 1) + [True]
    assert pace.announce("it", left, threads, "less") == line


def test_estimates_become_rarer_and_stop_after_an_announcement() -> None:
    pace = Pace()
    looks = [number for number in range(1, 200) if pace.note(100, 0.1)]
    assert looks[0] in (30, 31)
    assert len(looks) < 8
    assert pace.announce("it", Workload(10_000, 10_000_000), 1, "less") is not None
    assert not any(pace.note(100, 10.0) for _ in range(100))


@dataclass
class Slow(PythonChessEngine):
    """A slow python-chess."""

    name: str = "slow"

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        time.sleep(1.1)
        return super().perft(game, depth, call)


def cases(number: int) -> tuple[Case, ...]:
    """Return cases of standard chess with one count each."""
    return tuple(Case(f"start {one}", Position.start(), ((1, 20),), f"here:{one}") for one in range(number))


@pytest.mark.slow
def test_a_long_run_is_announced_once() -> None:
    plan = RunPlan(opener_of(Slow), (Suite("many", cases(200)),), shorter="one position takes less")
    interrupt, said = Interrupt(), list[str]()
    for event in run(plan, interrupt):
        if isinstance(event, Notice) and not event.is_passing:
            said.append(event.text)
            interrupt.request(signal.SIGINT, None)
    assert isinstance(event, RunFinished)
    assert event.count(Verdict.AGREE) < 10
    [line] = said
    assert line.startswith("slow ")
    assert ": this run will take about " in line
    assert line.endswith(" min more; one position takes less")


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "number"), [(None, 4), (5.0, 200)])
def test_a_short_run_is_not_announced(seconds: float | None, number: int) -> None:
    events = list(run(RunPlan(opener_of(Slow), (Suite("few", cases(number)),), seconds=seconds), Interrupt()))
    assert not [event for event in events if isinstance(event, Notice)]
