"""The runner's events and verdicts, with engines that are deliberately incorrect."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import pytest
from helpers.asking import opener_of
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.engines.base import (
    Divide,
    EngineCrash,
    EngineError,
    EngineRejection,
    EngineTimeout,
    UnparseableOutput,
)
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.engine import Engine
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.model.results.events import (
    CaseFinished,
    CaseResult,
    CaseStarted,
    Event,
    Notice,
    Progress,
    RunFinished,
    RunStarted,
)
from perft_check.harness.model.results.finding import RootMove
from perft_check.harness.model.results.verdict import ExitCode, Verdict, exit_code
from perft_check.harness.shutdown import Interrupt
from perft_check.suites.case import Case, Suite

KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
CASE = Case("kiwipete", KIWIPETE, ((1, 48), (2, 2039)), "here:1")


@dataclass
class Odd(PythonChessEngine):
    """python-chess, modified by functions."""

    name: str = "odd"
    count: Callable[[int, int], int] = lambda depth, count: count
    change: Callable[[dict[str, int]], None] = lambda counts: None
    failure: EngineError | None = None
    line: str | None = None
    asked: list[int] = field(default_factory=list)

    def notice(self) -> str | None:
        return self.line

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        self.asked.append(depth)
        if self.failure is not None:
            raise self.failure
        return self.count(depth, super().perft(game, depth, call))

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        counts = super().divide(game, depth, call).counts
        if game.position == KIWIPETE:
            self.change(counts)
        return Divide.of(counts.items())


def events_of(engine: Engine, *references: Engine, cases: tuple[Case, ...] = (CASE,)) -> list[Event]:
    openers = tuple(opener_of(partial(lambda one: one, reference), is_reference=True) for reference in references)
    plan = RunPlan(opener_of(lambda: engine), (Suite("made", cases),), openers, opener_of(PythonChessEngine))
    return list(run(plan, Interrupt()))


def result_of(engine: Engine, *references: Engine) -> CaseResult:
    finished = events_of(engine, *references)[-1]
    assert isinstance(finished, RunFinished)
    (result,) = finished.results
    return result


def test_the_stream_of_a_run_that_agrees() -> None:
    events = [event for event in events_of(Odd(line="warming up")) if not isinstance(event, Progress)]
    assert [type(event) for event in events] == [RunStarted, Notice, CaseStarted, CaseFinished, RunFinished]
    started, notice, case, done, finished = events
    assert isinstance(started, RunStarted)
    assert (started.positions, started.nodes, started.engine) == (1, 2087, "odd")
    assert notice == Notice("warming up")
    assert case == CaseStarted("kiwipete", "made")
    assert isinstance(done, CaseFinished)
    assert (done.nodes, done.result.verdict, done.result.depth) == (2087, Verdict.AGREE, 2)
    assert isinstance(finished, RunFinished)
    assert finished.exit_code is ExitCode.AGREE


def test_a_wrong_count_is_traced_to_its_root_move() -> None:
    def lose(counts: dict[str, int]) -> None:
        del counts["e1h1"]
        counts["e1a1"] += 5
        counts["e1e3"] = 7

    engine = Odd(count=lambda depth, count: count - 31 * (depth == 2), change=lose)
    result = result_of(engine)
    assert result.verdict is Verdict.MISMATCH
    assert (result.depth, result.expected, result.got) == (2, 2039, 2008)
    assert result.difference is not None
    assert result.difference.moves == (
        RootMove("e1c1", "O-O-O", 48, 43),
        RootMove("e1e3", None, 7, None),
        RootMove("e1g1", "O-O", None, 43),
    )
    assert engine.asked == [1, 2]


def test_deeper_counts_are_not_asked_after_a_mismatch() -> None:
    engine = Odd(count=lambda _depth, count: count + 7)
    assert result_of(engine).message == ("+7 nodes; odd contradicts itself: its divide adds up to 48, its perft is 55")
    assert engine.asked == [1]


def test_a_lone_reference_that_dissents_is_named() -> None:
    wrong = Odd(name="wrong", count=lambda depth, count: count + depth - 1)
    result = result_of(Odd(), PythonChessEngine(), wrong)
    assert result.verdict is Verdict.SPLIT
    assert result.message == (
        "odd agrees with the suite, wrong alone says 2,040; "
        "wrong contradicts itself: its divide adds up to 2,039, its perft is 2,040"
    )
    assert result.references == (("python-chess", 2039), ("wrong", 2040))


@pytest.mark.parametrize(
    ("failure", "verdict"),
    [
        (EngineCrash("died"), Verdict.CRASH),
        (EngineRejection("no such position"), Verdict.REJECTED),
        (EngineTimeout("late"), Verdict.TIMEOUT),
        (UnparseableOutput("what?"), Verdict.UNPARSEABLE),
    ],
)
def test_failures_keep_their_names(failure: EngineError, verdict: Verdict) -> None:
    result = result_of(Odd(failure=failure))
    assert (result.verdict, result.message, result.depth, result.got) == (verdict, str(failure), 1, None)
    assert exit_code([result.verdict], interrupted=False) is ExitCode.ENGINE_FAILED


def test_an_internal_error_in_a_thread_ends_the_run_with_a_report() -> None:
    def stumble(_depth: int, _count: int) -> int:
        raise ZeroDivisionError

    interrupt = Interrupt()
    *_, finished = run(RunPlan(opener_of(partial(Odd, count=stumble)), (Suite("made", (CASE,)),)), interrupt)
    assert isinstance(finished, RunFinished)
    assert (finished.results, finished.internal_error, finished.exit_code) == ((), True, ExitCode.INTERNAL_ERROR)
    assert isinstance(interrupt.fault, ZeroDivisionError)


def test_an_interrupt_keeps_finished_results() -> None:
    def interrupted_after_first(interrupt: Interrupt) -> Iterator[Event]:
        for event in run(RunPlan(opener_of(Odd), (Suite("made", (CASE,) * 3),)), interrupt):
            if isinstance(event, CaseFinished):
                interrupt.requested = True
            yield event

    *_, finished = interrupted_after_first(Interrupt())
    assert isinstance(finished, RunFinished)
    assert finished.results[0].verdict is Verdict.AGREE
    assert (finished.interrupted, finished.exit_code) == (True, ExitCode.INTERRUPTED)


DEEP = replace(CASE, counts=((1, 48), (2, 2039), (3, 97862)))


@pytest.mark.slow
@pytest.mark.parametrize(("require_all", "code"), [(False, ExitCode.AGREE), (True, ExitCode.NOTHING_TO_RUN)])
def test_a_partly_counted_position_is_unfinished(require_all: bool, code: ExitCode) -> None:
    """The time ends during the last count."""
    interrupt = Interrupt()

    class Endless(PythonChessEngine):
        def perft(self, game: Game, depth: int, call: EngineCall) -> int:
            while depth == 3 and not call.stopped:
                time.sleep(0.01)
            return 0 if depth == 3 else super().perft(game, depth, call)

    plan = RunPlan(opener_of(Endless), (Suite("made", (DEEP, CASE)),), seconds=2.0, require_all=require_all)
    finished = list(run(plan, interrupt))[-1]
    assert isinstance(finished, RunFinished)
    assert [(one.verdict, one.depth, one.nodes) for one in finished.results] == [
        (Verdict.UNFINISHED, 2, 48 + 2039),
        (Verdict.AGREE, 2, 48 + 2039),
    ]
    assert (finished.out_of_time, finished.exit_code, int(100 * finished.share)) == (True, code, 4)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], ExitCode.NOTHING_TO_RUN),
        ([Verdict.AGREE], ExitCode.AGREE),
        ([Verdict.AGREE, Verdict.CRASH], ExitCode.ENGINE_FAILED),
        ([Verdict.CRASH, Verdict.MISMATCH], ExitCode.MISMATCH),
        ([Verdict.AGREE, Verdict.SPLIT], ExitCode.MISMATCH),
        ([Verdict.UNFINISHED], ExitCode.NOTHING_TO_RUN),
    ],
)
def test_exit_codes(verdicts: list[Verdict], code: ExitCode) -> None:
    assert exit_code(verdicts, interrupted=False) is code
    assert exit_code(verdicts, interrupted=True) is ExitCode.INTERRUPTED
