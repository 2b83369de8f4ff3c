"""Faults of setups: each shows with its setup options only, and is named and explained."""

from __future__ import annotations

from collections import Counter

import pytest
from bundling.suites import visible
from helpers.asking import asking
from helpers.demonstrations import SET_UP, descent
from helpers.each import check_each
from perft_check.generator.game import Game
from perft_check.generator.position_setup import PositionSetup
from perft_check.harness.checking.comparing import agree
from perft_check.harness.checking.setups import setup_limits
from perft_check.harness.engines.base import Divide, EngineRejection
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.zoo.engine import ZooEngine
from perft_check.harness.zoo.fault import Fault
from perft_check.suites.bundled import SETUPS, bundled_path
from perft_check.suites.loader import load_suite

pytestmark = pytest.mark.slow  # most tests start processes

OF_GAMES = ("repetition-in-a-game-is-drawn", "fifty-moves-of-a-game-are-drawn")
"""Faults that show after many moves, whatever the setup options."""


def name_of(one: Fault) -> str:
    return one.name


def divide_of(one: Fault, game: Game) -> Divide:
    return asking(ZooEngine(one.name)).divide(game, one.demonstration.depth)


def right_of(one: Fault) -> Divide:
    return asking(OwnEngine("own")).divide(one.demonstration.game.without_moves(), one.demonstration.depth)


def test_faults_cover_many_setup_options() -> None:
    assert Counter(word for one in SET_UP.values() for word in one.demonstration.setup.split()) == {
        "startpos": 5,
        "after-another": 4,
        "ucinewgame": 2,
        "xfen": 2,
        "four-fields": 2,
        "shredder": 1,
        "twice": 1,
    }
    assert sum(len(one.demonstration.moves) > 90 for one in SET_UP.values()) == 2
    assert not any(visible(one) for one in SET_UP.values()), "the chosen suites do not change by them"


def test_a_count_is_incorrect_with_the_setup_and_correct_by_fen() -> None:
    def check(one: Fault) -> None:
        assert not agree(divide_of(one, one.demonstration.game), right_of(one))
        assert agree(divide_of(one, one.demonstration.game.without_moves()), right_of(one))

    check_each(check, SET_UP.values(), name_of)


def test_the_suite_of_setups_shows_each() -> None:
    lines = [case.game_after_moves for case in load_suite(bundled_path(SETUPS)) if case.setup]

    def shows(one: Fault) -> bool:
        zoo, own = asking(ZooEngine(one.name)), asking(OwnEngine("own"))
        try:
            return not all(agree(zoo.divide(game, 2), own.divide(game.without_moves(), 2)) for game in lines)
        except EngineRejection:
            return True

    assert [one.name for one in SET_UP.values() if not shows(one)] == []


def test_every_option_of_a_setup_is_needed() -> None:
    def check(one: Fault) -> None:
        line = one.demonstration.game
        assert isinstance(line, PositionSetup)
        for option in line.options:
            less = line.without(option)
            setup = less if less.options else Game(less.base, less.moves)
            assert agree(divide_of(one, setup), right_of(one)), option

    check_each(check, [one for one in SET_UP.values() if one.name not in OF_GAMES], name_of)


def test_the_finding_names_setup_and_rule() -> None:
    def check(one: Fault) -> None:
        finding = descent(one, ZooEngine(one.name))
        assert finding is not None
        assert set(finding.setup.split()) == set(one.demonstration.setup.split())
        assert finding.base_fen is not None
        wrong = (*finding.state, *finding.wrong)
        if one.effect in ("missing", "extra", "duplicate"):
            rules = {move.rule for move in wrong if move.kind in (one.effect, "draw")}
            assert {rule for rule in rules for general in one.rules if rule.startswith(general)} == rules
            assert rules

    check_each(check, SET_UP.values(), name_of)


def test_simple_setups_are_accepted_by_all() -> None:
    """A fault must not look like the limit of an engine that does not know a setup."""

    def check(one: Fault) -> None:
        assert setup_limits(asking(ZooEngine(one.name))) == {}

    check_each(check, SET_UP.values(), name_of)
