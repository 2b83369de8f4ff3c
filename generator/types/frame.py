"""Conversion between public positions, from White's view, and the kernels' boards, from the side to move's view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .moves import Move
from .pieces import Color, Pieces, PieceType

if TYPE_CHECKING:
    from ..kernels.board import Board


class HasBoard(Protocol):
    """The attributes of `Position` that kernels need."""

    @property
    def board(self) -> Board:
        """The position from the side to move's view."""

    @property
    def turn(self) -> Color:
        """The side to move."""


_FILE_A, _FILE_H = 0x0101010101010101, 0x8080808080808080
_RANKS = 0b111000_111000


def mirror(bitboard: int) -> int:
    """Return a bitboard with its ranks in reverse order."""
    return int.from_bytes(bitboard.to_bytes(8, "little"), "big")


def seen_by(bitboard: int, turn: Color) -> int:
    """Convert a bitboard between White's view and that of `turn`."""
    return bitboard if turn is Color.WHITE else mirror(bitboard)


def flip_move(move: int, turn: Color) -> Move:
    """Convert a move of `turn` between its own view and White's view."""
    return Move(move if turn is Color.WHITE else move ^ _RANKS)


def to_board(pieces: Pieces, turn: Color, castling: int, en_passant: int | None) -> Board:
    """Return the kernels' board. The en passant square is set only if a pawn attacks it."""
    import numpy as np

    from ..kernels.board import Board

    words = [seen_by(word, turn) for color in (turn, turn.other) for word in _slider_words(pieces[color])]
    target = 0 if en_passant is None else seen_by(1 << en_passant, turn)
    takers = (target & ~_FILE_A) >> 9 | (target & ~_FILE_H) >> 7
    words += [target if takers & words[0] else 0, seen_by(castling, turn)]
    return Board(*map(np.uint64, words))


def _slider_words(own: tuple[int, ...]) -> list[int]:
    queens = own[PieceType.QUEEN]
    return [
        own[PieceType.PAWN],
        own[PieceType.KNIGHT],
        own[PieceType.BISHOP] | queens,
        own[PieceType.ROOK] | queens,
        own[PieceType.KING],
    ]


def pieces_of(board: Board, turn: Color) -> Pieces:
    """Return the pieces of a kernel board with `turn` to move."""
    words = [seen_by(int(word), turn) for word in board]
    sides = [_kinds(words[0:5]), _kinds(words[5:10])]
    return (sides[0], sides[1]) if turn is Color.WHITE else (sides[1], sides[0])


def _kinds(words: list[int]) -> tuple[int, ...]:
    pawns, knights, diagonals, orthogonals, king = words
    queens = diagonals & orthogonals
    return pawns, knights, diagonals ^ queens, orthogonals ^ queens, queens, king
