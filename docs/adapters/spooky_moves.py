"""spooky-chess of PyPI: `python:spooky_moves:divide`."""

from __future__ import annotations

from spooky_chess import Game
from walked import Library

divide = Library(
    lambda fen: Game(8, 8, fen, True),
    lambda game: {game.move_to_lan(move): move for move in game.legal_moves()},
    lambda game, move: game.make_move(move) and None,
).divide
