"""The neighbors of a position: valid positions that differ from it in one respect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, zip_longest

from ...generator.game import Game
from ...generator.position import Position
from ...generator.symmetry import flip_colors
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import squares_in
from .candidates import is_sound, pieces_of, with_piece_moved, without_pieces


def neighbors_of(position: Position, most: int) -> list[Position]:
    """Return up to `most` neighbors: with other colors, without a right, without a piece, or with one piece moved.

    They are as plausible as the position. The pieces are moved in turn, each first to the squares nearest to its own.
    """
    game = Game(position)
    distinct = dict.fromkeys(_changes(position))
    distinct.pop(position, None)
    return list(islice((one for one in distinct if is_sound(Game(one), like=game)), most))


def _changes(position: Position) -> Iterator[Position]:
    yield flip_colors(position)
    yield replace(position, turn=position.turn.other, en_passant=None)
    if position.en_passant is not None:
        yield replace(position, en_passant=None)
    for rook in squares_in(position.castling):
        yield replace(position, castling=position.castling ^ 1 << rook)
    yield replace(position, castling=0)
    yield replace(position, halfmove=0, fullmove=1)
    for piece in pieces_of(position):
        if piece[1] is not PieceType.KING:
            yield without_pieces(position, [piece])
    for moved in zip_longest(*(_with_piece_elsewhere(position, piece) for piece in pieces_of(position))):
        yield from (one for one in moved if one is not None)


def _with_piece_elsewhere(position: Position, piece: tuple[Color, PieceType, int]) -> Iterator[Position]:
    """Yield the positions with a piece on each empty square, the nearest first."""
    _, kind, square = piece
    empty = squares_in(~position.occupied & (1 << 64) - 1)
    for target in sorted(empty, key=lambda one: _distance(one, square)):
        yield with_piece_moved(position, piece, kind, target)


def _distance(one: int, other: int) -> int:
    """Return the number of king moves between two squares."""
    return max(abs(one % 8 - other % 8), abs(one // 8 - other // 8))
