"""Failures are explained in the order of the cases: the report does not depend on the order of counting."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest
from helpers.asking import opener_of
from helpers.games import ATTACKED, case
from helpers.processes import until
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.checking.running import runner
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.engines.base import Divide, EngineTimeout
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.engine import Engine
from perft_check.harness.engines.opening import open_engine, open_session
from perft_check.harness.engines.spec import EngineSpec
from perft_check.harness.model.results.events import CaseFailed, CaseFinished, CaseStarted, RunFinished
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.shutdown import Interrupt
from perft_check.reports.formats.json import JSON
from perft_check.suites.case import Case, Suite

FAULT = "zoo:castling-through-attack"
ARBITER = partial(open_session, EngineSpec(FAULT).default_reference)
RIGHT = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
STARTS = 11
"""Number of processes for any number of failures: one for the trial, one that counts, three for the first failure, one
for each of the next three, and one that continues after each of three.
"""
STARTS_TO_EXPLAIN = 3
"""Three more processes show that no systematic error explains the totals."""


FAILURES = tuple(case(f"wrong {number}", ATTACKED[number % len(ATTACKED)], 1) for number in range(15))


@dataclass
class Meeting:
    """Delays the answer about the first case until others have made a given number of counts."""

    counts: int
    made: int = 0
    starts: int = 0
    has_waited: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)

    def note(self, position: Position, depth: int) -> None:
        with self.changed:
            self.made += 1
            self.changed.notify_all()
            if position == FAILURES[0].position and depth == 1 and not self.has_waited:
                self.has_waited = True
                self.changed.wait_for(lambda: self.made > self.counts, timeout=60)


class FaultyProcess(Engine):
    """A zoo engine that looks like one in its own process."""

    name, spec = "made", EngineSpec("made")
    min_depth, chess960, plays_moves = 0, True, True

    def __init__(self, meeting: Meeting, *, prints_moves: bool = True, interrupt: Interrupt | None = None) -> None:
        self._meeting, self._prints_moves, self._interrupt = meeting, prints_moves, interrupt
        self._engine = open_engine(FAULT)
        self._is_there = False

    def start(self, call: EngineCall) -> None:
        self._engine.start(call)
        self._begin()

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        self._begin()
        self._meeting.note(game.position, depth)
        return self._engine.perft(game, depth, call)

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        self._begin()
        if self._interrupt is not None:
            self._interrupt.requested = True
            until(lambda: call.stopped)
        divide = self._engine.divide(game, depth, call)
        return divide if self._prints_moves else Divide.of_total(divide.total)

    def fen(self, game: Game, call: EngineCall) -> None:
        return None

    def close(self) -> None:
        self._is_there = False

    def _begin(self) -> None:
        with self._meeting.changed:
            self._meeting.starts += not self._is_there
        self._is_there = True


def plan(cases: Iterable[Case], meeting: Meeting, jobs: int, **settings: Any) -> RunPlan:
    interrupt, prints_moves = settings.pop("interrupt", None), settings.pop("prints_moves", True)
    engine = partial(FaultyProcess, meeting, prints_moves=prints_moves, interrupt=interrupt)
    return RunPlan(opener_of(engine), (Suite("made", tuple(cases)),), arbiter=ARBITER, jobs=jobs, **settings)


def document(finished: RunFinished) -> Any:
    """Return a JSON report without times."""
    return without_times(json.loads(JSON.render(finished)))


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key != "seconds"}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def report(cases: Iterable[Case], jobs: int, waits_for: int = 0, **settings: Any) -> Any:
    *_, finished = run(plan(cases, Meeting(waits_for), jobs, **settings), Interrupt())
    assert isinstance(finished, RunFinished)
    return document(finished)


@pytest.mark.slow
@pytest.mark.parametrize(("explain", "prints_moves"), [(0, True), (1, True), (3, True), (3, False), (1_000, True)])
def test_the_report_is_the_same_for_any_number_of_workers(explain: int, prints_moves: bool) -> None:
    """Another failure is counted before the first one, and has to wait for it."""
    cases = *FAILURES, case("deep", ATTACKED[0], 3), case("right", RIGHT, 3)
    one = report(cases, 1, explain=explain, prints_moves=prints_moves)
    liked = [result["like"] for result in one["results"][:15]]
    explained = explain if 0 < explain < 15 else 15
    assert liked == [""] * explained + ["made:wrong 0"] * (15 - explained)
    for jobs in (2, 4):
        assert report(cases, jobs, 1, explain=explain, prints_moves=prints_moves) == one


@pytest.mark.parametrize("waits_for", [0, 3])
def test_fail_fast_reports_the_same_for_any_number_of_workers(waits_for: int) -> None:
    """The first failure in the order of the cases ends the run, not the failure that is counted first."""
    good = [case(f"right {number}", RIGHT, depth) for number, depth in enumerate((1, 2, 5, 3, 4) * 3)]
    cases = *good[:5], *FAILURES[:3], *good[5:], *FAILURES[3:5]
    one = report(cases, 1, fail_fast=True)
    assert one["verdicts"] == {"agree": 4, "mismatch": 1}
    assert [result["name"] for result in one["results"] if result["verdict"] == "mismatch"] == ["wrong 0"]
    assert one["results"][4]["finding"]["wrong"][0]["rule"] == "castling-through-check"
    for jobs in (2, 4):
        assert report(cases, jobs, waits_for, fail_fast=True) == one


@pytest.mark.parametrize(("explain", "starts"), [(0, STARTS), (3, STARTS + STARTS_TO_EXPLAIN)])
def test_many_failures_start_few_processes(explain: int, starts: int) -> None:
    counts = {}
    for jobs in (1, 4):
        meeting = Meeting(0)
        list(run(plan(FAILURES, meeting, jobs, explain=explain), Interrupt()))
        counts[jobs] = meeting.starts
    assert counts[1] == starts
    assert counts[4] < 4 * starts


def test_a_run_without_a_failure_starts_a_process_for_the_trial_and_one_that_counts() -> None:
    meeting = Meeting(0)
    list(run(plan([case("right", RIGHT, 3)] * 9, meeting, 1), Interrupt()))
    assert (meeting.starts, meeting.made) == (2, 9)


@pytest.mark.parametrize("jobs", [1, 3])
def test_failures_left_unexplained_are_reported_as_counted(jobs: int) -> None:
    interrupt = Interrupt()
    events = list(run(plan(FAILURES[1:3], Meeting(0), jobs, interrupt=interrupt), interrupt))
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert finished.interrupted
    first = finished.results[0]
    assert (first.verdict, first.got, first.expected) == (Verdict.MISMATCH, 25, 24)
    assert first.message == "+1 nodes; stopped before the cause was found"
    told = [event.result for event in events if isinstance(event, CaseFinished)]
    assert sorted(told, key=lambda result: result.name) == list(finished.results)


def test_failures_are_explained_in_the_order_of_the_cases() -> None:
    """Another failure is counted before the first one."""
    cases = *FAILURES[:6], case("right", RIGHT)
    events = list(run(plan(cases, Meeting(1), 4), Interrupt()))
    names = [one.name for one in FAILURES[:6]]
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    assert [result.name for result in results if result.verdict is Verdict.MISMATCH] == names
    failed = [event.name for event in events if isinstance(event, CaseFailed)]
    assert sorted(failed) == names
    assert failed[0] != names[0]


class SpoiledProcess(FaultyProcess):
    """An engine whose process counts five leaf nodes too many from its third question on."""

    def __init__(self, meeting: Meeting) -> None:
        super().__init__(meeting)
        self._engine = open_engine("own")
        self._asked = 0

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        self._asked += 1
        return super().perft(game, depth, call) + 5 * (self._asked >= 3)

    def close(self) -> None:
        super().close()
        self._asked = 0


def test_a_failed_process_causes_no_further_failures() -> None:
    """A new process is asked about the next case: of seven cases the third and the sixth fail."""
    cases = [case(f"case {number}", RIGHT) for number in range(7)]
    meeting = Meeting(0)
    spoiled = replace(plan(cases, meeting, 1), engine=opener_of(partial(SpoiledProcess, meeting)))
    *_, finished = run(spoiled, Interrupt())
    assert isinstance(finished, RunFinished)
    mismatches = [result for result in finished.results if result.verdict is Verdict.MISMATCH]
    assert [result.name for result in mismatches] == ["case 2", "case 5"]
    assert all("fails only once it has been asked for all 3 positions so far" in one.message for one in mismatches)


ASKED_ONCE = "4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1"


class WrongOnce(FaultyProcess):
    """Counts one leaf node too many at the first question about a position."""

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        is_wrong = game.position.fen() == ASKED_ONCE and not self._meeting.has_waited
        self._meeting.has_waited = self._meeting.has_waited or is_wrong
        return super().perft(game, depth, call) + is_wrong


@pytest.mark.parametrize("jobs", [1, 3])
def test_fail_fast_continues_after_a_failure_that_is_not_reproduced(jobs: int) -> None:
    right = [case(f"right {number}", fen) for number, fen in enumerate((RIGHT, ASKED_ONCE, RIGHT, RIGHT))]
    meeting = Meeting(0)
    cases = *right, *FAILURES[1:3], case("last", RIGHT)
    engine = opener_of(partial(WrongOnce, meeting))
    *_, finished = run(replace(plan(cases, meeting, jobs, fail_fast=True), engine=engine), Interrupt())
    assert isinstance(finished, RunFinished)
    agree, once, wrong = Verdict.AGREE, Verdict.NOT_REPRODUCED, Verdict.MISMATCH
    assert [result.verdict for result in finished.results] == [agree, once, agree, agree, wrong]
    assert [result.name for result in finished.not_begun] == ["wrong 2", "last"]


class EndlessProcess(FaultyProcess):
    """Counts one position until it is stopped; earlier questions are not answered until that one is asked."""

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        count = super().perft(game, depth, call)
        if game.position.fen() != RIGHT:
            until(lambda: self._meeting.made > 1)
            return count
        until(lambda: call.stopped)
        raise EngineTimeout("stopped")


@pytest.mark.slow
def test_a_run_that_is_out_of_time_has_explained_its_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "EXPLAINING_FRACTION", 0.97)
    meeting = Meeting(0)
    cases = FAILURES[0], case("endless", RIGHT)
    limited = replace(plan(cases, meeting, 2, seconds=60.0), engine=opener_of(partial(EndlessProcess, meeting)))
    *_, finished = run(limited, Interrupt())
    assert isinstance(finished, RunFinished)
    assert [result.verdict for result in finished.results] == [Verdict.MISMATCH, Verdict.UNFINISHED]
    assert finished.results[0].finding is not None
    assert finished.out_of_time


def test_counting_continues_after_late_failures_if_no_count_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "EXPLAINING_FRACTION", 1.0)
    monkeypatch.setattr(runner, "EXPLAINING_SECONDS", 3_600.0)
    cases, threads = (*FAILURES[:7], case("right", RIGHT)), threading.active_count()
    for event in run(plan(cases, Meeting(0), 1, seconds=3_600.0), Interrupt()):
        if isinstance(event, CaseStarted):  # of a failure nobody hears before all is counted
            until(lambda: threading.active_count() <= threads)
        finished = event
    assert isinstance(finished, RunFinished)
    found = document(finished)
    assert found["verdicts"] == {"mismatch": 7, "agree": 1}
    assert not found["out_of_time"]
    assert found["results"] == report(cases, 1)["results"]
