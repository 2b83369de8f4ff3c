"""Wrong states after a move, and moves that are taken back incorrectly, are explained."""

from __future__ import annotations

import pytest
from perft_check.generator import Position
from perft_check.generator.counting.perft import perft
from perft_check.generator.game import Game
from perft_check.harness.checking.descent.vanished import explain_wrong_undo
from perft_check.harness.engines.base import Divide
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.explaining import Rule, explain_state
from perft_check.harness.explaining.undo import failed_undos

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


DEPTH = 3
LEFT = {
    ("4k3/8/8/8/8/8/P7/4K2R w K - 0 1", "e1g1", Rule.UNDO_CASTLING_RIGHT): (
        "Once O-O is taken back, White's right to castle king-side does not come back.",
        "4k3/8/8/8/8/8/P7/4K2R w - - 0 1",
    ),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1e2", Rule.UNDO_CASTLING_RIGHT): (
        "Once Ke2 is taken back, White's right to castle queen-side and king-side does not come back.",
        "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
    ),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", Rule.UNDO_CAPTURE): (
        "Once exd5 is taken back, the pawn on d5 does not come back.",
        "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1",
    ),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", Rule.UNDO_CAPTURE): (
        "Once exd6 is taken back, the pawn on d5 does not come back.",
        "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1",
    ),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", Rule.UNDO_PROMOTION): (
        "Once a8=Q+ is taken back, a queen stands on a7 instead of the pawn.",
        "4k3/Q7/8/8/8/8/8/4K3 w - - 0 1",
    ),
    ("4k3/8/8/8/8/8/P7/4K2R w K - 0 1", "e1g1", Rule.UNDO_CASTLING_ROOK): (
        "Once O-O is taken back, the rook stays on f1, and does not go back to h1.",
        "4k3/8/8/8/8/8/P7/4KR2 w - - 0 1",
    ),
}


def test_every_undo_rule_has_a_case() -> None:
    assert {rule for _, _, rule in LEFT} == {rule for rule in Rule if rule.name.startswith("UNDO_")} - {
        Rule.UNDO_POSITION  # of boards that a Python class hands over: tests/harness/engines/test_python_boards.py
    }


@pytest.mark.parametrize(("fen", "uci", "rule"), LEFT)
def test_the_position_after_a_failed_undo(fen: str, uci: str, rule: Rule) -> None:
    position = Position.from_fen(fen)
    found = [one for one in failed_undos(position, position.parse_uci(uci)) if one.why.rule is rule]
    assert (found[0].why.sentence, found[0].position.fen()) == LEFT[fen, uci, rule]


@pytest.mark.parametrize(("fen", "uci", "rule"), LEFT)
def test_the_failed_undo_is_found_by_later_counts(fen: str, uci: str, rule: Rule) -> None:
    position = Position.from_fen(fen)
    culprit = position.parse_uci(uci)
    left = next(one for one in failed_undos(position, culprit) if one.why.rule is rule).position
    right = OwnEngine("own").divide(Game(position), DEPTH, EngineCall())
    pairs, is_left = [], False
    moves = sorted(position.legal_moves, key=lambda move: (move != culprit, move))  # all others come after it
    for move in moves:
        playable = is_left and move in left.legal_moves
        count = perft(left.play(move), DEPTH - 1) if playable else right.counts[move.uci(chess960=True)]
        pairs.append((move.uci(chess960=True), count))
        is_left = True
    wrong = explain_wrong_undo(position, DEPTH, Divide.of(pairs), right)
    assert wrong is not None
    assert (wrong.kind, wrong.rule) == ("undo", rule.value)
    assert wrong.uci == uci or "It may also be an earlier move: " in wrong.sentence


def test_correct_counts_have_no_failed_undo() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/P7/4K2R w K - 0 1")
    right = OwnEngine("own").divide(Game(position), DEPTH, EngineCall())
    assert explain_wrong_undo(position, DEPTH, right, right) is None
