"""The right generator: python-chess, behind hooks for everything that an engine does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import chess


@dataclass
class FaultTally:
    """Two counters, after the fuzzing benchmark Magma: the wrong code ran, and its answer was wrong."""

    reached: int = 0
    triggered: int = 0


class Crash(Exception):
    """The generator has crashed."""


class Hang(Exception):
    """The generator would never answer."""


class IllegalMove(Exception):
    """A move that the generator does not know in its position."""


class Generator:
    """The right generator; a fault overrides as few of its methods as possible.

    A fault calls `reached` where its wrong code runs. Moves that `keeps` refuses or `adds` yields
    count as reached without a call.
    """

    def __init__(self) -> None:
        self.tally = FaultTally()

    def note_reached(self) -> None:
        """Note that the wrong code runs."""
        self.tally.reached += 1

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        """Return the position of a FEN. Raises ValueError."""
        return chess.Board(fen, chess960=chess960)

    def set_up_start(self, chess960: bool) -> chess.Board:
        """Return the starting position, called by its name."""
        return self.set_up(chess.STARTING_FEN, chess960)

    def new_game(self) -> None:
        """Forget what is left of the game before: here, nothing is."""

    def game(self, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Return the position after `moves` from the starting position. Raises IllegalMove."""
        return self._play_all(self.set_up_start(chess960), moves)

    def line(self, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Return the position after `moves`, played as the generator plays. Raises ValueError, IllegalMove."""
        return self._play_all(self.set_up(fen, chess960), moves)

    def _play_all(self, board: chess.Board, moves: Iterable[str]) -> chess.Board:
        """Return a position after moves. Raises IllegalMove."""
        for text in moves:
            move = self.find(board, text)
            if move is None:
                raise IllegalMove(text)
            self.play(board, move)
        return board

    def find(self, board: chess.Board, text: str) -> chess.Move | None:
        """Return the move of a UCI text, or None where it is not generated."""
        return next((move for move in self.moves(board) if board.uci(move) == text), None)

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves of a position."""
        legal = list(board.legal_moves)
        moves = [move for move in legal if self.keeps(board, move)]
        added = list(self.adds(board))
        if added or len(moves) < len(legal):
            self.note_reached()
            moves += [move for move in dict.fromkeys(added) if move not in moves]
        return moves

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        """Tell whether a legal move is generated."""
        return True

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        """Yield further moves; legal moves among them are ignored."""
        return iter(())

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move."""
        board.push(move)

    def undo(self, board: chess.Board) -> None:
        """Unmake the last move."""
        board.pop()

    def fen(self, board: chess.Board) -> str:
        """Print a position."""
        return board.fen(shredder=board.chess960, en_passant="fen")

    def perft(self, board: chess.Board, depth: int) -> int:
        """Return the number of leaf nodes."""
        if depth == 0:
            return 1
        moves = self.moves(board)
        if depth == 1:
            return len(moves)
        count = 0
        for move in moves:
            self.play(board, move)
            count += self.perft(board, depth - 1)
            self.undo(board)
        return count

    def divide(self, board: chess.Board, depth: int) -> Iterator[tuple[str, int]]:
        """Yield the count below each root move, in the order of generation; a move listed twice comes twice."""
        for move in self.moves(board):
            text = board.uci(move)
            self.play(board, move)
            count = self.perft(board, depth - 1)
            self.undo(board)
            yield text, count
