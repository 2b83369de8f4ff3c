"""Attacks on bitboards that are plain ints, for code that needs few of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ..kernels import geometry
from ..kernels.geometry import BISHOP_DIRECTIONS, KING_STEPS, KNIGHT_STEPS, ROOK_DIRECTIONS, Direction
from ..types.pieces import Color, PieceType
from ..types.squares import squares_in

DIRECTIONS: dict[PieceType, tuple[Direction, ...]] = {
    PieceType.BISHOP: BISHOP_DIRECTIONS,
    PieceType.ROOK: ROOK_DIRECTIONS,
    PieceType.QUEEN: KING_STEPS,
}
"""The directions of each sliding piece."""

between = cache(geometry.between)
line = cache(geometry.line)


@cache
def leaps(color: Color, kind: PieceType, square: int) -> int:
    """Return the squares that a pawn of `color`, a knight or a king attacks from `square`."""
    up = 1 if color is Color.WHITE else -1
    steps = {PieceType.PAWN: ((-1, up), (1, up)), PieceType.KNIGHT: KNIGHT_STEPS, PieceType.KING: KING_STEPS}
    return geometry.leaper_attacks(square, steps[kind])


def attacks(color: Color, kind: PieceType, square: int, occupied: int) -> int:
    """Return the squares that a piece attacks from `square`."""
    directions = DIRECTIONS.get(kind)
    return leaps(color, kind, square) if directions is None else geometry.slider_attacks(square, directions, occupied)


def origins(color: Color, kind: PieceType, target: int, occupied: int) -> int:
    """Return the squares from which a piece of `color` attacks `target`."""
    return attacks(color.other, kind, target, occupied)


def attack_map(color: Color, pieces: Sequence[int], occupied: int) -> int:
    """Return all squares that one side attacks; `pieces` are its bitboards by type."""
    attacked = 0
    for kind in PieceType:
        for square in squares_in(pieces[kind]):
            attacked |= attacks(color, kind, square, occupied)
    return attacked
