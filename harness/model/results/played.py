"""Moves that an engine has played, in words: "e1g1 (castling)"."""

from __future__ import annotations

from collections.abc import Sequence

from ....generator.line import Line
from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Kind

MOST_NAMED = 2
"""If more moves were played, only their number is given."""


def describe_played(fen: str, chess960: bool, moves: Sequence[str]) -> str:
    """Return the moves played from a position, such as "e1g1 (castling)" or "4 moves"; "" if there are none."""
    if len(moves) > MOST_NAMED:
        return f"{len(moves)} moves"
    return " and ".join(describe_last(fen, chess960, moves[: number + 1]) for number in range(len(moves)))


def describe_last(fen: str, chess960: bool, moves: Sequence[str]) -> str:
    """Return the last of the moves played from a position, with its kind if it is a special one."""
    try:
        line = Line.from_uci(Position.from_fen(fen, chess960), " ".join(moves))
    except ValueError:  # a report of another version
        return moves[-1]
    kinds = _kinds(Line(line.base, line.moves[:-1]).position, line.moves[-1])
    return moves[-1] + (f" ({', '.join(kinds)})" if kinds else "")


def _kinds(position: Position, move: Move) -> list[str]:
    """Return what is special about a move: what engines forget when they update the position."""
    if move.kind is MoveKind.CASTLING:
        return ["castling"]
    if move.kind is MoveKind.EN_PASSANT:
        return ["en passant"]
    moving, taken = position.piece_at(move.origin), position.piece_at(move.target)
    is_double_step = moving is not None and moving[1] is Kind.PAWN and abs(move.target - move.origin) == 16
    found = {
        "promotion": move.kind is MoveKind.PROMOTION,
        "double step": is_double_step,
        "captures a rook": taken is not None and taken[1] is Kind.ROOK,
    }
    return [kind for kind, is_so in found.items() if is_so]
