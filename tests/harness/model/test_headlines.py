"""The headline of a finding: which move it names, the moves played before it, and when it names none."""

from dataclasses import replace

import pytest
from perft_check.harness.model.results.finding import (
    MAYBE_EARLIER,
    Cause,
    Finding,
    WrongMove,
    describe_last,
    describe_played,
)

CASTLES = "r3k2r/1P6/8/3pP3/8/8/6P1/R3K2R w KQkq d6 0 1"


def move(uci: str, kind: str = "extra", rule: str = "pinned", title: str = "Pinned piece", text: str = "") -> WrongMove:
    return WrongMove(uci, None, kind, rule, title, text, ())


def finding(*wrong: WrongMove, cause: Cause = Cause.MOVES, played: str = "", base: str = CASTLES) -> Finding:
    moves = tuple(played.split())
    return Finding(
        cause=cause, fen=CASTLES, chess960=False, wrong=wrong, base_fen=base if moves else None, base_moves=moves
    )


@pytest.mark.parametrize(
    ("played", "told"),
    [
        ("e1g1", "e1g1 (castling)"),
        ("e1c1 e8g8", "e1c1 (castling) and e8g8 (castling)"),
        ("e5d6", "e5d6 (en passant)"),
        ("b7a8n", "b7a8n (promotion, captures a rook)"),
        ("g2g4", "g2g4 (double step)"),
        ("g2g3 a8a1", "g2g3 and a8a1 (captures a rook)"),
        ("e1e2 e8e7 e2e1", "3 moves"),
        ("", ""),
    ],
)
def test_moves_that_were_played(played: str, told: str) -> None:
    assert describe_played(CASTLES, False, played.split()) == told


def test_castling_in_chess960_is_written_as_the_king_takes_the_rook() -> None:
    fen = "4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1"
    assert describe_last(fen, True, ["e1b1"]) == "e1b1 (castling)"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("extra", "extra move e1g1: Pinned piece"),
        ("missing", "missing move e1g1: Pinned piece"),
        ("duplicate", "duplicate move e1g1: Pinned piece"),
        ("notation", "wrong notation of e1g1: Pinned piece"),
        ("state", "wrong state after e1g1 (castling): Pinned piece"),
        ("fen", "wrong FEN after e1g1 (castling): Pinned piece"),
        ("undo", "wrong undo of e1g1 (castling): Pinned piece"),
        ("draw", "perft ignores draws: Pinned piece"),
    ],
)
def test_each_kind_of_wrong_move(kind: str, told: str) -> None:
    assert finding(move("e1g1", kind)).headline_with_move == told


def test_a_fault_that_occurs_only_after_a_move() -> None:
    one = finding(move("c7d6"), cause=Cause.STATE, played="e1g1")
    assert one.headline_with_move == "after e1g1 (castling), extra move c7d6: Pinned piece"
    assert one.headline == "extra move: Pinned piece"
    assert one.signature == ("state", "extra pinned")
    assert replace(one, setup="startpos").headline_with_move == "extra move c7d6: Pinned piece, set up by startpos"


def test_the_incorrectly_played_move_is_named_among_several() -> None:
    one = replace(finding(played="b7a8q e8e7 e1e2"), state=(move("b7a8q", "state"),), cause=Cause.STATE)
    assert one.headline_with_move == "wrong state after b7a8q (promotion, captures a rook): Pinned piece"


def test_the_other_wrong_moves_are_counted() -> None:
    one = finding(move("a1a2"), move("a1a3"), move("h1h2", rule="jumps-over"))
    assert one.headline_with_move == "extra move a1a2: Pinned piece (and 2 more)"
    assert one.headline == "extra move: Pinned piece (and 1 more)"


def test_the_move_for_which_the_reference_is_incorrect() -> None:
    one = finding(replace(move("e1g1", "missing"), engine_is_correct=True))
    assert one.headline_with_move == "the reference is wrong about e1g1: Pinned piece"


@pytest.mark.parametrize(
    "unsure",
    [
        finding(move("e1g1"), cause=Cause.COUNT),
        finding(move("e1g1", "undo", text=f"It stays. {MAYBE_EARLIER}: Rb1.")),
        finding(move("e1g1", "state", "fen-castling")),
        finding(move("e1g1", "missing", "list-too-short")),
        finding(move("b7b8q", "state", "promotion-letters")),
        finding(move("\x1b[31m e2", rule="not-a-move")),
        Finding(cause=Cause.REFUSED, fen=CASTLES, chess960=False),
    ],
)
def test_guessed_or_unrelated_moves_are_not_named(unsure: Finding) -> None:
    assert unsure.headline_with_move == unsure.headline
