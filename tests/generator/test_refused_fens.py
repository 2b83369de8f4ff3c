"""FENs with a single fault are rejected; faults of many kinds are introduced into the FENs of many positions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers.budget import properties
from hypothesis import given
from perft_check.generator import FenError, Position
from perft_check.strategies import positions
from perft_check.strategies.common import tricky_positions

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
