"""Editing a position."""

from __future__ import annotations

import pytest
from perft_check.generator.position import Position
from perft_check.generator.types.squares import square_of
from perft_check.generator.validation import FenError
from perft_check.harness.trees.draft import Draft
from perft_check.suites.bundled import bundled_path
from perft_check.suites.loader import load_suite


@pytest.mark.parametrize("suite", ["standard", "special", "chess960", "chess960-special"])
def test_every_position_comes_back(suite: str) -> None:
    """A draft of a position is that position."""
    for case in load_suite(bundled_path(suite)):
        assert Draft.of(case.position).position() == case.position, case.name


def test_pieces_are_put_and_taken_away() -> None:
    """A square has one piece."""
    draft = Draft.start().put(square_of("e4"), "P").put(square_of("e2"), "").put(square_of("e4"), "q")
    assert draft.fen == "rnbqkbnr/pppppppp/8/8/4q3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"


def test_turn_rights_and_en_passant() -> None:
    """Rights stay in the order of FEN; the en passant square goes with the turn."""
    draft = Draft.start().toggle_right("Q").toggle_right("k")
    assert draft.fen.split()[2] == "Kq"
    assert draft.toggle_right("Q").fen.split()[2] == "KQq"
    assert draft.en_passant_at(square_of("e6")).fen.split()[3] == "e6"
    assert draft.en_passant_at(square_of("e6")).other_turn().fen.split()[1:4] == ["b", "Kq", "-"]
    assert draft.en_passant_at(44).en_passant_at(44).en_passant is None


@pytest.mark.parametrize(
    ("draft", "fault"),
    [
        (Draft.start().clear(), "White has no king"),
        (Draft.start().put(square_of("a8"), "P"), "White has a pawn on a8"),
        (Draft.start().put(square_of("e3"), "k"), "Black has 2 kings"),
    ],
)
def test_what_is_wrong_is_told(draft: Draft, fault: str) -> None:
    """In the words of the FEN reader."""
    assert fault.lower() in draft.fault.lower()
    with pytest.raises(FenError):
        draft.position()


def test_a_right_without_its_rook_is_told() -> None:
    """White's rook on h1 is gone."""
    assert Draft.start().put(square_of("h1"), "").fault


def test_a_right_draft_has_no_fault() -> None:
    """The starting position."""
    assert Draft.start().fault == ""
    assert Draft.start().position() == Position.start()
