"""The correct generator, which wraps python-chess in a method for each task of an engine.

The fault of a generator can be limited to one color or one wing, because many bugs of engines affect only one side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import chess


class Crash(Exception):
    """Raised when the generator crashes."""


class Hang(Exception):
    """Raised when the generator would hang."""


class IllegalMove(Exception):
    """Raised for a move that is not generated in the position."""


class Generator:
    """The correct generator; a fault overrides as few of its methods as possible."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        """Return the position of a FEN. Raises ValueError."""
        return chess.Board(fen, chess960=chess960)

    def set_up_start(self, chess960: bool) -> chess.Board:
        """Return the starting position, as for `position startpos`."""
        return self.set_up(chess.STARTING_FEN, chess960)

    def new_game(self) -> None:
        """Forget the previous game. The correct generator remembers nothing."""

    def game(self, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Return the position after `moves` from the starting position. Raises IllegalMove."""
        return self._play_all(self.set_up_start(chess960), moves)

    def line(self, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
        """Return the position after `moves` from a FEN. Raises ValueError, IllegalMove."""
        return self._play_all(self.set_up(fen, chess960), moves)

    def _play_all(self, board: chess.Board, moves: Iterable[str]) -> chess.Board:
        """Return the position after `moves`. Raises IllegalMove."""
        for text in moves:
            move = self.find(board, text)
            if move is None:
                raise IllegalMove(text)
            self.play(board, move)
        return board

    def find(self, board: chess.Board, text: str) -> chess.Move | None:
        """Return the move with UCI notation `text`, or None if it is not generated."""
        return next((move for move in self.moves(board) if board.uci(move) == text), None)

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves of a position."""
        kept = [move for move in board.legal_moves if self.keeps(board, move)]
        return kept + [move for move in dict.fromkeys(self.adds(board)) if move not in kept]

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        """Return True if a legal move is generated."""
        return True

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        """Yield extra moves; legal moves among them are ignored."""
        return iter(())

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move."""
        board.push(move)

    def undo(self, board: chess.Board) -> None:
        """Unmake the last move."""
        board.pop()

    def fen(self, board: chess.Board) -> str:
        """Return the FEN of a position."""
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
        """Yield the count below each root move in generation order; a duplicate move is yielded twice."""
        for move in self.moves(board):
            text = board.uci(move)
            self.play(board, move)
            count = self.perft(board, depth - 1)
            self.undo(board)
            yield text, count


@dataclass(frozen=True)
class Scope:
    """The scope of a fault: everything, one side to move, or moves to one half of the board."""

    color: bool | None = None
    """True for White, False for Black, None for both."""
    king_side: bool | None = None
    """True for moves to files e to h, False for moves to files a to d, None for all moves."""

    def __str__(self) -> str:
        if self.color is not None:
            return "for White only" if self.color else "for Black only"
        if self.king_side is not None:
            return "on the king-side only" if self.king_side else "on the queen-side only"
        return ""

    def has_color(self, color: bool) -> bool:
        """Return True if the fault occurs when `color` is to move."""
        return self.color in (None, color)

    def has_move(self, move: chess.Move) -> bool:
        """Return True if the destination of a move is in the half of the board that the fault affects."""
        return self.king_side is None or (chess.square_file(move.to_square) >= 4) is self.king_side


EVERYWHERE = Scope()
LIMITED = (*(Scope(color=color) for color in chess.COLORS), *(Scope(king_side=side) for side in (True, False)))


class _Limited(Generator):
    """Mix-in that precedes a faulty class in the bases, and limits the fault to a scope."""

    scope = EVERYWHERE

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the faulty generator's moves within the scope, and the legal moves outside it."""
        if not self.scope.has_color(board.turn):
            return list(board.legal_moves)
        moves = super().moves(board)
        if self.scope.king_side is None:
            return moves
        legal = list(board.legal_moves)
        kept = [move for move in moves if self.scope.has_move(move) or move in legal]
        return kept + [move for move in legal if not self.scope.has_move(move) and move not in kept]

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move. The fault applies only within the scope."""
        if self.scope.has_color(board.turn) and self.scope.has_move(move):
            super().play(board, move)
        else:
            board.push(move)

    def undo(self, board: chess.Board) -> None:
        """Unmake the last move. The fault applies only within the scope."""
        if self.scope.has_color(not board.turn) and self.scope.has_move(board.peek()):
            super().undo(board)
        else:
            board.pop()


def limit(seeded: type[Generator], scope: Scope) -> Generator:
    """Return a generator whose fault is limited to a scope."""
    if scope == EVERYWHERE:
        return seeded()
    made: type[Generator] = type(seeded.__name__, (_Limited, seeded), {"scope": scope})
    return made()
