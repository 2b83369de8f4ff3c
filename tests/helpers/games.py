"""Games and cases with their counts, and the same with python-chess."""

from __future__ import annotations

import chess
from perft_check.generator import Position, perft
from perft_check.generator.game import Game
from perft_check.suites.case import Case

ATTACKED = (
    "5rk1/8/8/8/8/8/8/R3K2R w K - 1 3",
    "4k2r/8/8/8/8/8/3K4/r4R2 b k - 1 2",
    "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "5rk1/8/8/8/8/8/P7/4K2R w K - 0 1",
    "4k2r/8/8/8/8/8/8/K4R2 b k - 0 1",
)
"""Positions in which a rook attacks the castling path of the king, so that castling is an extra move."""


def game_from(fen: str, *moves: str, chess960: bool = False) -> Game:
    """Return the game from a FEN with moves in UCI notation."""
    return Game.from_uci(Position.from_fen(fen, chess960), " ".join(moves))


def board_of(game: Game) -> chess.Board:
    """Return the final position of a game, played by python-chess."""
    board = chess.Board(game.base.fen(), chess960=game.base.chess960)
    for text in game.uci_moves():
        board.push_uci(text)
    return board


def leaves(board: chess.Board, depth: int) -> int:
    """Return the number of leaf nodes, without bulk counting."""
    if depth == 0:
        return 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += leaves(board, depth - 1)
        board.pop()
    return nodes


def case(name: str, fen: str, *depths: int) -> Case:
    """Return a case of a suite with the counts of perft-check's generator, by default at depth 1."""
    position = Position.from_fen(fen)
    return Case(name, position, tuple((depth, perft(position, depth)) for depth in depths or (1,)), f"made.epd:{name}")


def epd(fen: str, *depths: int) -> str:
    """Return a line of a suite: a FEN with the counts of perft-check's generator."""
    position = Position.from_fen(fen)
    return f"{fen} {' '.join(f';D{depth} {perft(position, depth)}' for depth in depths)}\n"
