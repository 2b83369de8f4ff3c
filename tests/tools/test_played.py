"""The sweep plays each special move with each of its possible effects."""

from __future__ import annotations

from collections import Counter

import chess
import pytest
from perft_check.suites.bundled import PLAYED, bundled_path
from perft_check.suites.case import Case
from perft_check.suites.loader import load_suite
from played.__main__ import colors_of
from played.effects import (
    ALONG_DIAGONAL,
    ALONG_FILE,
    ALONG_RANK,
    BLOCKS,
    DIRECT,
    DISCOVERED,
    DOUBLE_STEP,
    IMPOSSIBLE,
    KINDS,
    PINS,
    TAKES_CHECKER,
    THROUGH_CAPTURED,
    UNPINS_OWN,
    effects_at_once,
    effects_later,
    effects_of,
    kind_of,
)

SWEEP = [case for case in load_suite(bundled_path("sweep")) if case.moves]


def played(fen: str, moves: str) -> tuple[str | None, set[str]]:
    """Return the kind of the first of one or two moves, and its effects in the final position."""
    board = chess.Board(fen)
    move, *replies = map(chess.Move.from_uci, moves.split())
    effects = effects_later(board, move, replies[0]) if replies else effects_at_once(board, move)
    return kind_of(board, move), effects


def played_by(case: Case) -> tuple[str | None, set[str]]:
    return played(case.position.fen(), " ".join(move.uci(case.position.chess960) for move in case.moves[:2]))


@pytest.mark.parametrize(
    ("fen", "moves", "kind", "effects"),
    [
        ("8/8/2p4B/5Pp1/1K6/8/8/2k5 w - g6 0 1", "f5g6", "en passant toward the h-file", {THROUGH_CAPTURED}),
        ("8/8/8/R2pP2k/2K4p/8/7B/8 w - d6 0 1", "e5d6", "en passant toward the a-file", {ALONG_RANK}),
        ("4k1n1/8/8/3pP3/8/8/8/K3R3 w - d6 0 1", "e5d6", "en passant toward the a-file", {ALONG_FILE}),
        ("7k/4n3/8/3pP3/8/8/1B6/K7 w - d6 0 1", "e5d6", "en passant toward the a-file", {ALONG_DIAGONAL}),
        ("8/4k1n1/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", "en passant toward the a-file", {DIRECT}),
        ("8/8/8/2k5/3Pp3/8/n7/7K b - d3 0 1", "e4d3 h1g1", "en passant toward the a-file", {TAKES_CHECKER}),
        ("8/4n3/8/8/8/8/8/R3K2k w Q - 0 1", "e1c1", "queen-side castling", {DIRECT}),
        ("8/8/8/8/8/N7/6P1/R3K1bk w Q - 0 1", "e1c1", "queen-side castling", {PINS}),
        ("8/8/8/8/8/4k3/8/R3KB1r w Q - 0 1", "e1c1 e3e4", "queen-side castling", {UNPINS_OWN}),
        ("5k2/8/8/8/8/8/6P1/4K2R w K - 0 1", "e1g1", "king-side castling", set()),
        ("3kb3/3p4/8/8/K4P2/8/8/8 b - - 0 1", "d7d5", DOUBLE_STEP, {DISCOVERED}),
        ("7q/8/8/8/8/1k6/3P4/K6N w - - 0 1", "d2d4 b3b4", DOUBLE_STEP, {BLOCKS}),
        ("6k1/1P3p2/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", "promotion to a queen by a push", {DIRECT}),
        ("2k5/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", None, set()),
        ("r3k3/8/8/8/4B3/2p5/8/3KR3 w q - 0 1", "e4a8", "capture of the a-file rook on its corner by another piece",
         {DISCOVERED}),
        ("r1n1k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", "a1a8",
         "capture of the a-file rook on its corner by the rook of the opposite corner", {PINS}),
    ],
)  # fmt: skip
def test_the_effects_of_a_special_move(fen: str, moves: str, kind: str | None, effects: set[str]) -> None:
    assert chess.Board(fen).is_valid()
    assert played(fen, moves) == (kind, effects)


def test_the_sweep_plays_each_kind_of_move_with_each_effect() -> None:
    found: Counter[tuple[str | None, bool, str]] = Counter()
    for case in SWEEP:
        kind, effects = played_by(case)
        found.update((kind, case.position.turn.name == "WHITE", effect) for effect in effects)
    wanted = {(kind, color, effect) for kind in KINDS for color in colors_of(kind) for effect in effects_of(kind)}
    assert wanted - found.keys() == set()
    assert not any((kind, effect) in IMPOSSIBLE for kind, _, effect in found if kind is not None)


def test_the_purpose_of_a_case_names_its_effects() -> None:
    lines = load_suite(PLAYED)
    assert [case.name for case in SWEEP][-len(lines) :] == [case.name for case in lines]
    for case in lines:
        kind, effects = played_by(case)
        assert case.name.startswith(f"{kind} by {case.position.turn.name.title()} "), case.name
        assert set(case.purpose.split(", ")) == effects, case.name
