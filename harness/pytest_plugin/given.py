"""Positions and moves as tests have them: text, ours, or those of python-chess."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeAlias

from ...generator.position import Position
from ...generator.types.moves import Move
from ..engines.castling_notation import as_king_takes_rook
from .complaints import raising_for_the_test

if TYPE_CHECKING:
    import chess

    GivenPosition: TypeAlias = Position | str | chess.Board
    GivenMove: TypeAlias = Move | str | chess.Move


@raising_for_the_test
def position_of(given: GivenPosition) -> Position:
    """Return a position. The castling field of a FEN says whether it is of Chess960.

    Raises ValueError for a bad FEN, and TypeError for what is no position.
    """
    chess = sys.modules.get("chess")
    if isinstance(given, Position):
        return given
    if isinstance(given, str):
        return Position.from_fen(given, chess960=None)
    if chess is not None and isinstance(given, chess.Board):
        return Position.from_fen(given.fen(), given.chess960)
    raise TypeError(f"a position is a FEN, a Position or a chess.Board, not {given!r}")


@raising_for_the_test
def text_of(position: Position, given: GivenMove) -> str:
    """Return a move as UCI text with castling as king takes rook. Raises TypeError for what is no move."""
    chess = sys.modules.get("chess")
    if isinstance(given, Move):
        return given.uci(chess960=True)
    if isinstance(given, str):
        return as_king_takes_rook(position, given)
    if chess is not None and isinstance(given, chess.Move):
        return as_king_takes_rook(position, given.uci())
    raise TypeError(f"a move is UCI text, a Move or a chess.Move, not {given!r}")
