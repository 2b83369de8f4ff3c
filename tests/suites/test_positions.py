"""Positions and moves as users type and paste them."""

from __future__ import annotations

import pytest
from perft_check.errors import UsageError
from perft_check.suites.positions import resolve_game, resolve_position

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PLAYED = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("startpos", "e2e4 e7e5"),
        ("startpos moves e2e4 e7e5", ""),
        ("startpos moves e2e4", "e7e5"),
        ("position startpos moves e2e4 e7e5", ""),
        ("position startpos", "e2e4 e7e5"),
        (f"{START} moves e2e4 e7e5", ""),
        (f"fen {START} moves e2e4 e7e5", ""),
        (f"position fen {START} moves e2e4 e7e5\n", ""),
        ("start", "1. e4 e5"),
        ("startpos", "1.e4 e5 *"),
        ("startpos", "e4 e7e5"),
        ("cpw-1-start MOVES e2e4 e7e5", ""),
    ],
)
def test_moves_are_played(text: str, moves: str) -> None:
    game = resolve_game(text, None, moves)
    assert (game.base.fen(), game.uci_moves(), game.position.fen()) == (START, ["e2e4", "e7e5"], PLAYED)


def test_a_game_without_moves_is_the_position() -> None:
    assert resolve_game("kiwipete moves").moves == ()
    assert resolve_position("startpos moves e2e4 e7e5").fen() == PLAYED


def test_castling_in_both_notations() -> None:
    for castling in ("e1g1", "e1h1", "O-O", "0-0"):
        game = resolve_game("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None, f"{castling} e8e7")
        assert game.position.fen() == "8/4k3/8/8/8/8/8/5RK1 w - - 2 2"
    frc = resolve_game("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", True, "f1h1")
    assert frc.position.fen() == "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (
            "e2e4 e7e5 e4e5 d7d6",
            f"'e4e5', move 3 of 4, is not legal for White in {PLAYED}: legal moves include a2a3, b2b3, c2c3, d2d3",
        ),
        ("e2e5", f"'e2e5', move 1 of 1, is not legal for White in {START}: similar legal moves: e2e3, e2e4"),
        ("Ngf6", f"'Ngf6', move 1 of 1, is not legal for White in {START}: similar legal moves: Nf3"),
        ("xyz", f"'xyz', move 1 of 1, is not legal for White in {START}: legal moves include a3, b3, c3, d3"),
        (
            "f2f3 e7e5 g2g4 d8h4 a2a3",
            "'a2a3', move 5 of 5, is not legal for White in "
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3: there are no legal moves",
        ),
    ],
)
def test_an_illegal_move_is_reported_in_one_line(moves: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        resolve_game("startpos", None, moves)
    assert str(raised.value) == message
