"""chessir of PyPI: `python:chessir_moves:divide`."""

from __future__ import annotations

from Chessir.game import Game
from walked import Library

divide = Library(
    Game, lambda game: {move: move for move in game.get_moves()}, lambda game, move: game.apply_move(move)
).divide
