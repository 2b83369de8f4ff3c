"""What all faulty move generators share: a right generator to spoil, and the description of a fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import chess

Kind = Literal["extra", "missing", "duplicate", "state"]


class Generator:
    """The moves and the play of python-chess; a fault overrides as little of it as it can."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves of this position."""
        moves = [move for move in board.legal_moves if self.keeps(board, move)]
        moves += [move for move in self.adds(board) if move not in moves]
        return moves

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        """Tell whether a legal move is generated."""
        return True

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        """Yield what is generated besides the legal moves; legal ones are no harm."""
        return iter(())

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move."""
        board.push(move)

    def undo(self, board: chess.Board) -> None:
        """Unmake the last move."""
        board.pop()


@dataclass(frozen=True)
class Fault:
    """One seeded bug, and where it shows."""

    name: str
    catalogue: tuple[str, ...]
    """The bugs of public engines that it stands for, by their numbers in the catalogue; none: a textbook fault."""
    story: str
    generator: type[Generator]
    fen: str
    """Where to start: what is wrong shows only two or more plies further down."""
    depth: int
    """Where the count from `fen` is already wrong."""
    chess960: bool
    kind: Kind
    rules: tuple[str, ...]
    """The rules that a diagnosis may name."""


def origin_of(move: chess.Move) -> int:
    return chess.BB_SQUARES[move.from_square]


def target_of(move: chess.Move) -> int:
    return chess.BB_SQUARES[move.to_square]


def pin_allows(board: chess.Board, move: chess.Move) -> bool:
    """Tell whether the moving piece is unpinned or stays on the line of its pin."""
    return bool(board.pin_mask(board.turn, move.from_square) & target_of(move))


def attackers_of_king(board: chess.Board, occupied: int, gone: int = 0) -> int:
    """Return who would attack the king of the side to move, were these squares occupied and those pieces gone."""
    king = board.king(board.turn)
    return 0 if king is None else board.attackers_mask(not board.turn, king, occupied) & ~gone


def pushed_pawn(board: chess.Board) -> int:
    """Return the square of the pawn that may be taken en passant; there must be one."""
    assert board.ep_square is not None, "asked only where there is an en passant square"
    return board.ep_square + (-8 if board.turn == chess.WHITE else 8)


def last_move_castled(board: chess.Board) -> bool:
    """Tell whether the opponent has just castled (standard chess)."""
    if not board.move_stack:
        return False
    move = board.move_stack[-1]
    files = chess.square_file(move.from_square) - chess.square_file(move.to_square)
    return board.piece_type_at(move.to_square) == chess.KING and abs(files) == 2


def remove(board: chess.Board, square: int) -> None:
    """Take a piece off the board; unlike Board's own method it keeps the moves played."""
    chess.BaseBoard.remove_piece_at(board, square)


def put(board: chess.Board, square: int, piece_type: int, colour: bool) -> None:
    """Put a piece on the board; unlike Board's own method it keeps the moves played."""
    chess.BaseBoard.set_piece_at(board, square, chess.Piece(piece_type, colour))
