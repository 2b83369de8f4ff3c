"""schachbotmanager of PyPI: `python:sbm_moves:divide`."""

from __future__ import annotations

from sbm import Board
from walked import Library

divide = Library(
    Board.from_fen,
    lambda board: {move.uci(): move for move in board.legal_moves()},
    lambda board, move: board.make_move(move) and None,
).divide
