"""Castling rights after a move: which are wrongly kept or lost, and why."""

from __future__ import annotations

from typing import NamedTuple

from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Color, Kind
from ....generator.types.squares import FILES, name_of, squares_in
from ..rules import Explanation, Rule, because
from ..words import join_words, side_name
from .placement import Board


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
    return [_explained(position, wrong_right, keys) for wrong_right, keys in found.items()]


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


def _explained(position: Position, wrong: WrongRight, keys: list[CastlingRight]) -> Explanation:
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
