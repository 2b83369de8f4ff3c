"""Positions in which one small condition of a kernel decides; mutants of the kernels survived without them.

In `corners.csv` each stands with one of its moves, legal (`+`) or not (`-`), castling as king takes rook.
"""

from __future__ import annotations

import csv
from collections import Counter

import chess
import pytest
from helpers import oracle
from perft_check.generator import MoveList, perft
from perft_check.generator.counting import Kernel
from perft_check.generator.kernels.tables import Backend, default_backend
from perft_check.generator.legality import accepted_moves

BACKENDS: tuple[Backend, ...] = ("pext", "magic") if default_backend() == "pext" else ("magic",)
KERNELS: tuple[Kernel, ...] = ("turbo", "list")
with (oracle.DATA / "corners.csv").open(encoding="utf-8", newline="") as file:
    CORNERS = [(row["fen"], row["claim"]) for row in csv.DictReader(file)]
EACH = pytest.mark.parametrize(("fen", "claim"), CORNERS)


def board_of(fen: str) -> chess.Board:
    return chess.Board(fen, chess960=True)


@EACH
def test_the_claim_is_true(fen: str, claim: str) -> None:
    board = board_of(fen)
    assert board.is_valid()
    legal = {oracle.text_of(board, move) for move in board.legal_moves}
    assert (claim[1:] in legal) is (claim[0] == "+")


@EACH
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_list(fen: str, claim: str, backend: Backend) -> None:
    position = oracle.position_of(board_of(fen))
    for gentype, expected in oracle.expected_lists(board_of(fen)).items():
        found = Counter(move.uci(chess960=True) for move in MoveList(position, gentype, backend).moves)
        assert found == expected, gentype.name


@EACH
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_legality_test_on_all_patterns(fen: str, claim: str, backend: Backend) -> None:
    board = board_of(fen)
    accepted = {move.uci(chess960=True) for move in accepted_moves(oracle.position_of(board), backend)}
    assert accepted == {oracle.text_of(board, move) for move in board.legal_moves}


@EACH
@pytest.mark.parametrize("kernel", KERNELS)
def test_counts(fen: str, claim: str, kernel: Kernel) -> None:
    board, position = board_of(fen), oracle.position_of(board_of(fen))
    assert perft(position, 1, kernel=kernel) == board.legal_moves.count()
    replies = 0
    for move in list(board.legal_moves):
        board.push(move)
        replies += board.legal_moves.count()
        board.pop()
    assert perft(position, 2, kernel=kernel) == replies
