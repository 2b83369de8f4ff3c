"""Pieces that stand wrongly after a move, and castling rights that are wrongly kept or lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Color, Kind, piece_of
from ....generator.types.squares import FILES, name_of, pushed_pawn, squares_in
from ..rules import NAMES, Explanation, Rule, because, join_words, name_at, sentence_case, side_name, the

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
    for square, text in _squares_of_move(position, move) if move is not None else ():
        if square in wrong and square in expected:
            return because(Rule.PLACEMENT, sentence_case(f"{text}, but {_found(got, square)}."), square, *others)
        if square in wrong and got[square] == position.piece_at(square):
            return because(Rule.PLACEMENT, sentence_case(f"{text}."), square, *others)
    return because(Rule.PLACEMENT, _plain(position, move, others[0], expected, got), *others)


def _squares_of_move(position: Position, move: Move) -> Iterator[tuple[int, str]]:
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


class CastlingRight(NamedTuple):
    """A side's right to castle king-side or not."""

    color: Color
    king_side: bool


class WrongRight(NamedTuple):
    """A rule, and why a side's right is wrongly kept or lost by it."""

    rule: Rule
    color: Color
    reason: str


def explain_rights(
    position: Position, move: Move | None, expected: tuple[Board, str], got: tuple[Board, str]
) -> list[Explanation]:
    """Explain which rights differ between two FENs, given as board and castling field.

    Rights of one side that are wrong for the same reason share an explanation.
    """
    right, wrong = _read(position, *expected), _read(position, *got)
    found: dict[WrongRight, list[CastlingRight]] = {}
    for key in (CastlingRight(color, king_side) for color in Color for king_side in (True, False)):
        wrong_right = _wrong_right(position, move, key, right, wrong)
        if wrong_right is not None:
            found.setdefault(wrong_right, []).append(key)
    return [_explain_right(position, wrong_right, keys) for wrong_right, keys in found.items()]


def _wrong_right(
    position: Position,
    move: Move | None,
    key: CastlingRight,
    right: dict[CastlingRight, int | None],
    wrong: dict[CastlingRight, int | None],
) -> WrongRight | None:
    if key in wrong and key not in right:
        return WrongRight(Rule.CASTLING_RIGHT_KEPT, key.color, _why_gone(position, move, key))
    if key not in right:
        return None
    if key not in wrong:
        return WrongRight(Rule.CASTLING_RIGHT_LOST, key.color, "the move touches neither the king nor the rook")
    rook, other = right[key], wrong[key]
    if rook is not None and other is not None and rook != other:
        return WrongRight(Rule.CASTLING_RIGHT_LOST, key.color, f"it belongs to {_rook(rook)}, not to {_rook(other)}")
    return None


def _why_gone(position: Position, move: Move | None, key: CastlingRight) -> str:
    rook = _rook_before(position, key)
    if rook is None:
        return "it was not there before the move"
    if move is None:
        return "the move ends it"
    if move.origin == position.king(key.color):
        return "the king has castled" if move.kind is MoveKind.CASTLING else "the king has moved"
    if move.origin == rook:
        return f"{_rook(rook)} has moved"
    return f"{_rook(rook)} was captured"


def _rook(square: int) -> str:
    return f"the rook on {name_of(square)}"


def _explain_right(position: Position, wrong: WrongRight, keys: list[CastlingRight]) -> Explanation:
    sides = join_words([side_name(key.king_side) for key in keys])
    should = "should be gone" if wrong.rule is Rule.CASTLING_RIGHT_KEPT else "should still be there"
    rooks = [rook for key in keys if (rook := _rook_before(position, key)) is not None]
    text = f"{wrong.color.word}'s right to castle {sides} {should}: {wrong.reason}."
    return because(wrong.rule, text, position.king(wrong.color), *rooks)


def _rook_before(position: Position, key: CastlingRight) -> int | None:
    """Return the rook that had this right before the move."""
    king = position.king(key.color)
    for rook in squares_in(position.castling):
        if rook // 8 == key.color.back_rank and (rook > king) is key.king_side:
            return rook
    return None


def _read(position: Position, board: Board, text: str) -> dict[CastlingRight, int | None]:
    """Return the rights of a castling field with their rooks, None where no such rook stands.

    Letters that are no right are ignored.
    """
    rights: dict[CastlingRight, int | None] = {}
    for letter in text:
        color = Color.WHITE if letter.isupper() else Color.BLACK
        king, side = position.king(color), letter.lower()
        if side in ("k", "q"):
            key = CastlingRight(color, side == "k")
            rights[key] = _outermost(board, king, key)
        elif side in FILES:
            square = color.back_rank * 8 + FILES.index(side)
            rights[CastlingRight(color, square > king)] = square
    return rights


def _outermost(board: Board, king: int, key: CastlingRight) -> int | None:
    rank = range(key.color.back_rank * 8, key.color.back_rank * 8 + 8)
    rooks = [square for square in rank if board.get(square) == (key.color, Kind.ROOK)]
    found = [square for square in rooks if (square > king) is key.king_side]
    return (max(found) if key.king_side else min(found)) if found else None
