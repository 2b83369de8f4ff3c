"""cozy-chess-py of PyPI: `python:cozy_chess_py:divide`."""

from __future__ import annotations

from typing import Any

from cozy_chess import Board, Piece
from walked import Library

CASTLING = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
"""It writes castling as king takes rook."""


def _listed(board: Any) -> dict[str, Any]:
    def uci(move: Any) -> str:
        own = board.color_on(move.to_square) == board.side_to_move()
        return CASTLING[str(move)] if own and board.piece_on(move.from_square) == Piece.King else str(move)

    return {uci(move): move for move in board.generate_moves()}


divide = Library(Board.from_fen, _listed, lambda board, move: board.play(move)).divide
