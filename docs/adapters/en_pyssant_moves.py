"""en-pyssant of PyPI: `python:en_pyssant_moves:divide`."""

from __future__ import annotations

from typing import Any

from en_pyssant import Game, Position
from walked import Library


def _uci(move: Any) -> str:
    return f"{move.origin}{move.destination}{move.promotion.value.lower() if move.promotion else ''}"


divide = Library(
    lambda fen: Game(Position.from_fen(fen)),
    lambda game: {_uci(move): move for move in game.moves()},
    lambda game, move: game.do_move(move, force=True) and None,
).divide
