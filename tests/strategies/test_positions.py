"""Properties of everything that the strategies generate, checked with python-chess."""

from __future__ import annotations

from typing import TypeVar

import chess
import pytest
from helpers.sampling import examples_of
from perft_check import strategies
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.generator.reachability.retro import rights_from_corner
from perft_check.strategies import Reachability, reachability_of

T = TypeVar("T")

POSSIBLE = {
    "placements": strategies.placements(),
    "placements, Chess960": strategies.placements(chess960=True),
    "mutations": strategies.mutations(),
    "templates": strategies.templates(),
    "locked": strategies.locked(),
    "locked, Chess960": strategies.locked(chess960=True),
    "castlings": strategies.chess960_castlings(),
    "positions": strategies.positions(),
}
IMPOSSIBLE = {
    "placements": strategies.placements(impossible=True),
    "mutations": strategies.mutations(impossible=True),
    "templates": strategies.templates(impossible=True),
    "positions": strategies.positions(impossible=True),
}
LINES = {
    "games": strategies.games(max_plies=40),
    "games, Chess960": strategies.games(max_plies=20, chess960=True),
    "double Chess960": strategies.chess960_games(max_plies=20),
    "walks": strategies.walks(),
}


def is_valid(position: Position) -> bool:
    return chess.Board(position.fen(), chess960=True).status() == chess.STATUS_VALID


@pytest.mark.parametrize("name", POSSIBLE)
def test_positions_are_valid_and_survive_their_fen(name: str) -> None:
    for position in examples_of(POSSIBLE[name], 150):
        assert Position.from_fen(position.fen(), chess960=position.chess960) == position
        assert is_valid(position), position.fen()
        assert reachability_of(position) is not Reachability.IMPOSSIBLE


@pytest.mark.slow
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_positions_survive_their_fen_and_are_labelled(name: str) -> None:
    labels = set()
    for position in examples_of(IMPOSSIBLE[name], 150):
        assert Position.from_fen(position.fen(), chess960=position.chess960) == position
        expected = not is_valid(position) or bool(position.oddities) or rights_from_corner(position) != 0
        assert (reachability_of(position) is Reachability.IMPOSSIBLE) == expected, position.fen()
        labels.add(reachability_of(position))
    assert Reachability.REACHABLE in labels


@pytest.mark.slow
def test_clocks_are_extreme_only_if_requested() -> None:
    for impossible in (False, True):
        drawn = examples_of(strategies.positions(impossible=impossible), 300)
        extreme = [position for position in drawn if position.halfmove > 100 or position.fullmove >= 1000]
        assert bool(extreme) is impossible


def test_impossible_positions_are_generated_if_requested() -> None:
    drawn = examples_of(strategies.placements(impossible=True), 300)
    assert any(reachability_of(position) is Reachability.IMPOSSIBLE for position in drawn)


@pytest.mark.slow
@pytest.mark.parametrize("name", LINES)
def test_games_end_in_the_position_after_their_moves(name: str) -> None:
    for game in examples_of(LINES[name], 60):
        board = chess.Board(game.base.fen(), chess960=game.base.chess960)
        for text in game.uci_moves():
            board.push(board.parse_uci(text))
        assert game.position == Game(game.base, game.moves).position
        assert game.position.fen(en_passant="legal") == board.fen(en_passant="legal")
        assert game.without_moves().position == game.position


@pytest.mark.parametrize("name", ["games", "games, Chess960", "double Chess960"])
def test_positions_of_games_look_reachable(name: str) -> None:
    for game in examples_of(LINES[name], 60):
        assert reachability_of(game.position) is Reachability.REACHABLE, game.position.fen()


def test_variants_are_not_mixed() -> None:
    assert not any(position.chess960 for position in examples_of(strategies.positions(chess960=False), 100))
    assert all(position.chess960 for position in examples_of(strategies.positions(chess960=True), 100))


def test_fens_and_boards_are_the_same_positions() -> None:
    for fen in examples_of(strategies.fens(), 50):
        assert Position.from_fen(fen, chess960=None).fen() == fen
    for board in examples_of(strategies.boards(), 50):
        assert isinstance(board, chess.Board)
        assert board.is_valid()


def test_empty_seeds_are_refused() -> None:
    with pytest.raises(ValueError, match="seed"):
        strategies.walks([])
    with pytest.raises(ValueError, match="seed"):
        strategies.mutations([])
