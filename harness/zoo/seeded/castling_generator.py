"""A correct castling generator with one method per condition, so that a fault can override a single one."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from .boards import CastlingSquares, back_rank_of, bits, castling_by, castling_of, put, remove
from .generator import Generator

EVERY_CASTLING = (
    "castling castling-rook-passes-attack castling-chess960-king-stays castling-chess960-rook-stays "
    "castling-chess960-overlap"
)
"""Rules that a correct explanation may name if all castling moves are missing."""


class CastlingGenerator(Generator):
    """Generates castling with one method per condition."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves of a position."""
        moves = [move for move in board.legal_moves if not board.is_castling(move)]
        for castling in self.castlings(board):
            if (
                self.is_free(board, castling)
                and not self.is_in_check(board, castling)
                and not self.passes_attack(board, castling)
                and not self.arrives_in_attack(board, castling)
            ):
                target = castling.rook if board.chess960 else castling.king_to
                moves.append(chess.Move(castling.king, target))
        return moves

    def castlings(self, board: chess.Board) -> Iterator[CastlingSquares]:
        """Yield the squares of each castling move for which the side to move has the right."""
        king = board.king(board.turn)
        backrank = back_rank_of(board)
        if king is not None and bits(king) & backrank:
            for rook in chess.scan_forward(self.rights(board) & backrank):
                yield castling_of(king, rook)

    def rights(self, board: chess.Board) -> int:
        """Return the rooks that may castle."""
        return board.clean_castling_rights()

    def is_free(self, board: chess.Board, castling: CastlingSquares) -> bool:
        """Return True if no other piece is on the path or destination of king and rook."""
        king, rook, king_to, rook_to = castling
        path = chess.between(king, king_to) | chess.between(rook, rook_to) | bits(king_to, rook_to)
        return not path & board.occupied & ~bits(king, rook)

    def is_in_check(self, board: chess.Board, castling: CastlingSquares) -> bool:
        """Return True if the king is in check."""
        return self.is_attacked(board, castling.king, board.occupied)

    def passes_attack(self, board: chess.Board, castling: CastlingSquares) -> bool:
        """Return True if the king passes an attacked square."""
        occupied = board.occupied & ~bits(castling.king)
        return any(self.is_attacked(board, square, occupied) for square in chess.scan_forward(self.path(castling)))

    def path(self, castling: CastlingSquares) -> int:
        """Return the squares between the king's origin and destination, which must not be attacked."""
        return castling.path

    def arrives_in_attack(self, board: chess.Board, castling: CastlingSquares) -> bool:
        """Return True if the king's destination is attacked after castling."""
        king, rook, king_to, rook_to = castling
        return self.is_attacked(board, king_to, board.occupied & ~bits(king, rook) | bits(rook_to))

    def is_attacked(self, board: chess.Board, square: int, occupied: int) -> bool:
        """Return True if the opponent attacks a square."""
        return bool(board.attackers_mask(not board.turn, square, occupied))


class CastlingMaker(Generator):
    """Makes castling moves; faults override which of them are made incorrectly, and how they change the board."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move."""
        castling, color = castling_by(board, move), board.turn
        board.push(move)
        if castling is not None and self.is_wrong(castling):
            self.spoil(board, castling, color)

    def is_wrong(self, castling: CastlingSquares) -> bool:
        """Return True if a castling move is made incorrectly."""
        return True

    def spoil(self, board: chess.Board, castling: CastlingSquares, color: bool) -> None:
        """Change the board after castling by `color`."""
        raise NotImplementedError


def move_castled(board: chess.Board, wrong: CastlingSquares, right: CastlingSquares, color: bool) -> None:
    """Move king and rook after castling to the squares of a different castling move."""
    remove(board, wrong.king_to)
    remove(board, wrong.rook_to)
    put(board, right.king_to, chess.KING, color)
    put(board, right.rook_to, chess.ROOK, color)
