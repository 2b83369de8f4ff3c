"""The trophies: the lists of packages and engines, how findings are confirmed, and the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import chess
import pytest
from confirming import ConfirmedBug, References, confirmed
from hunt import bug_of
from perft_check.harness.checking.causes import is_ordinary
from sources import Source, sources

BLOCKED = "1k6/8/8/8/8/8/8/Rn2K3 w Q - 0 1"


class PythonChess(References):
    """python-chess alone, without Stockfish."""

    def __init__(self) -> None:
        pass

    def legal_moves(self, fen: str, moves: tuple[str, ...]) -> frozenset[str] | None:
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
        return frozenset(move.uci() for move in board.legal_moves)


def finding_with(**more: Any) -> dict[str, Any]:
    """Return a finding in the form of the JSON report."""
    place = {"fen": BLOCKED, "moves": [], "chess960": False}
    wrong = {"uci": "e1c1", "kind": "extra", "title": "Castling through pieces", "sentence": "A knight is in the way."}
    finding = {"fen": BLOCKED, "base_fen": None, "base_moves": [], "wrong": [wrong]}
    known = {
        "is_of_engine": True,
        "reproducible": True,
        "reachability": "reachable",
        "verdict": "mismatch",
        "times": 31,
    }
    return {
        "name": "extra castling",
        "place": place,
        "finding": finding,
        "message": "",
        "first": {"place": place},
        **known,
        **more,
    }


BUG = ConfirmedBug(
    title="extra move: Castling through pieces",
    fen=BLOCKED,
    moves=(),
    wrong=("e1c1",),
    says="lists e1c1",
    sentence="A knight is in the way.",
    references="12 moves, without e1c1",
    seconds=3.2,
    examples=31,
)


@pytest.mark.parametrize(
    "source", [source for source in sources() if source.bugs], ids=lambda source: source.repository
)
def test_python_chess_confirms_the_bugs_in_engines(source: Source) -> None:
    for bug in source.bugs:
        board = chess.Board(bug.fen)
        for move in bug.moves:
            board.push_uci(move)
        legal = {move.uci() for move in board.legal_moves}
        assert is_ordinary(bug.fen, chess960=False)
        assert len(set(bug.wrong) & legal) == (0 if bug.says.startswith("lists ") else len(bug.wrong))


def test_a_finding_is_confirmed() -> None:
    assert confirmed(finding_with(), PythonChess(), 3.2) == BUG


@pytest.mark.parametrize(
    "more",
    [
        {"is_of_engine": False},
        {"reproducible": False},
        {"reachability": "valid"},
        {"place": {"fen": BLOCKED, "moves": [], "chess960": True}},
        {"finding": None, "verdict": "timeout"},
    ],
)
def test_a_finding_that_is_no_bug(more: dict[str, Any]) -> None:
    assert confirmed(finding_with(**more), PythonChess(), 3.2) is None


def test_a_crash_is_a_bug() -> None:
    bug = confirmed(finding_with(finding=None, verdict="crash", message="it ended with status 1"), PythonChess(), None)
    assert bug is not None
    assert (bug.title, bug.says, bug.references) == ("crash", "does not answer: it ended with status 1", "12 moves")


def test_a_crash_in_an_unreachable_position_is_no_bug() -> None:
    place = {"fen": "7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1", "moves": [], "chess960": False}
    crash = finding_with(finding=None, verdict="crash", message="it ended", place=place, first={"place": place})
    assert confirmed(crash, PythonChess(), None) is None


def test_a_cause_is_one_bug() -> None:
    shown = [finding_with(first={"place": {"fen": fen}}) for fen in (BLOCKED, BLOCKED)]
    cause = {"title": "extra move: Castling", "positions": 62, "failures": [f"extra castling: {BLOCKED}"]}
    bug = bug_of(cause, shown, {"1k6/8/8/8/8/8/8/Rn2K3 w Q -": 3.2}, PythonChess())
    assert bug == replace(BUG, title="extra move: Castling", examples=62)
    assert bug_of({**cause, "failures": []}, shown, {}, PythonChess()) is None
