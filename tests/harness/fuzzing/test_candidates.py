"""The candidates of a reduction are valid positions, and no two games have the same cost."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import chess
import pytest
from helpers.budget import properties
from helpers.games import board_of, game_from
from hypothesis import given
from hypothesis import strategies as st
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.generator.reachability.classification import is_impossible
from perft_check.harness.fuzzing.candidates import candidates_for, cost, is_sound
from perft_check.strategies import positions

SHORT = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@st.composite
def lines(draw: st.DrawFn) -> Game:
    """Generate games of up to two moves."""
    game = Game(draw(positions(impossible=True)))
    for _ in range(draw(st.integers(0, 2))):
        moves = game.position.legal_moves
        if moves:
            game = game.after(moves[draw(st.integers(0, len(moves) - 1))])
    return game


def candidates(game: Game) -> list[Game]:
    """Return the sound candidates for a game."""
    return [candidate for candidate in candidates_for(game) if is_sound(candidate, like=game)]


def playable(game: Game) -> bool:
    """Return True if python-chess plays all moves of a game."""
    board = chess.Board(game.base.fen(), chess960=game.base.chess960)
    for text in game.uci_moves():
        move = board.parse_uci(text)  # raises if it is not legal
        board.push(move)
    return board.fen(en_passant="fen") == board_of(game).fen(en_passant="fen")


@pytest.mark.slow
@properties(12)
@given(lines())
def test_candidates_are_valid_and_as_plausible(game: Game) -> None:
    sound = candidates(game)
    assert [candidate for candidate in sound if not playable(candidate)] == []
    for base in {candidate.base for candidate in sound}:
        assert Position.from_fen(base.fen(), base.chess960) == base
        if not is_impossible(game.base):
            assert not is_impossible(base)
            assert chess.Board(base.fen(), chess960=base.chess960).status() == chess.STATUS_VALID, base.fen()


def test_a_long_game_is_cut_from_the_front_then_from_the_end() -> None:
    moves = ("g1f3", "g8f6", "f3g1", "f6g8") * 5
    game = game_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", *moves)
    found = candidates(game)
    assert [len(candidate.moves) for candidate in found] == [0, 1, 2, 5, 10, 10, 15, 18, 19]
    for candidate in found[:5]:
        kept = len(candidate.moves)
        assert candidate.position == game.position
        assert candidate.moves == game.moves[20 - kept :]
    assert all(candidate.base == game.base for candidate in found[5:])


STEPS = [
    game_from("k7/8/8/8/8/8/8/K7 w - - 0 1"),
    game_from("k7/8/8/8/8/8/8/K7 w - - 0 2"),
    game_from("k7/8/8/8/8/8/8/1K6 w - - 0 1"),
    game_from("1k6/8/8/8/8/8/8/1K6 w - - 0 1"),
    game_from("k7/8/8/8/8/8/8/1K6 b - - 0 1"),
    game_from("k7/8/8/8/8/8/P7/1K6 w - - 0 1"),
    game_from("k7/8/8/8/8/8/8/NK6 w - - 0 1"),
    game_from("4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
    game_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    game_from("k7/8/8/8/8/8/PP6/1K6 w - - 0 1"),
    game_from("k7/8/8/8/8/8/8/K7 w - - 0 1", "a1b1"),
    game_from("k7/8/8/8/8/8/8/K7 w - - 0 1", "a1a2"),
    game_from("k7/8/8/8/8/8/8/K7 w - - 0 1", "a1a2", "a8b8"),
]


def test_costs_have_this_order() -> None:
    costs = [cost(line) for line in STEPS]
    assert all(first < second for first, second in pairwise(costs))


@pytest.mark.slow
@properties(20)
@given(st.lists(lines(), min_size=2, max_size=6))
def test_costs_are_a_strict_order(found: list[Game]) -> None:
    standard = [Game(replace(game.base, chess960=True), game.moves) for game in found]
    for first in standard:
        for second in standard:
            same = (first.base.fen(), first.moves) == (second.base.fen(), second.moves)
            assert (cost(first) < cost(second)) + (cost(second) < cost(first)) == (not same)
