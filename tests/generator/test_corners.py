"""Positions whose legal moves depend on one small condition of a kernel; without them, mutants of the kernels survived.

`corners.csv` lists a legal (`+`) or illegal (`-`) move for each position, with castling written as king takes rook.
"""

from __future__ import annotations

import csv
from collections import Counter

import chess
import pytest
from helpers import oracle
from helpers.backends import EACH_BACKEND
from helpers.each import check_each
from perft_check.generator import MoveList, perft
from perft_check.generator.counting.counter import Kernel
from perft_check.generator.generation import accepted_moves
from perft_check.generator.kernels.tables import Backend

KERNELS: tuple[Kernel, ...] = ("turbo", "list", "two-plies")
with (oracle.DATA / "corners.csv").open(encoding="utf-8", newline="") as file:
    CORNERS = [(row["fen"], row["claim"]) for row in csv.DictReader(file)]
FENS = [fen for fen, _ in CORNERS]


def board_of(fen: str) -> chess.Board:
    return chess.Board(fen, chess960=True)


def test_python_chess_confirms_the_claims() -> None:
    def check(corner: tuple[str, str]) -> None:
        fen, claim = corner
        board = board_of(fen)
        assert board.is_valid()
        legal = {oracle.text_of(board, move) for move in board.legal_moves}
        assert (claim[1:] in legal) is (claim[0] == "+")

    check_each(check, CORNERS)


@EACH_BACKEND
def test_move_lists(backend: Backend) -> None:
    def check(fen: str) -> None:
        position = oracle.position_of(board_of(fen))
        for gentype, expected in oracle.expected_lists(board_of(fen)).items():
            found = Counter(move.uci(chess960=True) for move in MoveList(position, gentype, backend).moves)
            assert found == expected, gentype.name

    check_each(check, FENS)


@EACH_BACKEND
def test_legality_of_all_patterns(backend: Backend) -> None:
    def check(fen: str) -> None:
        board = board_of(fen)
        accepted = {move.uci(chess960=True) for move in accepted_moves(oracle.position_of(board), backend)}
        assert accepted == {oracle.text_of(board, move) for move in board.legal_moves}

    check_each(check, FENS)


@pytest.mark.parametrize("kernel", KERNELS)
def test_counts(kernel: Kernel) -> None:
    def check(fen: str) -> None:
        board, position = board_of(fen), oracle.position_of(board_of(fen))
        assert perft(position, 1, kernel=kernel) == board.legal_moves.count()
        replies = 0
        for move in list(board.legal_moves):
            board.push(move)
            replies += board.legal_moves.count()
            board.pop()
        assert perft(position, 2, kernel=kernel) == replies

    check_each(check, FENS)
