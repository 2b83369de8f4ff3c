"""Engines on stdin that are asked ahead: a run has the same results, and hides nothing that depends on the past."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from helpers.drawn import played
from helpers.fakes import ahead as fake
from helpers.program import needs_stockfish
from perft_check.generator import perft
from perft_check.generator.drawing.drawn import Drawn
from perft_check.generator.setup import SetupOption
from perft_check.harness.asking.client import TimeLimit
from perft_check.harness.checking.running import ahead, streamed
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.engines.kinds.python_chess import PythonChessEngine
from perft_check.harness.engines.registry import open_engine
from perft_check.harness.engines.stdio.stream.stream import Stream
from perft_check.harness.model.results.events import CaseResult, Event, Notice, RunFinished
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.model.shutdown import Interrupt
from perft_check.suites.case import Case, Suite

POSITIONS = played(40)
PLACE = 30
DISLIKED = POSITIONS[PLACE].fen()


def cases(deep: bool = False) -> tuple[Case, ...]:
    """Return cases of both variants, right ones."""
    return tuple(
        Case(f"case {number}", position, tuple((d, perft(position, d)) for d in ((1, 2) if deep else (1,))), "")
        for number, position in enumerate([*POSITIONS, *played(10, chess960=True)])
    )


def events_of(spec: str, suite: Sequence[Case], *, is_careful: bool = False, **settings: object) -> list[Event]:
    plan = RunPlan(
        partial(open_engine, spec),
        (Suite("made", tuple(suite)),),
        arbiter=lambda _: PythonChessEngine(),
        is_careful=is_careful,
        **settings,  # type: ignore[arg-type]
    )
    with patch.object(ahead, "FEW", 0):
        return list(run(plan, Interrupt()))


def results_of(events: Sequence[Event]) -> list[CaseResult]:
    """Return the results without their times and the files of their replays."""
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert not finished.internal_error
    return [
        replace(result, seconds=0.0, replay="", counts=tuple(count._replace(seconds=0.0) for count in result.counts))
        for result in finished.results
    ]


def notices(events: Sequence[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice)]


def place_asked(events: Sequence[Event]) -> CaseResult:
    """Return the result at the position that is disliked; all others agree."""
    results = results_of(events)
    assert [place for place, one in enumerate(results) if one.verdict is not Verdict.AGREE] == [PLACE]
    return results[PLACE]


@needs_stockfish
def test_stockfish_agrees_and_is_asked_again_for_nothing() -> None:
    with patch.object(streamed.Streamed, "_fails_ahead", side_effect=AssertionError):
        events = events_of("uci:stockfish", cases(deep=True))
    assert {result.verdict for result in results_of(events)} == {Verdict.AGREE}
    assert results_of(events) == results_of(events_of("uci:stockfish", cases(deep=True), is_careful=True))
    assert notices(events) == []


@pytest.mark.parametrize("places", [range(20), range(16, 48), range(0, 50, 2)])
def test_setups_which_are_never_asked_ahead_do_not_mix_up_the_answers(places: Sequence[int]) -> None:
    twice = frozenset({SetupOption.TWICE})
    suite = [replace(case, setup=twice) if place in places else case for place, case in enumerate(cases())]
    events = events_of(fake("right"), suite)
    assert {result.verdict for result in results_of(events)} == {Verdict.AGREE}
    assert results_of(events) == results_of(events_of(fake("right"), suite, is_careful=True))
    assert not [text for text in notices(events) if "one question at a time" in text]


@needs_stockfish
def test_a_wrong_count_of_a_suite_is_explained_as_ever() -> None:
    right = cases(deep=True)
    wrong = replace(right[7], counts=((1, right[7].counts[0][1]), (2, right[7].counts[1][1] + 1)))
    suite = [*right[:7], wrong, *right[8:]]
    found = results_of(events_of("uci:stockfish", suite))
    assert found == results_of(events_of("uci:stockfish", suite, is_careful=True))
    assert found[7].message.endswith("the count in the suite looks wrong")


@pytest.mark.parametrize(
    ("mode", "verdict"),
    [
        ("omits", Verdict.MISMATCH),
        ("repeats", Verdict.AGREE),
        ("crashes", Verdict.CRASH),
        ("crashes-halfway", Verdict.CRASH),
        pytest.param("hangs", Verdict.TIMEOUT, marks=pytest.mark.slow),
        ("refuses", Verdict.REJECTED),
        ("keeps", Verdict.REJECTED),
        ("miscounts-total", Verdict.MISMATCH),
        ("halves", Verdict.AGREE),
        ("crlf", Verdict.AGREE),
        ("chatters", Verdict.AGREE),
        ("totals-only", Verdict.AGREE),
        ("king-takes-rook", Verdict.AGREE),
    ],
)
def test_the_results_are_those_of_one_question_at_a_time(mode: str, verdict: Verdict) -> None:
    limit = TimeLimit(5.0 if mode == "hangs" else 60.0)
    found, careful = (
        results_of(events_of(fake(mode, DISLIKED), cases(), is_careful=one, limit=limit)) for one in (False, True)
    )
    assert found == careful
    assert found[PLACE].verdict is verdict
    assert {one.verdict for place, one in enumerate(found) if place != PLACE} == {Verdict.AGREE}


def test_an_engine_that_reads_on_while_it_counts_is_asked_one_by_one() -> None:
    events = events_of(fake("muddles"), cases())
    assert {result.verdict for result in results_of(events)} == {Verdict.AGREE}
    [notice] = notices(events)
    assert "is asked one question at a time: sent many questions at once, it gives other answers" in notice


def test_an_engine_that_does_so_at_one_position_is_not_accused() -> None:
    events = events_of(fake("muddles-there", DISLIKED), cases())
    assert {result.verdict for result in results_of(events)} == {Verdict.AGREE}
    waits, notice = notices(events)
    assert waits.endswith("counts so far")
    assert notice.endswith(
        "is asked one question at a time from now on: sent many questions at once, it gives other answers"
    )


def test_a_fault_that_depends_on_what_was_asked_before_is_not_hidden(tmp_path: Path) -> None:
    with patch.dict("os.environ", {"XDG_STATE_HOME": str(tmp_path)}):
        result = place_asked(events_of(fake("tires", DISLIKED), cases()))
    assert (result.verdict, result.expected, result.got) == (Verdict.MISMATCH, cases()[PLACE].counts[0][1], None)
    assert "a new process fails only once it has been asked for all" in result.message


@pytest.mark.parametrize("suite", [cases(), cases() * 3], ids=["fewer than it answers", "more"])
def test_an_engine_that_dies_after_so_many_answers_is_told_to_die(suite: tuple[Case, ...], tmp_path: Path) -> None:
    with patch.dict("os.environ", {"XDG_STATE_HOME": str(tmp_path)}):
        results = results_of(events_of(fake("dies"), suite))
    assert Verdict.CRASH in {result.at_first or result.verdict for result in results}


def test_what_does_not_come_again_is_no_failure_but_is_told(tmp_path: Path) -> None:
    events = events_of(fake("once", str(tmp_path / "asked"), DISLIKED), cases())
    assert {result.verdict for result in results_of(events)} == {Verdict.AGREE}
    assert notices(events)[-1].endswith("it gives other answers")


def test_an_engine_that_errs_only_now_and_then_and_only_ahead_is_not_accused(tmp_path: Path) -> None:
    events = events_of(fake("now-and-then", str(tmp_path / "asked")), cases() * 4)
    assert {result.verdict for result in results_of(events)} == {Verdict.AGREE}
    assert [text.endswith("it gives other answers") for text in notices(events)] == [False, True]


def test_after_a_fault_of_history_its_neighbors_are_not_accused(tmp_path: Path) -> None:
    with patch.dict("os.environ", {"XDG_STATE_HOME": str(tmp_path)}):
        results = results_of(events_of(fake("wears-out"), cases() * 4))
    careful = results_of(events_of(fake("wears-out"), cases() * 4, is_careful=True))
    for found in (results, careful):
        wrong = [result.at_first or result.verdict for result in found if result.verdict is not Verdict.AGREE]
        assert set(wrong) == {Verdict.MISMATCH}
        assert len(wrong) <= 3


def test_a_slow_engine_is_not_asked_ahead_for_long() -> None:
    with patch.object(streamed, "LONGEST_SECONDS", 0.0):
        events = events_of(fake("slow"), cases())
    assert {result.verdict for result in results_of(events)} == {Verdict.AGREE}
    assert notices(events) == []


def test_lanes_ask_with_processes_of_their_own() -> None:
    results = results_of(events_of(fake("omits", DISLIKED), cases(), jobs=3))
    assert [result.name for result in results] == [case.name for case in cases()]
    assert [result.verdict for result in results].count(Verdict.MISMATCH) == 1


def test_a_run_that_fails_fast_ends_at_the_first_failure() -> None:
    events = events_of(fake("omits", DISLIKED), cases(), fail_fast=True, explain=False)
    assert [result.verdict for result in results_of(events)] == [Verdict.AGREE] * PLACE + [Verdict.MISMATCH]


def test_an_engine_without_chess960_is_asked_about_the_rest() -> None:
    with patch.object(Stream, "submit", autospec=True, side_effect=Stream.submit) as submit:
        results = results_of(events_of(fake("standard-only"), cases()))
    assert [result.verdict for result in results] == [Verdict.AGREE] * 40 + [Verdict.SKIPPED] * 10
    blocks: list[Drawn] = [call.args[1] for call in submit.call_args_list]
    assert {position.fen() for position in POSITIONS} <= {block.fen(i) for block in blocks for i in range(len(block))}
    assert not any(block.chess960 for block in blocks)
