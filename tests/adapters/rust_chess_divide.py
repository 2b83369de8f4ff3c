"""The Rust crate `chess` through its Python binding (PyPI `rust-chess`), as an engine of ours."""

from __future__ import annotations

import rust_chess


def divide(fen: str, depth: int, moves: list[str]) -> list[tuple[str, int]]:
    """Return the divide of a position of standard chess."""
    board = rust_chess.Board(fen)
    for text in moves:
        board = next(board.make_move_new(move) for move in board.generate_legal_moves() if str(move) == text)
    pairs = [(str(move), board.make_move_new(move)) for move in board.generate_legal_moves()]
    return [(text, _count(child, depth - 1)) for text, child in pairs]


def _count(board: rust_chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    moves = list(board.generate_legal_moves())
    if depth == 1:
        return len(moves)
    return sum(_count(board.make_move_new(move), depth - 1) for move in moves)
