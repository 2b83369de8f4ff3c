"""Counts that are known ahead: a run has the same results, whether its cases are asked at once or one by one."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from unittest.mock import patch

import pytest
from perft_check.generator import Move, Position
from perft_check.generator.line import Line
from perft_check.harness.checking.running import ahead
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.engines.base import Engine, EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.kinds.own import KERNELS, OwnEngine
from perft_check.harness.engines.kinds.python_chess import PythonChessEngine
from perft_check.harness.model.collecting import SELDOM
from perft_check.harness.model.results.events import CaseFinished, CaseResult, CaseStarted, Event, RunFinished
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.model.shutdown import Interrupt
from perft_check.suites.bundled import bundled_path
from perft_check.suites.case import Case, Suite
from perft_check.suites.loader import load_suite

START = Position.start()
MATE = Position.from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")


class RememberingEngine(OwnEngine):
    """An engine of ours that remembers how it was asked."""

    def __init__(self, name: str = "own") -> None:
        super().__init__(name)
        self.alone: list[int] = []
        """The depths of the counts that were asked for one by one."""
        self.at_once: list[int] = []
        """How many positions came at once."""

    def perft(self, setup: Line, depth: int, call: EngineCall) -> int:
        self.alone.append(depth)
        return super().perft(setup, depth, call)

    def perft_each(
        self, positions: Sequence[Position], depths: Sequence[Sequence[int]], call: EngineCall
    ) -> list[list[int]]:
        self.at_once.append(len(positions))
        return super().perft_each(positions, depths, call)


class Broken(RememberingEngine):
    """It cannot count many at once after all."""

    def perft_each(
        self, positions: Sequence[Position], depths: Sequence[Sequence[int]], call: EngineCall
    ) -> list[list[int]]:
        raise EngineCrash("at once it crashes")


class WrongAtOnce(RememberingEngine):
    """Its counts are wrong only if it is asked for many."""

    def perft_each(
        self, positions: Sequence[Position], depths: Sequence[Sequence[int]], call: EngineCall
    ) -> list[list[int]]:
        return [[count + 7 for count in counts] for counts in super().perft_each(positions, depths, call)]


def cases() -> tuple[Case, ...]:
    """Return cases that agree, that do not, with large counts, with moves, of both variants, and without any move."""
    good = [*load_suite(bundled_path("smoke")), *load_suite(bundled_path("chess960-special"))]
    other = [
        Case("wrong at once", START, ((1, 21), (2, 400)), "here:1"),
        Case("wrong later", START, ((1, 20), (2, 401), (3, 8902)), "here:2"),
        Case("large", START, ((1, 20), (3, 8902), (4, 197_281)), "here:3"),
        Case("wrong and large", START, ((1, 20), (4, 197_282)), "here:4"),
        Case("moves", START, ((1, 20),), "here:5", moves=(Move(796),)),
        Case("mate", MATE, ((1, 0), (2, 0)), "here:6"),
    ]
    return (*good, *other)


def events_of(engine: Engine, at_once: bool, *cases: Case, **settings: object) -> list[Event]:
    plan = RunPlan(lambda: engine, (Suite("made", cases),), arbiter=lambda _: PythonChessEngine(), **settings)  # type: ignore[arg-type]
    with patch.object(ahead, "FEW", 0 if at_once else 10**9):
        return list(run(plan, Interrupt()))


def results_of(engine: Engine, at_once: bool, *cases: Case, **settings: object) -> list[CaseResult]:
    """Return the results without their times."""
    finished = events_of(engine, at_once, *cases, **settings)[-1]
    assert isinstance(finished, RunFinished)
    return [
        replace(result, seconds=0.0, counts=tuple(count._replace(seconds=0.0) for count in result.counts))
        for result in (*finished.results, *finished.not_begun)
    ]


@pytest.mark.parametrize("name", KERNELS)
def test_results_are_the_same(name: str) -> None:
    engine = RememberingEngine(name)
    at_once = results_of(engine, True, *cases())
    assert at_once == results_of(OwnEngine(name), False, *cases())
    assert [result.verdict.name for result in at_once].count("MISMATCH") == 3
    assert engine.at_once == [len(cases())]


def test_what_is_known_is_not_asked_for_again() -> None:
    engine = RememberingEngine()
    results = results_of(
        engine, True, *(Case(f"case {number}", START, ((1, 20), (2, 400)), "") for number in range(300))
    )
    assert [result.verdict for result in results] == [Verdict.AGREE] * 300
    assert engine.at_once == [128, 128, 44]
    assert engine.alone == [1]  # as it was started


def test_few_cases_are_asked_one_by_one() -> None:
    engine = RememberingEngine()
    plan = RunPlan(lambda: engine, (Suite("made", cases()[:3]),))
    list(run(plan, Interrupt()))
    assert not engine.at_once


@pytest.mark.parametrize("kind", [Broken, WrongAtOnce])
def test_an_engine_that_cannot_be_asked_at_once_is_asked_anew(kind: type[RememberingEngine]) -> None:
    engine = kind()
    assert results_of(engine, True, *cases()) == results_of(OwnEngine("own"), False, *cases())
    assert len(engine.alone) > len(cases())


def test_references_are_asked_one_by_one() -> None:
    engine = RememberingEngine()
    results = results_of(engine, True, *cases()[:6], references=(PythonChessEngine,))
    assert not engine.at_once
    assert all(len(result.references) == 1 for result in results)


def test_a_run_that_fails_fast_ends_at_the_first_failure() -> None:
    right, wrong = (Case(name, START, ((1, count),), name) for name, count in (("right", 20), ("wrong", 21)))
    results = results_of(RememberingEngine(), True, right, right, wrong, right, wrong, fail_fast=True, explain=False)
    verdicts = [result.verdict for result in results]
    assert verdicts == [Verdict.AGREE] * 2 + [Verdict.MISMATCH] + [Verdict.UNFINISHED] * 2


def test_lanes_share_the_cases() -> None:
    engines: list[RememberingEngine] = []

    def opened() -> RememberingEngine:
        engines.append(RememberingEngine())
        return engines[-1]

    many = [Case(f"case {number}", START, ((1, 20), (2, 400)), "") for number in range(ahead.FEW + 500)]
    plan = RunPlan(opened, (Suite("made", tuple(many)),), jobs=3)
    *_, finished = run(plan, Interrupt())
    assert isinstance(finished, RunFinished)
    assert [result.name for result in finished.results] == [case.name for case in many]
    assert sum(sum(engine.at_once) for engine in engines) == len(many)


def test_an_interrupt_keeps_what_is_told() -> None:
    interrupt, events = Interrupt(), list[Event]()
    many = tuple(Case(f"case {number}", START, ((1, 20), (2, 400)), "") for number in range(2_000))
    with patch.object(ahead, "FEW", 0):
        for event in run(RunPlan(partial(OwnEngine, "own"), (Suite("made", many),)), interrupt):
            events.append(event)
            interrupt.requested |= isinstance(event, CaseFinished)
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert finished.interrupted
    assert len(finished.results) > 0
    assert len(finished.results) + len(finished.not_begun) == 2_000
    assert {result.verdict for result in finished.results} == {Verdict.AGREE}


def test_a_case_is_started_where_the_engine_is_about_to_be_asked() -> None:
    right, wrong = (Case(name, START, ((1, count),), name) for name, count in (("right", 20), ("wrong", 21)))
    events = events_of(RememberingEngine(), True, right, right, wrong, right, explain=False)
    told = [
        event.name if isinstance(event, CaseStarted) else event.result.name
        for event in events
        if isinstance(event, CaseStarted | CaseFinished)
    ]
    assert told == ["right", "right", "right", "wrong", "wrong", "right"]


def test_fens_are_those_of_the_positions() -> None:
    for result, case in zip(results_of(RememberingEngine(), True, *cases()), cases(), strict=True):
        assert result.fen == Position.from_fen(case.position.fen(), case.position.chess960).fen()


def test_the_collector_comes_seldom_in_a_run_alone() -> None:
    before, during = gc.get_threshold(), set[int]()
    for _ in run(RunPlan(partial(OwnEngine, "own"), (Suite("made", cases()[:3]),)), Interrupt()):
        during.add(gc.get_threshold()[0])
    assert during == {SELDOM}
    assert gc.get_threshold() == before
