"""python-chess (PyPI `chess`) as an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....generator.game import Game
from ....generator.position_setup import PositionSetup, fen_of
from ..base import Divide, EngineRejection
from ..call import EngineCall
from ..engine import InProcessEngine

if TYPE_CHECKING:
    import chess


class PythonChessEngine(InProcessEngine):
    """An independent reference, which is slow but correct."""

    name = "python-chess"
    is_slow = True

    def start(self, call: EngineCall) -> None:
        """Import the library, so that the first question does not have to wait for it."""
        import chess  # noqa: F401

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        """Return the number of leaf nodes. The speed is about a million per second."""
        return 1 if depth == 0 else count_leaves(_board(game), depth, call)

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the number of leaf nodes below each root move."""
        board = _board(game)
        pairs = []
        for move in list(board.legal_moves):
            text = board.uci(move)
            board.push(move)
            pairs.append((text, 1 if depth == 1 else count_leaves(board, depth - 1, call)))
            board.pop()
            if call.should_end:
                break
            call.found(*pairs[-1])
        return Divide.of(pairs)

    def fen(self, game: Game, call: EngineCall) -> str | None:
        """Return the FEN after playing the moves with python-chess."""
        return _board(game).fen(en_passant="fen")


def _board(game: Game) -> chess.Board:
    """Return the position as a board in Chess960 mode, which always writes castling as king takes rook."""
    import chess

    try:
        fen = fen_of(game) if isinstance(game, PositionSetup) else game.base.fen(castling="shredder")
        board = chess.Board(fen, chess960=True)
    except ValueError as error:
        raise EngineRejection(f"python-chess refuses the position: {error}") from None
    for move in game.moves:
        board.push_uci(move.uci(chess960=True))
    return board


def count_leaves(board: chess.Board, depth: int, call: EngineCall) -> int:
    """Return the number of leaf nodes. `depth` is at least 1. The count is incomplete if the call was stopped."""
    if depth == 1:
        count = board.legal_moves.count()
        call.add(count)
        return count
    count = 0
    for move in board.generate_legal_moves():
        if call.should_end:
            break
        board.push(move)
        count += count_leaves(board, depth - 1, call)
        board.pop()
    return count
