"""Many positions at once: conversion to the kernels' states and back, and the FENs written from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from helpers import oracle
from helpers.budget import CHESS960, budget, properties
from hypothesis import given
from perft_check.generator import FenError, Position
from perft_check.generator.fens import positions_of, states_of, write_states
from perft_check.generator.notation.fen import CastlingStyle
from perft_check.strategies import positions
from perft_check.strategies.common import tricky_positions


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


Fields = list[str]
"""The six fields of a FEN."""
Mutation = Callable[[Fields], Fields | None]
"""A function that returns the fields with a fault, or None if the fault does not apply to this FEN."""


def _with(number: int, change: Callable[[Fields], str | None]) -> Mutation:
    """Return the mutation that applies `change` to one field."""

    def mutate(fields: Fields) -> Fields | None:
        changed = change(fields)
        return None if changed is None else [*fields[:number], changed, *fields[number + 1 :]]

    return mutate


def _pawn_on_back_rank(fields: Fields) -> str:
    """Put a pawn on h1, or on a1 if a king stands on h1."""
    above, _, last = fields[0].rpartition("/")
    squares = _squares_of(last)
    mutated = f"{squares[:-1]}P" if squares[-1] not in "Kk" else f"P{squares[1:]}"
    return f"{above}/{mutated.replace(' ', '1')}".replace("11111111", "8")


def _right_without_rook(fields: Fields) -> str | None:
    """Give White the king-side castling right if no white rook is on the back rank."""
    return None if "R" in fields[0].rpartition("/")[2] else "K"


def _passed_by_no_pawn(fields: Fields) -> str | None:
    """Return an en passant square on the correct rank that no pawn can have passed."""
    rank = 3 if fields[1] == "w" else 4
    pawn, target = ("p", "6") if fields[1] == "w" else ("P", "3")
    row = _squares_of(fields[0].split("/")[rank])
    free = [file for file, piece in zip("abcdefgh", row, strict=True) if piece != pawn]
    return free[0] + target if free else None


def _squares_of(row: str) -> str:
    """Return a rank of a FEN with one character per square, which is a blank for an empty square."""
    return "".join(" " * int(letter) if letter.isdigit() else letter for letter in row)


MUTATIONS: dict[str, Mutation] = {
    "a ninth rank": _with(0, lambda fields: f"{fields[0]}/8"),
    "seven ranks": _with(0, lambda fields: fields[0].partition("/")[2]),
    "a rank of nine squares": _with(0, lambda fields: f"1{fields[0]}" if not fields[0][0].isdigit() else None),
    "a rank of seven squares": _with(0, lambda fields: fields[0][1:] if not fields[0][0].isdigit() else None),
    "an unknown piece": _with(0, lambda fields: fields[0].replace("K", "X")),
    "no white king": _with(0, lambda fields: fields[0].replace("K", "N")),
    "two black kings": _with(0, lambda fields: fields[0].replace("8", "k7", 1) if "8" in fields[0] else None),
    "a pawn on the back rank": _with(0, _pawn_on_back_rank),
    "no side to move": _with(1, lambda fields: "-"),
    "a right without its rook": _with(2, _right_without_rook),
    "an en passant square of another rank": _with(3, lambda fields: "e4"),
    "an en passant square that no pawn has passed": _with(3, _passed_by_no_pawn),
    "an en passant square beyond the board": _with(3, lambda fields: "i3" if fields[1] == "b" else "e9"),
    "a halfmove clock below zero": _with(4, lambda fields: "-1"),
    "no fields after the placement": lambda fields: fields[:1],
}
"""The mutations, by the fault that they introduce."""


def mutants_of(position: Position) -> dict[str, str]:
    """Return FENs of a position that have a single fault, by fault."""
    fields = position.fen().split()
    found = {wrong: mutate(fields) for wrong, mutate in MUTATIONS.items()}
    return {wrong: " ".join(changed) for wrong, changed in found.items() if changed is not None}


def assert_refused(position: Position) -> None:
    for wrong, fen in mutants_of(position).items():
        with pytest.raises(FenError):
            pytest.fail(f"{wrong}: {Position.from_fen(fen, position.chess960)} is read")


def test_tricky_positions() -> None:
    for position in tricky_positions():
        assert_refused(position)


@properties(60)
@given(positions())
def test_generated_positions(position: Position) -> None:
    assert_refused(position)
