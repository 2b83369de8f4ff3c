"""bit-chess-python of PyPI: `python:bit_chess:divide`."""

from __future__ import annotations

from typing import Any

from src.Core.Board import Board
from src.Core.MoveGeneration import MoveGeneration
from src.Core.PrecomputedAttacks import PrecomputedAttacks
from walked import Library

ATTACKS = PrecomputedAttacks()


def _uci(move: Any) -> str:
    squares = "".join("abcdefgh"[index % 8] + str(index // 8 + 1) for index in (move.start_index, move.target_index))
    return squares + (str(move.promoted_piece).lower()[-1] if move.is_promotion else "")


def _listed(board: Any) -> dict[str, Any]:
    return {_uci(move): move for move in MoveGeneration(board, ATTACKS).generate_moves(board)}


divide = Library(Board, _listed, lambda board, move: board.make_move(move)).divide
