"""MATEU of PyPI, which lists moves by python-chess and plays them itself: `python:mateu_moves:divide`."""

from __future__ import annotations

from MATEU import Chess, fromfen
from walked import Library

divide = Library(
    lambda fen: Chess(fromfen(fen)),
    lambda game: {move: move for move in game.legalMoves()},
    lambda game, move: game.push(move) and None,
).divide
