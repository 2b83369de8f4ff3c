"""Faults of setups: each shows where and how it says, and in no other setup; each is named and explained."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import replace

import pytest
from bundling.suites import visible
from helpers.asking import asking
from helpers.demonstrations import SET_UP, descent
from helpers.each import check_each
from helpers.program import PROGRAM, Run
from perft_check.generator.line import Line
from perft_check.generator.setup import Setup
from perft_check.harness.checking.comparing import agree
from perft_check.harness.checking.setups import setup_limits
from perft_check.harness.cli.actions import zoo
from perft_check.harness.engines.base import Divide, EngineRejection
from perft_check.harness.engines.kinds.own import OwnEngine
from perft_check.harness.engines.kinds.stdin_engine import StdinEngine
from perft_check.harness.engines.stdio.descriptor import UCI_CASE, Descriptor
from perft_check.harness.zoo.engine import ZooEngine
from perft_check.harness.zoo.fault import Fault
from perft_check.suites.bundled import SETUPS, bundled_path
from perft_check.suites.loader import load_suite

pytestmark = pytest.mark.slow  # most tests start processes

SERVE = [*PROGRAM, "zoo", "serve"]
CASE = UCI_CASE.replace("{command}", "go perft {depth}")
OF_GAMES = ("repetition-in-a-game-is-drawn", "fifty-moves-of-a-game-are-drawn")
"""Faults that show after many moves, however the game begins."""
SEEN_OUTSIDE = ("startpos-without-rights", "new-game-rights-survive", "fen-adds-rights", "position-told-twice")


def name_of(one: Fault) -> str:
    return one.name


def divide_of(one: Fault, line: Line) -> Divide:
    return asking(ZooEngine(one.name)).divide(line, one.shows.depth)


def right_of(one: Fault) -> Divide:
    return asking(OwnEngine("own")).divide(one.shows.line.afresh(), one.shows.depth)


def test_there_are_faults_behind_many_setups() -> None:
    assert Counter(word for one in SET_UP.values() for word in one.shows.setup.split()) == {
        "startpos": 5,
        "after-another": 4,
        "ucinewgame": 2,
        "xfen": 2,
        "four-fields": 2,
        "shredder": 1,
        "twice": 1,
    }
    assert sum(len(one.shows.moves) > 90 for one in SET_UP.values()) == 2
    assert not any(visible(one) for one in SET_UP.values()), "the chosen suites do not change by them"


def test_a_count_is_wrong_through_the_setup_and_right_by_the_fen() -> None:
    def check(one: Fault) -> None:
        assert not agree(divide_of(one, one.shows.line), right_of(one))
        assert agree(divide_of(one, one.shows.line.afresh()), right_of(one))

    check_each(check, SET_UP.values(), name_of)


def test_the_suite_of_setups_shows_each() -> None:
    lines = [case.played_line for case in load_suite(bundled_path(SETUPS)) if case.setup]

    def shows(one: Fault) -> bool:
        zoo, own = asking(ZooEngine(one.name)), asking(OwnEngine("own"))
        try:
            return not all(agree(zoo.divide(line, 2), own.divide(line.afresh(), 2)) for line in lines)
        except EngineRejection:
            return True

    assert [one.name for one in SET_UP.values() if not shows(one)] == []


def test_every_option_of_a_setup_is_needed() -> None:
    def check(one: Fault) -> None:
        line = one.shows.line
        assert isinstance(line, Setup)
        for option in line.options:
            less = line.without(option)
            setup = less if less.options else Line(less.base, less.moves)
            assert agree(divide_of(one, setup), right_of(one)), option

    check_each(check, [one for one in SET_UP.values() if one.name not in OF_GAMES], name_of)


def test_the_finding_names_setup_and_rule() -> None:
    def check(one: Fault) -> None:
        finding = descent(one, ZooEngine(one.name))
        assert finding is not None
        assert set(finding.setup.split()) == set(one.shows.setup.split())
        assert finding.base_fen is not None
        wrong = (*finding.state, *finding.wrong)
        if one.effect in ("missing", "extra", "duplicate"):
            rules = {move.rule for move in wrong if move.kind in (one.effect, "draw")}
            assert {rule for rule in rules for general in one.rules if rule.startswith(general)} == rules
            assert rules

    check_each(check, SET_UP.values(), name_of)


def test_an_easy_setup_is_taken_by_all() -> None:
    """A fault must not look like the limit of an engine that does not know a setup."""

    def check(one: Fault) -> None:
        assert setup_limits(asking(ZooEngine(one.name))) == {}

    check_each(check, SET_UP.values(), name_of)


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEN_OUTSIDE)
def test_a_process_shows_the_same_as_the_engine_in_our_process(name: str) -> None:
    engine = StdinEngine(name, Descriptor(name, (*SERVE, name), CASE))
    try:
        finding = descent(SET_UP[name], engine)
    finally:
        engine.close()
    assert finding is not None
    inside = descent(SET_UP[name], ZooEngine(name))
    assert inside is not None
    assert finding == replace(inside, note=finding.note)  # which has the FEN that a process prints


def test_the_command_that_shows_a_fault(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    zoo.show("fen-adds-rights")
    command = capfd.readouterr().out.splitlines()[-1].removeprefix("see").strip()
    assert command == (
        "perft-check fuzz --replay '4k3/8/8/8/8/8/8/4K2R w - - 0 1 setup after-another' "
        "-e zoo:fen-adds-rights -a own:turbo"
    )
    done = run(*shlex.split(command)[1:])
    assert done.returncode == 1
    assert "1. extra move e1g1: Castling without the right to, set up by after-another" in done.stdout.splitlines()
