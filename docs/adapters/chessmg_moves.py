"""chessmg of PyPI: `python:chessmg_moves:divide`."""

from __future__ import annotations

from chessmg.position import ChessPosition
from walked import Library

divide = Library(
    ChessPosition,
    lambda position: {move.uci: move for move in position.legal_moves()},
    lambda position, move: position.make_move(move),
).divide
