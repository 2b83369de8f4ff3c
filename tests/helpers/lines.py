"""Lines of play: read from a FEN and moves, seen by python-chess, counted by it."""

from __future__ import annotations

import chess
from perft_check.generator import Position, perft
from perft_check.generator.line import Line


def line_from(fen: str, *moves: str, chess960: bool = False) -> Line:
    """Return the line from a FEN by moves in UCI text."""
    return Line.from_uci(Position.from_fen(fen, chess960), " ".join(moves))


def board_of(line: Line) -> chess.Board:
    """Return the end of a line, as python-chess reaches it."""
    board = chess.Board(line.base.fen(), chess960=line.base.chess960)
    for text in line.uci_moves():
        board.push_uci(text)
    return board


def leaves(board: chess.Board, depth: int) -> int:
    """Return the number of leaf nodes, counted one by one."""
    if depth == 0:
        return 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += leaves(board, depth - 1)
        board.pop()
    return nodes


def epd(fen: str, *depths: int) -> str:
    """Return a line of a suite: a FEN with its counts, as our own generator has them."""
    position = Position.from_fen(fen)
    return f"{fen} {' '.join(f';D{depth} {perft(position, depth)}' for depth in depths)}\n"
