"""chessy of PyPI: `python:chessy_moves:divide`."""

from __future__ import annotations

from typing import Any

from chessy.core.board import Board
from chessy.core.movegen import generate_all_legal_moves
from walked import Library


def _listed(board: Any) -> dict[str, Any]:
    return {move.to_long_algebraic_notation(): move for move in generate_all_legal_moves(board)}


divide = Library(Board.from_fen, _listed, lambda board, move: board.make_move(move)).divide
