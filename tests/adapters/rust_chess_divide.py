"""The Rust crate `chess` through its Python binding (PyPI `rust-chess`), as an engine of ours."""

from __future__ import annotations

from typing import Any

import rust_chess

Board: Any = rust_chess.Board  # its own hints say that listed moves may be None


def divide(fen: str, depth: int, moves: list[str]) -> list[tuple[str, int]]:
    """Return the divide of a position of standard chess."""
    board = Board(fen)
    for text in moves:
        board = next(board.make_move_new(move) for move in board.generate_legal_moves() if str(move) == text)
    pairs = [(str(move), board.make_move_new(move)) for move in board.generate_legal_moves()]
    return [(text, _count(child, depth - 1)) for text, child in pairs]


def _count(board: Any, depth: int) -> int:
    if depth == 0:
        return 1
    moves = list(board.generate_legal_moves())
    if depth == 1:
        return len(moves)
    return sum(_count(board.make_move_new(move), depth - 1) for move in moves)
