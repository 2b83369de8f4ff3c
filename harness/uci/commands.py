"""The words of commands: `position`, whole numbers, and what `d` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...errors import UsageError
from ...generator.notation.fen import START_FEN
from ...generator.position import Position
from ...generator.types.pieces import Kind
from ...generator.types.squares import name_of, squares_in
from ...generator.validation import FenError, attackers_of


def position_of(words: Sequence[str], chess960: bool) -> Position:
    """Return the position of the words behind `position`. Raises UsageError.

    Without `chess960` a position is one of Chess960 where its castling rights need it.
    """
    end = words.index("moves") if "moves" in words else len(words)
    position = _base(words[:end], chess960)
    for number, text in enumerate(words[end + 1 :], 1):
        position = _played(position, text, number)
    return position


def _base(words: Sequence[str], chess960: bool) -> Position:
    match words:
        case ["startpos"]:
            fen = START_FEN
        case ["fen", *fields]:
            fen = " ".join(fields)
        case _:
            raise UsageError("invalid position: it is 'startpos' or 'fen FEN', and then may have 'moves MOVE ...'")
    try:
        return Position.from_fen(fen, chess960 or None)
    except FenError as error:
        raise UsageError(f"invalid FEN: {error}") from None


def _played(position: Position, text: str, number: int) -> Position:
    """Return the position after a move. The piece of a promotion may be an upper-case letter."""
    try:
        return position.play_unchecked(position.parse_uci(text[:4] + text[4:].lower()))
    except ValueError as error:
        raise UsageError(f"illegal move {number}: {error}") from None


_RULE = f" {'+---' * 8}+\n"
_FILES = "".join(f"   {file}" for file in "abcdefgh")


def show_position(position: Position) -> str:
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


def whole(text: str, least: int, most: int, what: str) -> int:
    """Return a whole number within bounds. Raises UsageError, which says what it is."""
    is_short = len(text) <= len(str(most))  # Python refuses to read very long numbers
    number = int(text) if is_short and text.isascii() and text.isdigit() else least - 1
    if not least <= number <= most:
        raise UsageError(f"{what} is a whole number from {least} to {most}, not {text!r}")
    return number
