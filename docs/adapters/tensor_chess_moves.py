"""tensor-chess of PyPI: `python:tensor_chess_moves:divide`."""

from __future__ import annotations

from typing import Any

from tensor_chess import Position
from walked import Library

NO_PROMOTION = 6


def _opened(fen: str) -> Any:
    position = Position()
    position.set_fen(fen)
    return position


def _uci(move: tuple[int, int, int, int]) -> str:
    origin, target, _, promotion = move
    squares = "".join("abcdefgh"[square % 8] + str(square // 8 + 1) for square in (origin, target))
    return squares + ("" if promotion == NO_PROMOTION else "pnbrqk"[promotion])


divide = Library(
    _opened,
    lambda position: {_uci(move): _uci(move) for move in position.generate_legal_moves()},
    lambda position, move: position.push(move) and None,
).divide
