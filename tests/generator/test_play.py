"""The position after a move, compared with python-chess and with the position read from its FEN."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import chess
import numpy as np
import pytest
from helpers import oracle
from helpers.budget import CHESS960, budget, properties
from hypothesis import given
from perft_check.generator import Move, Position
from perft_check.generator.kernels.play import board_after
from perft_check.generator.types.frame import flip_move
from perft_check.strategies import positions

START = Position.start()


def play_checked(position: Position, board: chess.Board, move: chess.Move) -> Position:
    """Play a move on both boards, and check that all fields and the kernels' board agree."""
    ours = position.parse_uci(oracle.text_of(board, move))
    after = position.play(ours)
    incremental = board_after(position.board, np.uint64(flip_move(ours, position.turn)))
    board.push(move)
    fen = board.fen(en_passant="fen", shredder=True)
    reread = Position.from_fen(fen, chess960=board.chess960)
    assert after.fen(castling="shredder") == fen
    assert after == reread
    assert incremental == reread.board == after.board, fen
    assert after.checkers == board.checkers_mask()
    assert after.occupied == board.occupied
    return after


def games(seed: int, count: int, chess960: bool) -> Iterator[tuple[chess.Board, list[chess.Move]]]:
    """Yield starting positions with random moves."""
    rng = random.Random(seed)
    for _ in range(count):
        start = oracle.start_board(rng, chess960)
        moves = list(oracle.walk(rng, start.copy(), 150))[-1].move_stack
        yield start, moves


@pytest.mark.slow
@budget(10, 100)
@CHESS960
def test_games(chess960: bool, number: int) -> None:
    for board, moves in games(31, number, chess960):
        position = oracle.position_of(board)
        for move in moves:
            position = play_checked(position, board, move)


def test_every_move_of_known_positions() -> None:
    def check(known: oracle.Known) -> None:
        board, position = known.board(), known.position()
        for move in list(board.legal_moves):
            play_checked(position, board, move)
            board.pop()

    oracle.check_each_known(check)


@pytest.mark.slow
@budget(80, 2_000)
@CHESS960
def test_every_move_of_random_positions(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(32, number, chess960=chess960):
        position = oracle.position_of(board)
        before = position.fen()
        for move in list(board.legal_moves):
            play_checked(position, board, move)
            board.pop()
        assert position.fen() == before


@properties(40)
@given(positions())
def test_every_move_of_generated_positions(position: Position) -> None:
    board = oracle.board_of(position)
    for move in list(board.legal_moves):
        play_checked(position, board, move)
        board.pop()


@pytest.mark.parametrize(
    ("fen", "move", "after"),
    [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7",
            "e2e4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 7",
        ),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7", "a8a1", "4k2r/8/8/8/8/8/8/r3K2R w Kk - 0 8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7", "e8e7", "r6r/4k3/8/8/8/8/8/R3K2R w KQ - 4 8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7", "e8h8", "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 4 8"),
        ("1n2k2r/P7/8/8/8/8/8/4K3 w k - 3 7", "a7b8q", "1Q2k2r/8/8/8/8/8/8/4K3 b k - 0 7"),
        ("4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 7", "c5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 7"),
    ],
)
def test_fields_after_a_move(fen: str, move: str, after: str) -> None:
    position = Position.from_fen(fen)
    assert position.play(position.parse_uci(move)).fen() == after


@pytest.mark.parametrize(
    ("fen", "move", "text"),
    [
        (START.fen(), Move.make(12, 36), "e2e5"),
        (START.fen(), Move.make(0, 0), "a1a1"),
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", Move.make(12, 29), "e2f4"),
    ],
    ids=["not a pawn move", "not a move", "pinned"],
)
def test_illegal_moves_are_rejected(fen: str, move: Move, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'{text} is not legal in {fen}')}$"):
        Position.from_fen(fen).play(move)
