"""Limit a fault to one color or one wing, because many bugs of engines affect only one side."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from .seeded.generator import Generator


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
            return self.legal_moves(board)
        moves = super().moves(board)
        if self.scope.king_side is None:
            return moves
        legal = self.legal_moves(board)
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
