"""turbo-ajedrez of PyPI: `python:turbo_moves:divide`."""

from __future__ import annotations

from turbo_ajedrez.turbo_ajedrez import Game
from walked import Library

divide = Library(
    Game.from_fen,
    lambda game: {move.lower(): after for move, after in game.available_moves()},
    lambda game, after: after,
).divide
