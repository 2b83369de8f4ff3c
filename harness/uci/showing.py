"""The command `d`: a position as Stockfish prints it, without a key."""

from __future__ import annotations

from dataclasses import replace

from ...generator.position import Position
from ...generator.types.pieces import Kind
from ...generator.types.squares import name_of, squares_in
from ...generator.validation import attackers_of

_RULE = f" {'+---' * 8}+\n"
_FILES = "".join(f"   {file}" for file in "abcdefgh")


def shown(position: Position) -> str:
    """Return the board, the FEN and the pieces that give check."""
    checkers = "".join(f"{name_of(square)} " for square in squares_in(position.checkers))
    return f"\n{_board(position)}\nFen: {fen_of(position)}\nCheckers: {checkers}\n"


def fen_of(position: Position) -> str:
    """Return the FEN, with an en passant square only where a pawn stands ready to take, as Stockfish has it.

    Castling rights are the files of the rooks in Chess960, and else KQkq.
    """
    passed = position.en_passant
    own_pawns = position.pieces[position.turn][Kind.PAWN]
    if passed is not None and not attackers_of(position.pieces, passed, position.turn) & own_pawns:
        position = replace(position, en_passant=None)
    return position.fen(castling="shredder" if position.chess960 else "xfen")


def _board(position: Position) -> str:
    rows = position.fen().split()[0].split("/")
    ranks = "".join(f"{_row(row)} {rank}\n{_RULE}" for rank, row in zip(range(8, 0, -1), rows, strict=True))
    return f"{_RULE}{ranks}{_FILES}\n"


def _row(row: str) -> str:
    squares = "".join(" " * int(letter) if letter.isdigit() else letter for letter in row)
    return " " + "".join(f"| {letter} " for letter in squares) + "|"
