"""The square that says most about pieces that stand wrongly after a move."""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Color, Kind, piece_of
from ....generator.types.squares import name_of, pushed_pawn
from ..rules import Explanation, Rule, because
from ..words import NAMES, name_at, sentence_case, the

Board = dict[int, tuple[Color, Kind]]
"""The pieces by square; nothing about them is checked."""


def read_board(text: str) -> Board | str:
    """Return the pieces of a FEN's first field, or what makes it unreadable."""
    rows = text.split("/")
    if len(rows) != 8:
        return f"the board has {len(rows)} ranks instead of 8"
    board: Board = {}
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        file = 0
        for letter in row:
            if letter in "12345678":
                file += int(letter)
                continue
            if letter not in "pnbrqkPNBRQK" or file > 7:
                break
            board[rank * 8 + file] = piece_of(letter)
            file += 1
        else:
            if file == 8:
                continue
        return f"rank {rank + 1} is {row[:20]!r}, which does not describe eight squares"
    return board


def explain_placement(position: Position, move: Move | None, expected: Board, got: Board) -> Explanation | None:
    """Explain the square that says most among those on which two boards differ, and point at all of them."""
    wrong = {square for square in range(64) if expected.get(square) != got.get(square)}
    if not wrong:
        return None
    others = sorted(wrong)
    for square, text in _changed_by(position, move) if move is not None else ():
        if square in wrong and square in expected:
            return because(Rule.PLACEMENT, sentence_case(f"{text}, but {_found(got, square)}."), square, *others)
        if square in wrong and got[square] == position.piece_at(square):
            return because(Rule.PLACEMENT, sentence_case(f"{text}."), square, *others)
    return because(Rule.PLACEMENT, _plain(position, move, others[0], expected, got), *others)


def _changed_by(position: Position, move: Move) -> Iterator[tuple[int, str]]:
    """Yield the squares that a move changes, those that say most first, with a sentence about each."""
    origin, target = move.origin, move.target
    mover = name_at(position, origin)
    left = f"the {mover} that moved to {name_of(target)} is still on {name_of(origin)}, too"
    if move.kind is MoveKind.CASTLING:
        rook_to = move.rook_landing
        yield move.landing, f"after castling the king should stand on {name_of(move.landing)}"
        yield rook_to, f"after castling the rook should stand on {name_of(rook_to)}"
        yield target, f"the rook that castled is still on {name_of(target)}, too"
        yield origin, f"the king that castled is still on {name_of(origin)}, too"
    elif move.kind is MoveKind.EN_PASSANT:
        victim = pushed_pawn(target)
        yield victim, f"the pawn on {name_of(victim)}, taken en passant, is still there"
        yield target, f"the pawn that took en passant should stand on {name_of(target)}"
        yield origin, left
    elif move.promotion is not None:
        yield target, f"the pawn should become a {NAMES[move.promotion]} on {name_of(target)}"
        yield origin, f"the pawn that promoted is still on {name_of(origin)}, too"
    else:
        yield target, f"the {mover} should stand on {name_of(target)}"
        yield origin, left


def _plain(position: Position, move: Move | None, square: int, expected: Board, got: Board) -> str:
    """Return a sentence about a square that the move does not touch."""
    name = name_of(square)
    if square not in expected:
        return f"There should be nothing on {name}, but {_found(got, square)}."
    color, kind = expected[square]
    if square in got:
        return f"{color.word}'s {NAMES[kind]} should stand on {name}, but {_found(got, square)}."
    vanished = f"{color.word}'s {NAMES[kind]} on {name} has vanished"
    if move is not None and move.target == position.en_passant and abs(square - move.target) == 8:
        mover = the(position, move.origin)
        return f"{vanished}, but {mover} does not take en passant by going to {name_of(move.target)}."
    return f"{vanished}, though the move does not touch it."


def _found(board: Board, square: int) -> str:
    if square not in board:
        return "nothing is there"
    color, kind = board[square]
    return f"{color.word}'s {NAMES[kind]} is there"
