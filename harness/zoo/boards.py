"""Helper functions for python-chess boards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import chess


def bits(*squares: int) -> int:
    """Return the bitboard of some squares."""
    return sum(chess.BB_SQUARES[square] for square in {*squares})


def origin_of(move: chess.Move) -> int:
    """Return the origin of a move as a bitboard."""
    return chess.BB_SQUARES[move.from_square]


def target_of(move: chess.Move) -> int:
    """Return the target of a move as a bitboard."""
    return chess.BB_SQUARES[move.to_square]


def forward_of(board: chess.Board) -> int:
    """Return the offset of a pawn push of the side to move: 8 or -8."""
    return 8 if board.turn == chess.WHITE else -8


def back_rank_of(board: chess.Board) -> int:
    """Return the first rank of the side to move."""
    return chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8


def own_pawns(board: chess.Board) -> Iterator[int]:
    """Yield the squares of the pawns of the side to move."""
    return chess.scan_forward(board.pawns & board.occupied_co[board.turn])


def is_free(board: chess.Board, square: int) -> bool:
    """Return True if a square is empty."""
    return not board.occupied & chess.BB_SQUARES[square]


def pin_allows(board: chess.Board, move: chess.Move) -> bool:
    """Return True if the moving piece is not pinned or stays on the line of its pin."""
    return bool(board.pin_mask(board.turn, move.from_square) & target_of(move))


def attackers_of_king(board: chess.Board, occupied: int, gone: int = 0) -> int:
    """Return the attackers of the king of the side to move for an occupancy, except for the pieces in `gone`."""
    king = board.king(board.turn)
    return 0 if king is None else board.attackers_mask(not board.turn, king, occupied) & ~gone


def pushed_pawn(board: chess.Board) -> int:
    """Return the square of the pawn that has just made a double step; there must be an en passant square."""
    assert board.ep_square is not None, "there must be an en passant square"
    return board.ep_square - forward_of(board)


def is_en_passant_of_no_use(board: chess.Board) -> bool:
    """Return True if the side to move has pawns, but none of them can capture on the en passant square.

    The pawns are required because an engine that refuses all unusable en passant squares has a limit, not a fault.
    """
    return board.ep_square is not None and bool(list(own_pawns(board))) and not board.has_pseudo_legal_en_passant()


def remove(board: chess.Board, square: int) -> None:
    """Remove a piece from the board; unlike the `Board` method, this keeps the move stack."""
    chess.BaseBoard.remove_piece_at(board, square)


def put(board: chess.Board, square: int, piece_type: int, color: bool) -> None:
    """Put a piece on the board; unlike the `Board` method, this keeps the move stack."""
    chess.BaseBoard.set_piece_at(board, square, chess.Piece(piece_type, color))


class CastlingSquares(NamedTuple):
    """The squares of king and rook before and after castling."""

    king: int
    rook: int
    king_to: int
    rook_to: int

    @property
    def a_side(self) -> bool:
        """Whether this is queenside castling (a-side in Chess960)."""
        return self.rook < self.king

    @property
    def path(self) -> int:
        """The squares between the king's origin and destination."""
        return chess.between(self.king, self.king_to)


def castling_of(king: int, rook: int) -> CastlingSquares:
    """Return the castling squares for a king and a rook on the same rank."""
    rank = chess.square_rank(king)
    king_file, rook_file = (2, 3) if rook < king else (6, 5)
    return CastlingSquares(king, rook, chess.square(king_file, rank), chess.square(rook_file, rank))


def castling_by(board: chess.Board, move: chess.Move) -> CastlingSquares | None:
    """Return the squares of a castling move, or None for other moves."""
    if not board.is_castling(move):
        return None
    rook = move.to_square
    if not board.rooks & board.occupied_co[board.turn] & chess.BB_SQUARES[rook]:
        rook = move.from_square + (3 if move.to_square > move.from_square else -4)
    return castling_of(move.from_square, rook)


def last_move_castled(board: chess.Board) -> bool:
    """Return True if the opponent has just castled."""
    if not board.move_stack:
        return False
    last = board.pop()
    castled = board.is_castling(last)
    board.push(last)
    return castled
