"""Diagnosing wrong counts: faults of the zoo are named by the counts that they make."""

from __future__ import annotations

import itertools
import time

import chess
import pytest
from helpers.printed import printed
from perft_check.generator import Position, divide
from perft_check.generator.game import Game
from perft_check.harness.model.results.diagnosis import Diagnosis
from perft_check.harness.model.results.verdict import ExitCode
from perft_check.harness.zoo.diagnosing import (
    FaultyEngine,
    Number,
    Observation,
    OutOfTime,
    Search,
    diagnose,
    faults_to_try,
    numbers_of,
)
from perft_check.harness.zoo.fault import ZOO
from perft_check.harness.zoo.generator import Scope
from perft_check.reports.terminal.zoo import render_diagnosis

POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
FAULTS = (
    "ep-pinned-along", "ep-no-evasion", "castling-b-file-attacked", "pinned-frozen", "right-by-file-only",
    "promotion-no-bishop", "mate-is-a-leaf", "key-without-king", "chess960-king-in-the-way", "push-jumps",
    "list-of-200", "new-game-rights-survive",
)  # fmt: skip


def observed(name: str, depth: int = 3, scope: Scope = Scope(), *, totals: bool = False) -> Observation:  # noqa: B008
    """Return what an engine with a fault counts in the position that shows it."""
    fault = ZOO[name]
    game = Game(fault.demonstration.game.base, fault.demonstration.game.moves)
    asked = Observation(game, max(depth, fault.demonstration.depth), 0, {})
    counts = FaultyEngine(fault, scope, fault.demonstration.setup).divide(asked)
    return Observation(game, asked.depth, sum(counts.values()), None if totals else counts)


def correct(position: Position, depth: int) -> Observation:
    """Return what a correct engine counts."""
    counts = {move.uci(chess960=True): nodes for move, nodes in divide(position, depth).items()}
    return Observation(Game(position), depth, sum(counts.values()), counts)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_by_its_divide(name: str) -> None:
    found = diagnose([observed(name)])
    assert ZOO[name].family in [one.family for one in found.candidates]
    assert found.exit_code is ExitCode.MISMATCH
    first = found.candidates[0]
    assert (first.reproduced, first.agreed) == (found.differing, found.correct)


def test_a_fault_is_named_by_a_total() -> None:
    found = diagnose([observed("castling-b-file-attacked", totals=True)])
    assert found.candidates[0].fault == "castling-b-file-attacked"
    assert (found.differing, found.correct) == (1, 0)


def test_correct_counts_need_no_diagnosis() -> None:
    found = diagnose([correct(Position.start(), 3)])
    assert found == Diagnosis(differing=0, correct=20)
    assert found.exit_code is ExitCode.AGREE


def test_a_fault_of_one_color_is_said_to_be_one() -> None:
    game = Game(Position.from_fen("8/P6k/8/8/8/8/p6K/8 w - - 0 1"))
    counts = FaultyEngine(ZOO["promotion-no-bishop"], Scope(color=chess.BLACK)).divide(Observation(game, 3, 0, {}))
    found = diagnose([Observation(game, 3, sum(counts.values()), counts)])
    assert [(one.fault, one.scope) for one in found.candidates] == [("promotion-no-bishop", "for Black only")]


@pytest.mark.parametrize("king_side", [False, True])
def test_a_fault_of_one_wing_is_confirmed_on_that_wing(king_side: bool) -> None:
    name, scope = "promotion-no-bishop", Scope(king_side=king_side)
    game = Game(Position.from_fen("8/1P4P1/7k/8/8/8/7K/8 w - - 0 1"))
    counts = FaultyEngine(ZOO[name], scope).divide(Observation(game, 2, 0, {}))
    found = diagnose([Observation(game, 2, sum(counts.values()), counts)])
    (candidate,) = found.candidates
    assert (candidate.fault, candidate.scope) == (name, str(scope))
    confirmed_by = candidate.confirmed_by
    assert confirmed_by is not None
    assert confirmed_by.predicted[0][1] != confirmed_by.expected


def test_a_search_that_runs_out_of_time_says_so() -> None:
    found = diagnose([observed("ep-pinned-along")], seconds=0.0)
    assert (found.candidates, found.tried, found.out_of_time) == ((), 0, True)


def test_a_single_large_count_does_not_exceed_the_time_limit() -> None:
    began = time.monotonic()
    found = diagnose([Observation(Game(Position.from_fen(POSITION_5)), 4, 2_103_480)], seconds=1.0)
    assert time.monotonic() - began < 5
    assert (found.candidates, found.partial, found.out_of_time) == ((), (), True)
    lines = printed(render_diagnosis(found))
    assert lines[:2] == [
        "1 of 1 count is incorrect",
        "the search reached its time limit; for a longer search, set --time",
    ]


