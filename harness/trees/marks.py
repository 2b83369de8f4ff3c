"""What there is to see on a board: checks, pins, attacked squares, where a piece may go."""

from __future__ import annotations

from functools import lru_cache

from ...generator.position import Position
from ...generator.types.moves import Move
from ...generator.types.pieces import Color, Kind
from ...generator.types.squares import squares_in
from ...generator.validation import attackers_of, checkers_of


def checkers(position: Position) -> frozenset[int]:
    """Return the squares of the pieces that give check to the side to move."""
    return frozenset(squares_in(position.checkers))


@lru_cache(maxsize=64)
def pinned(position: Position) -> frozenset[int]:
    """Return the squares of the pieces of the side to move without which its king would stand in another check."""
    turn, found = position.turn, set()
    for kind in (Kind.PAWN, Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN):
        for square in squares_in(position.pieces[turn][kind]):
            bare = list(position.pieces[turn])
            bare[kind] ^= 1 << square
            sides = (tuple(bare), position.pieces[1]) if turn is Color.WHITE else (position.pieces[0], tuple(bare))
            if checkers_of(sides, turn) & ~position.checkers:
                found.add(square)
    return frozenset(found)


@lru_cache(maxsize=64)
def attacked(position: Position) -> frozenset[int]:
    """Return the squares that the side not to move attacks, the ones behind the king along a line included."""
    turn = position.turn
    without_king = list(position.pieces[turn])
    without_king[Kind.KING] = 0
    mine = tuple(without_king)
    sides = (mine, position.pieces[1]) if turn is Color.WHITE else (position.pieces[0], mine)
    return frozenset(square for square in range(64) if attackers_of(sides, square, turn.other))


def moves_from(position: Position, square: int) -> dict[int, list[Move]]:
    """Return the legal moves of the piece on a square, by the square where it lands; castling also by the rook's."""
    found: dict[int, list[Move]] = {}
    for move in position.legal_moves:
        if move.origin == square:
            for place in {move.landing, move.target}:
                found.setdefault(place, []).append(move)
    return found
