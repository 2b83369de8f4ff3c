"""anima-chess of PyPI: `python:anima_moves:divide`."""

from __future__ import annotations

from anima_chess import Board
from walked import Library

divide = Library(
    Board, lambda board: {str(move): move for move in board.legal_moves}, lambda board, move: board.push(move)
).divide