def test_a_report_says_how_many_bugs_were_tried_before_the_time_limit() -> None:
    lines = printed(render_diagnosis(Diagnosis(1, 3, tried=60, out_of_time=True)))
    assert lines[1] == "none of the 60 known bugs that were tried reproduces all counts"


def test_the_figures_of_a_candidate_do_not_depend_on_the_time_limit() -> None:
    """The first fault that is tried fits, and the time limit passes before the others are tried."""
    fault = faults_to_try()[0]
    game = fault.demonstration.game
    observation = observed(fault.name)
    calls = itertools.count()

    def check() -> None:
        if next(calls) and search.tried:
            raise OutOfTime

    search = Search(numbers_of(observation), check)
    found = search.alone(faults_to_try())
    assert [one.fault for one in found] == [fault]
    assert (search.tried, search.is_cut_short, game.position.fen()) == (1, True, observation.game.position.fen())


@pytest.mark.parametrize("name", [one.name for one in faults_to_try() if one.effect in ("extra", "missing")])
def test_a_fault_may_give_the_counts_that_it_gives(name: str) -> None:
    engine = FaultyEngine(ZOO[name], setup=ZOO[name].demonstration.setup)
    assert all(engine.may_give(one) for one in numbers_of(observed(name, 1)))


def test_a_fault_that_only_drops_moves_gives_no_larger_count() -> None:
    engine = FaultyEngine(ZOO["ep-pinned-along"])
    assert [engine.may_give(Number(observed("ep-pinned-along"), "", count, 20)) for count in (19, 20, 21)] == [
        True,
        True,
        False,
    ]


def test_two_faults_are_found_together() -> None:
    names = {"promotion-no-bishop", "castling-rook-on-a1-stays"}
    game = Game(Position.from_fen("4k3/P6P/8/8/8/8/8/R3K2R w KQ - 0 1"))
    asked = Observation(game, 2, 0, {})
    expected = correct(game.position, 2).root_moves
    assert expected is not None
    mixed = dict(expected)
    for name in names:
        counts = FaultyEngine(ZOO[name]).divide(asked)
        for text in [text for text in expected if counts.get(text) != expected[text]]:
            mixed.pop(text)
            mixed |= {text: counts[text]} if text in counts else {}
    found = diagnose([Observation(game, 2, sum(mixed.values()), mixed)])
    assert (found.candidates, {one.fault for one in found.together}) == ((), names)


def test_if_nothing_fits_the_next_question_is_named() -> None:
    right = correct(Position.start(), 3)
    assert right.root_moves is not None
    wrong = {**right.root_moves, "e2e4": 601, "d2d4": 555}
    found = diagnose([Observation(right.game, 3, sum(wrong.values()), wrong)])
    assert (found.candidates, found.together) == ((), ())
    assert found.next_question is not None
    assert (found.next_question.fen, found.next_question.depth, found.next_question.expected) == (
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1", 2, 560,
    )  # fmt: skip


def test_all_families_that_fit_are_told_apart_by_the_next_question() -> None:
    found = diagnose([observed("ep-victim-no-shield")])
    assert len(found.candidates) > 1
    assert found.next_question is not None
    assert len({count for _, count in found.next_question.predicted}) > 1


def test_the_position_that_confirms_a_fault_is_a_new_one() -> None:
    given = observed("ep-pinned-along")
    (confirmed, _) = [one.confirmed_by for one in diagnose([given]).candidates]
    assert confirmed is not None
    assert (confirmed.fen, confirmed.depth, confirmed.expected, confirmed.predicted) == (
        "6k1/bp6/8/2P5/8/8/8/7K w - - 0 1", 3, 257, (("ep-pinned-along", 256),),
    )  # fmt: skip


def test_if_only_a_total_is_known_its_divide_is_to_be_asked_for() -> None:
    asked = diagnose([Observation(Game(Position.start()), 2, 399)]).next_question
    assert asked is not None
    assert (asked.fen, asked.depth, asked.predicted) == (Position.start().fen(), 2, ())


def test_if_only_moves_are_missing_the_next_question_is_the_list_of_the_position() -> None:
    right = correct(Position.start(), 2)
    assert right.root_moves is not None
    listed = {move: nodes for move, nodes in right.root_moves.items() if move not in ("a2a3", "g1f3")}
    asked = diagnose([Observation(right.game, 2, sum(listed.values()), listed)]).next_question
    assert asked is not None
    assert (asked.fen, asked.depth) == (Position.start().fen(), 1)


def test_an_engine_that_reads_another_position_is_diagnosed() -> None:
    assert diagnose([observed("first-move-skipped")]).candidates[0].fault == "first-move-skipped"


def test_counts_that_are_too_large_are_said_to_be_left_out() -> None:
    position = Position.start()
    found = diagnose([Observation(Game(position), 5, 4_865_610)])
    assert (found.candidates, found.untried) == ((), 1)
