"""A king and rooks that may castle, in standard chess where they are at home, in Chess960 anywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from ...generator.types.pieces import Color, Kind
from ...generator.types.squares import squares_in
from ..scene import PiecePlacement
from ..templates.chess960 import GEOMETRIES, Geometry

Condition = Callable[[Geometry], bool]


class Men(NamedTuple):
    """The squares of a king and of a rook, and of both after castling."""

    king: int
    rook: int
    king_to: int
    rook_to: int


def any_geometry(geometry: Geometry) -> bool:
    """Take every way to castle."""
    return True


def put_men(scene: PiecePlacement, color: Color, condition: Condition = any_geometry, *, has_right: bool = True) -> Men:
    """Put a king and a rook with the right to castle, and nothing in their way.

    Without the right the rook is left out: the square where it would stand stays empty. Raises NoRoom.
    """
    geometry = scene.choose(_geometries(condition, scene.chess960))
    up = 8 * color.back_rank
    men = Men(*(square + up for square in geometry))
    scene.may_mirror = False
    scene.place(color, Kind.KING, men.king)
    if has_right:
        put_rook(scene, color, men.rook)
    scene.keep(*squares_in((geometry.way | 1 << geometry.rook) << up))
    return men


def put_rook(scene: PiecePlacement, color: Color, square: int) -> None:
    """Put a rook that may castle. Raises NoRoom."""
    scene.place(color, Kind.ROOK, square)
    scene.castling |= 1 << square


@cache
def _geometries(condition: Condition, chess960: bool) -> tuple[Geometry, ...]:
    return tuple(one for one in GEOMETRIES if condition(one) and (chess960 or (one.king == 4 and one.rook in (0, 7))))
