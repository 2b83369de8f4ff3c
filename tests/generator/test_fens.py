"""Many positions at once: conversion to the kernels' states and back, and the FENs written from them."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from helpers import oracle
from helpers.budget import CHESS960, budget, properties
from hypothesis import given
from perft_check.generator import Position
from perft_check.generator.fens import positions_of, states_of, write_states
from perft_check.generator.notation.fen import CastlingStyle
from perft_check.strategies import positions


def written(read: list[Position], style: CastlingStyle = "xfen") -> list[str]:
    return write_states(states_of(read), style).decode().splitlines()


@properties(80)
@given(positions(impossible=True))
def test_fens_agree_with_position_fen(position: Position) -> None:
    for style in get_args(CastlingStyle):
        assert written([position], style) == [position.fen(castling=style)]


@pytest.mark.slow
@budget(2_000, 50_000)
@CHESS960
def test_fens_agree_with_python_chess(chess960: bool, number: int) -> None:
    boards = [board.copy(stack=False) for board in oracle.random_boards(54, number, chess960=chess960)]
    for style in get_args(CastlingStyle):
        fens = [board.fen(en_passant="fen", shredder=style == "shredder") for board in boards]
        assert written([Position.from_fen(fen, chess960) for fen in fens], style) == fens


EDGES = [
    "4k3/8/8/8/8/8/8/4K3 b - - 99999 99999",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 10",
    "4k3/8/8/8/8/8/8/4K3 w - - 100 999",
    "rk2r2r/8/8/8/8/8/8/R3K1RR w KQeq - 100 1",
    "r3k2r/8/8/8/8/8/8/1RR1K1RR w GCkq - 9 1000",
    "1k1r1r2/8/8/8/8/8/8/1K1R1R2 b Dd - 0 1",
    "q1qqkqqq/qqqqqqqq/qqqqqqqq/nqnqnqnq/B1B1B1B1/QQQQQQQQ/QQQPPPQQ/QQQQKQQ1 w - - 99999 99999",
    "r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq e3 0 1",
]


@pytest.mark.parametrize("fen", EDGES)
def test_extreme_fens(fen: str) -> None:
    position = Position.from_fen(fen, chess960=True)
    assert written([position]) == [position.fen()] == [fen]


def test_states_are_converted_back() -> None:
    read = [known.position() for known in oracle.known_positions()]
    states = states_of(read)
    assert positions_of(states, [position.chess960 for position in read]) == read
    assert [tuple(map(int, position.board)) for position in read] == [tuple(map(int, words[:12])) for words in states]
    none = states_of([])
    assert (positions_of(none, []), write_states(none)) == ([], b"")


def test_an_en_passant_square_is_kept_if_no_pawn_can_capture() -> None:
    fen = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"
    states = states_of([Position.from_fen(fen)])
    assert (write_states(states), states[0][10]) == (f"{fen}\n".encode(), np.uint64(0))
