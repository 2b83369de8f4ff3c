"""Libraries of PyPI, each as a function that lists the moves of a FEN: `-e 'python[ENV/bin/python]:libraries:NAME'`."""

from __future__ import annotations


def pyffish(fen: str) -> list[str]:
    """List the moves by pyffish, Fairy-Stockfish as a library."""
    import pyffish

    moves: list[str] = pyffish.legal_moves("chess", fen, [])
    return moves


def chessnut(fen: str) -> list[str]:
    """List the moves by Chessnut."""
    from Chessnut import Game

    moves: list[str] = Game(fen).get_moves()
    return moves


def open_spiel(fen: str) -> list[str]:
    """List the moves by open-spiel."""
    import pyspiel

    state = pyspiel.load_game("chess").new_initial_state(fen)
    board = state.board()
    return [pyspiel.chess.action_to_move(action, board).to_lan() for action in state.legal_actions()]


def pychess_engine(fen: str, depth: int) -> int:
    """Count by pychess_engine, which counts to a global variable."""
    from pychess_engine import init, perft
    from pychess_engine.board import Board

    init.initialize()
    board = Board()
    board.parse_fen(fen)
    perft.leafNodes = 0
    perft.Perft(depth, board)
    return int(perft.leafNodes)
