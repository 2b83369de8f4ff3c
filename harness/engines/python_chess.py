"""python-chess (PyPI `chess`) as an engine: slow, independent, and right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...generator.position import Position
from ..task import Task
from .base import EngineRejection

if TYPE_CHECKING:
    import chess


class PythonChessEngine:
    """The independent reference."""

    name = "python-chess"

    def notice(self) -> str | None:
        """There is nothing to wait for."""
        return None

    def start(self, task: Task) -> None:
        """Import the library."""
        import chess  # noqa: F401 - so that the first question does not wait for it

    def perft(self, position: Position, depth: int, task: Task) -> int:
        """Return the number of leaf nodes; about a million a second."""
        return 1 if depth == 0 else _count(_board(position), depth, task)

    def divide(self, position: Position, depth: int, task: Task) -> dict[str, int]:
        """Return the leaf nodes below each root move."""
        board = _board(position)
        counts = {}
        for move in list(board.legal_moves):
            text = board.uci(move)
            board.push(move)
            counts[text] = 1 if depth == 1 else _count(board, depth - 1, task)
            board.pop()
        return counts

    def close(self) -> None:
        """Nothing to free."""


def _board(position: Position) -> chess.Board:
    """Return the position as a board in Chess960 mode, whose castling is always king takes rook."""
    import chess

    try:
        return chess.Board(position.fen(castling="shredder"), chess960=True)
    except ValueError as error:
        raise EngineRejection(f"python-chess refuses the position: {error}") from None


def _count(board: chess.Board, depth: int, task: Task) -> int:
    if depth == 1:
        count = board.legal_moves.count()
        task.add(count)
        return count
    count = 0
    for move in board.generate_legal_moves():
        if task.stopped:
            break
        board.push(move)
        count += _count(board, depth - 1, task)
        board.pop()
    return count
