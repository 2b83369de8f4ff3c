"""The failing examples that Hypothesis prints can be pasted into code."""

from __future__ import annotations

import re
from typing import Any

import pytest
from helpers.pytest_process import pytest_of
from perft_check.generator import Game, Position
from perft_check.generator.events import Event, events_of
from perft_check.strategies.templates import TEMPLATES

pytest_plugins = ["pytester"]

TESTS = """
import pytest
from hypothesis import Phase, given, settings, strategies as st
from perft_check.generator import Game
from perft_check.strategies import *
from perft_check.strategies.templates import TEMPLATES

WITHOUT_SHRINKING = settings(phases=[Phase.generate], max_examples=1, database=None, deadline=None)

@WITHOUT_SHRINKING
@given(position=positions(chess960=False), other=positions(chess960=True), fen=fens(), mutated=mutations())
def test_positions(position, other, fen, mutated):
    raise RuntimeError

@WITHOUT_SHRINKING
@given(game=games().filter(lambda line: line.moves), other=chess960_games(), walk=walks(), base=positions().map(Game))
def test_lines(game, other, walk, base):
    raise RuntimeError

@WITHOUT_SHRINKING
@given(several=st.tuples(*[templates(event, impossible=True) for event in TEMPLATES]))
def test_every_template(several):
    raise RuntimeError
"""
NAMES = {"Position": Position, "Game": Game, "__builtins__": {}}


@pytest.mark.slow
def test_failing_examples_print_as_expressions(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """This includes every template, which prints the position that has its event."""
    pytester.makepyfile(TESTS)
    done = pytest_of(pytester, monkeypatch)("-p", "no:cacheprovider")
    done.assert_outcomes(failed=3)
    given = _arguments(done.stdout.str(), "test_positions")
    assert repr(given["position"]).startswith("Position.from_fen('")
    assert repr(given["other"]).endswith("', chess960=True)")
    assert given["fen"].count("/") == 7
    assert isinstance(given["mutated"], Position)
    given = _arguments(done.stdout.str(), "test_lines")
    assert all(isinstance(line, Game) for line in given.values())
    assert given["game"].moves
    assert given["other"].base.chess960
    assert given["base"] == Game(given["base"].base)
    several = _arguments(done.stdout.str(), "test_every_template")["several"]
    assert len(several) == len(TEMPLATES) == len(Event)
    for event, position in zip(TEMPLATES, several, strict=True):
        assert event in events_of(position), (event, position)


def _arguments(printed: str, test: str) -> dict[str, Any]:
    """Return the arguments of a test, evaluated from what Hypothesis printed."""
    lines = [line.removeprefix("E").removeprefix("   ").strip() for line in printed.splitlines() if line[:2] == "E "]
    text = "\n".join(lines)
    found = re.search(rf"{test}\(\n(.*?)\n\)", text, re.DOTALL)
    assert found is not None, printed
    return dict(eval(f"dict({found[1]}\n)", {**NAMES, "dict": dict}))


def test_a_game_prints_as_an_expression() -> None:
    start = Position.start()
    game = Game.from_uci(start, "e2e4 e7e5")
    assert repr(game) == f"Game.from_uci({start!r}, 'e2e4 e7e5')"
    assert repr(Game(start)) == f"Game({start!r})"
    with pytest.raises(ValueError, match="e7e5 is not legal in "):
        Game.from_uci(start, "e7e5")
