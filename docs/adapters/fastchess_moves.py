"""fastchess of PyPI: `python:fastchess_moves:divide`."""

from __future__ import annotations

from fastchess import Board
from walked import Library

divide = Library(
    Board,
    lambda board: {move: move for move in board.legal_moves_uci()},
    lambda board, move: board.push_uci(move) and None,
).divide
