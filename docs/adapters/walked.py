"""Count below each root move with a library that lists moves and plays them: for the adapters beside this file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Divide = list[tuple[str, int]]


class Library:
    """How a library opens a position, lists moves, and plays one."""

    def __init__(
        self, opened: Callable[[str], Any], listed: Callable[[Any], dict[str, Any]], play: Callable[[Any, Any], Any]
    ) -> None:
        """Take three functions.

        `opened` makes a board from a FEN. `listed` returns the moves by their UCI text. `play` plays a move, and
        returns the new board, or None where it has changed its own.
        """
        self._opened, self._listed, self._play = opened, listed, play

    def divide(self, fen: str, depth: int, moves: list[str]) -> Divide:
        """Play the moves from the FEN, and return the count below each root move."""
        played: list[Any] = []
        for move in moves:
            played.append(self._listed(self._board(fen, played))[move])
        root = self._listed(self._board(fen, played))
        return [(text, self._count(fen, [*played, move], depth - 1)) for text, move in root.items()]

    def _board(self, fen: str, played: list[Any]) -> Any:
        board = self._opened(fen)
        for move in played:
            board = self._play(board, move) or board
        return board

    def _count(self, fen: str, played: list[Any], depth: int) -> int:
        if depth == 0:
            return 1
        moves = self._listed(self._board(fen, played)).values()
        return len(moves) if depth == 1 else sum(self._count(fen, [*played, move], depth - 1) for move in moves)
