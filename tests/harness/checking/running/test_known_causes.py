"""If a cause has been explained often enough, further failures are counted with it after a few questions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial

import pytest
from helpers.asking import opener_of
from helpers.games import ATTACKED, case
from perft_check.generator.counting.perft import perft
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.checking.running.known_causes import KnownCauses, RecognizedFailure
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.base import Divide
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.engine import InProcessEngine
from perft_check.harness.engines.opening import open_engine, open_session
from perft_check.harness.engines.spec import REFERENCE
from perft_check.harness.model.results.events import CaseResult, RunFinished
from perft_check.harness.model.results.finding import Cause, Finding, WrongMove
from perft_check.harness.shutdown import Interrupt
from perft_check.reports.formats.table import HTML
from perft_check.suites.case import Case, Suite

THROUGH = "castling-through-attack"
ARBITER = partial(open_session, REFERENCE)
ABOVE = "r5k1/8/8/8/8/8/P7/4K2R b K - 0 1"
"""After Rf8, castling passes an attacked square."""


CASES = (*(case(f"at once {number}", fen, 1) for number, fen in enumerate(ATTACKED)), case("a ply above", ABOVE, 1, 2))


class NotingFault(InProcessEngine):
    """A zoo engine with another name that records its questions, and optionally prints only totals."""

    is_kernel = False

    def __init__(self, spec: str, asked: list[tuple[str, int]], *, prints_moves: bool) -> None:
        self.name, self._engine = "counting", open_engine(spec)
        self._asked, self._prints_moves = asked, prints_moves

    def start(self, call: EngineCall) -> None:
        self._engine.start(call)

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        self._asked.append((game.position.fen(), depth))
        return self._engine.perft(game, depth, call)

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        self._asked.append((game.position.fen(), depth))
        divide = self._engine.divide(game, depth, call)
        return divide if self._prints_moves else Divide.of_total(divide.total)


def results(
    spec: str, explain: int, cases: Iterable[Case], *, prints_moves: bool = True
) -> tuple[list[CaseResult], list[tuple[str, int]]]:
    asked: list[tuple[str, int]] = []
    engine = partial(NotingFault, spec, asked, prints_moves=prints_moves)
    plan = RunPlan(opener_of(engine), (Suite("made", tuple(cases)),), arbiter=ARBITER, explain=explain)
    *_, finished = run(plan, Interrupt())
    assert isinstance(finished, RunFinished)
    return list(finished.results), asked


@pytest.mark.slow
@pytest.mark.parametrize("prints_moves", [True, False])
def test_three_failures_of_a_cause_are_explained_and_others_are_counted(prints_moves: bool) -> None:
    found, asked = results(f"zoo:{THROUGH}", 3, CASES, prints_moves=prints_moves)
    counted = [result for result in found if result.like]
    assert len(found) == 6
    assert len(counted) == 3
    first = next(result for result in found if not result.like)
    for result in counted:
        assert result.like == f"made:{first.name}"
        assert result.finding is not None
        assert [(move.kind, move.rule) for move in result.finding.wrong] == [("extra", "castling-through-check")]
        assert f"the same symptom as {result.like}, which is explained" in result.message
        assert result.difference is None
    every, asked_for_all = results(f"zoo:{THROUGH}", sys.maxsize, CASES, prints_moves=prints_moves)
    assert [result.like for result in every] == [""] * 6
    assert len(asked) < len(asked_for_all)
    assert [one.finding and one.finding.wrong for one in found] == [one.finding and one.finding.wrong for one in every]


def test_a_deeper_failure_is_recognized_with_one_question_per_ply() -> None:
    found, _ = results(f"zoo:{THROUGH}", 1, (CASES[0], CASES[-1]))
    deep = found[-1]
    assert deep.like == "made:at once 0"
    assert deep.finding is not None
    assert [uci for uci, _ in deep.finding.path] == ["a8f8"]
    assert deep.finding.divides == 2


EXTRA = WrongMove("e1g1", None, "extra", "castling-through-check", "Castling through an attacked square", "", ())


def recognizer(
    spec: str, *names: str, prints_moves: bool = True, rule: str = EXTRA.rule
) -> Callable[..., RecognizedFailure | None]:
    engine = EngineSession(NotingFault(spec, [], prints_moves=prints_moves), CallRunner())
    engine.start()
    causes = KnownCauses(engine, 2)
    for name in names:
        wrong = (EXTRA, *([] if rule == EXTRA.rule else [WrongMove("a1a2", None, "extra", rule, "", "", ())]))
        finding = Finding(cause=Cause.MOVES, fen=ATTACKED[0], chess960=False, wrong=wrong)
        causes.note(name, finding)
    return causes.recognize


@pytest.mark.parametrize("prints_moves", [True, False])
def test_uncertain_failures_are_explained(prints_moves: bool) -> None:
    line, right = Game(Position.from_fen(ATTACKED[0])), perft(Position.from_fen(ATTACKED[0]), 1)
    told = partial(recognizer, prints_moves=prints_moves)
    known = told(f"zoo:{THROUGH}", "one", "two")(line, 1, right, 0)
    assert known is not None
    assert known.like == "one"
    assert told(f"zoo:{THROUGH}", "one")(line, 1, right, 0) is None, "one was explained, two are asked for"
    assert told(f"zoo:{THROUGH}", "one", "two")(line, 1, right + 1, 0) is None, "the suite is wrong"
    other = told("zoo:castling-from-check", "one", "two")
    assert other(line, 1, right, 0) is None, "another rule is broken, or none"
    several = told(f"zoo:{THROUGH}", "one", "two", rule="pinned")
    assert several(line, 1, right, 0) is None, "of two faults of the cause only one shows"


@pytest.mark.parametrize("prints_moves", [True, False])
def test_incorrectly_played_moves_are_always_explained(prints_moves: bool) -> None:
    fens = (
        "4k3/1b6/8/8/8/8/P7/4K2R b K - 0 1",
        "4k3/8/2b5/8/8/8/P7/4K2R b K - 0 1",
        "4k3/1b6/8/8/8/8/PP6/4K2R b K - 0 1",
    )
    cases = [case(str(number), fen, 2) for number, fen in enumerate(fens)]
    found, _ = results("zoo:right-survives-capture", 1, cases, prints_moves=prints_moves)
    assert [result.like for result in found] == [""] * 3


def test_a_page_names_the_explained_failure() -> None:
    plan = RunPlan(partial(open_session, f"zoo:{THROUGH}"), (Suite("made", CASES),), arbiter=ARBITER)
    *_, finished = run(plan, Interrupt())
    assert isinstance(finished, RunFinished)
    counted = [result for result in finished.results if result.like]
    assert len(counted) == 3
    page = HTML.render(finished)
    assert [f"made:{one.name}, not explained: same symptoms as {one.like}" in page for one in counted] == [True] * 3
