"""Conventions that are accepted in an engine's FEN, and FENs with several incorrect fields."""

from __future__ import annotations

import pytest
from perft_check.generator import Position
from perft_check.harness.explaining import Rule, explain_state

CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
READY = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"


def rules(fen: str, move: str, engine: str) -> list[Rule]:
    position = Position.from_fen(fen, chess960=None)
    expected = position.play(position.parse_uci(move)).fen()
    return [found.rule for found in explain_state(position, move, expected, engine)]


@pytest.mark.parametrize(
    ("fen", "move", "engine"),
    [
        (Position.start().fen(), "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        (Position.start().fen(), "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        (READY, "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
        (CASTLES, "h1h2", "r3k2r/8/8/8/8/8/7R/R3K3 b Aha - 1 1"),
        (CASTLES, "h1h2", "r3k2r/8/8/8/8/8/7R/R3K3 b qkQ - 01 1"),
        (CASTLES, "h1h2", "r3k2r/8/8/8/8/8/7R/R3K3 b Qkq -"),
    ],
)
def test_all_fen_conventions_are_accepted(fen: str, move: str, engine: str) -> None:
    assert rules(fen, move, engine) == []


@pytest.mark.parametrize("written", ["e33", "x", "null", "E3", "--"])
def test_an_en_passant_field_without_a_square_is_unreadable(written: str) -> None:
    assert rules(READY, "e2e4", f"4k3/8/8/8/3pP3/8/8/4K3 b - {written} 0 1") == [Rule.UNREADABLE_EN_PASSANT]


@pytest.mark.parametrize("written", ["d3", "e4"])
def test_the_en_passant_square_is_required_if_the_capture_is_legal(written: str) -> None:
    assert rules(READY, "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1") == [Rule.EN_PASSANT_SQUARE]
    assert rules(READY, "e2e4", f"4k3/8/8/8/3pP3/8/8/4K3 b - {written} 0 1") == [Rule.EN_PASSANT_SQUARE]


def test_the_en_passant_square_is_optional_if_the_capture_is_illegal() -> None:
    fen = "8/8/8/8/R2p2k1/8/4P3/4K3 w - - 0 1"
    assert rules(fen, "e2e4", "8/8/8/8/R2pP1k1/8/8/4K3 b - - 0 1") == []
    assert rules(fen, "e2e4", "8/8/8/8/R2pP1k1/8/8/4K3 b - e3 0 1") == []


def test_each_wrong_field_is_explained() -> None:
    assert rules(CASTLES, "e1g1", "r3k2r/8/8/8/8/8/8/R4K1R w KQq e3 0 9") == [
        Rule.PLACEMENT,
        Rule.SIDE_TO_MOVE,
        Rule.CASTLING_RIGHT_KEPT,
        Rule.CASTLING_RIGHT_LOST,
        Rule.EN_PASSANT_SQUARE,
        Rule.HALFMOVE_CLOCK,
        Rule.MOVE_NUMBER,
    ]


def test_castling_may_be_written_either_way() -> None:
    position = Position.from_fen(CASTLES)
    expected, engine = "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1", "r3k2r/8/8/8/8/8/8/R5KR b kq - 1 1"
    either, other = (explain_state(position, move, expected, engine) for move in ("e1g1", "e1h1"))
    assert either == other
    assert either[0].sentence == "After castling the rook should stand on f1, but nothing is there."


def test_wrong_rights_are_explained_by_side_and_reason() -> None:
    engine = "r3k2R/8/8/8/8/8/8/R3K3 b KQkq - 0 1"
    assert rules(CASTLES, "h1h8", engine) == [Rule.CASTLING_RIGHT_KEPT, Rule.CASTLING_RIGHT_KEPT]


def test_an_illegal_move_is_compared_as_well() -> None:
    position = Position.from_fen(CASTLES)
    found = explain_state(position, "e1e5", "r3k2r/8/8/4K3/8/8/8/R6R b kq - 1 1", CASTLES)
    assert {Rule.PLACEMENT, Rule.CASTLING_RIGHT_KEPT} <= {each.rule for each in found}
