"""The terminal report of a divide, event by event."""

from __future__ import annotations

import pytest
from helpers.printed import printed
from perft_check.harness.model.results.finding import Difference, RootMove
from perft_check.harness.model.results.positions import (
    DivideEvent,
    DivideFinished,
    DividesCompared,
    EngineDivide,
    EnginesCounted,
    ReferenceVote,
)
from perft_check.reports.terminal.divide import render

FEN = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
AGREES = Difference("odd", "own", FEN, False, 2, 66, 66, ())
DIFFERS = Difference("odd", "own", FEN, False, 2, 62, 66, (RootMove("h1h8", "Rh8+", 4, 8),))
MOVES = (("e1d1", 1), ("e1g1", 1000))
ALONE = EnginesCounted((EngineDivide("odd", MOVES, 1001),), differ=False)


def shown(event: DivideEvent) -> list[str]:
    return printed(render(event))


def test_root_moves_are_printed_as_lines() -> None:
    assert shown(ALONE) == ["e1d1: 1", "e1g1: 1000", "", "1001"]


def test_engines_that_agree_have_a_column_each() -> None:
    divides = (EngineDivide("odd", MOVES, 1001), EngineDivide("python-chess", MOVES, 1001))
    assert shown(EnginesCounted(divides, differ=False)) == [
        "move     odd  python-chess",
        "e1d1       1             1",
        "e1g1   1,000         1,000",
        "total  1,001         1,001",
        "",
    ]
    assert shown(EnginesCounted(divides, differ=True)) == []


def test_an_engine_that_agrees() -> None:
    assert shown(DividesCompared(AGREES, is_followed=False)) == [
        "odd and own agree on every root move.",
        "depth 2: odd 66, own 66",
    ]


def test_the_board_is_shown_with_the_cause() -> None:
    with_board, without = (shown(DividesCompared(DIFFERS, is_followed=followed)) for followed in (False, True))
    assert "a  b  c  d  e  f  g  h" in "\n".join(with_board)
    assert without == [
        "move  SAN   odd  own  difference",
        "h1h8  Rh8+    4    8          -4",
        f"reproduce: perft-check divide '{FEN}' 2 -e odd -a own",
        "depth 2: odd 62, own 66",
    ]


@pytest.mark.parametrize(
    ("vote", "lines"),
    [
        (None, []),
        (ReferenceVote((), True), []),
        (ReferenceVote(("odd",), True), ["odd alone differs; all others agree"]),
        (ReferenceVote(("odd", "even"), True), ["odd, even differ; all others agree"]),
        (ReferenceVote(("odd", "own", "even"), False), ["no majority: the references disagree with each other"]),
    ],
)
def test_the_vote_of_several_references(vote: ReferenceVote | None, lines: list[str]) -> None:
    finished = DivideFinished(FEN, False, 2, (), (DIFFERS,), vote=vote)
    assert shown(finished) == lines
