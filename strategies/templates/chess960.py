"""Templates for Chess960 castling: the squares of king and rook that an event requires, and other pieces."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from ...generator.events import Event
from ...generator.reachability.attacks import between
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import squares_in
from ..placements import put_castling_pieces
from ..position_builder import ALL_BUT_KING, CORNERS, OFFICERS, RANKS, THEM, US, PositionBuilder, Template, bits
from .castling import KINGSIDE, QUEENSIDE

_HOME = 4


class Geometry(NamedTuple):
    """The squares of White's king and rook before and after castling; on the first rank, squares equal files."""

    king: int
    rook: int
    king_to: int
    rook_to: int

    @property
    def passed(self) -> int:
        """The squares between the king's origin and destination."""
        return between(self.king, self.king_to)

    @property
    def path(self) -> int:
        """The squares that must be empty, except for king and rook."""
        ends = 1 << self.king_to | 1 << self.rook_to
        own = 1 << self.king | 1 << self.rook
        return (self.passed | between(self.rook, self.rook_to) | ends) & ~own


GEOMETRIES = tuple(
    Geometry(king, rook, wing.king_to, wing.rook_to)
    for king in range(1, 7)
    for rook in range(8)
    if rook != king
    for wing in [KINGSIDE if rook > king else QUEENSIDE]
)
"""All geometries; the king is on files b to g, because it starts between its rooks."""

Condition = Callable[[Geometry], bool]


@cache
def geometries(condition: Condition, *, chess960: bool = True) -> tuple[Geometry, ...]:
    """Return the geometries that meet a condition; unless `chess960`, only those of standard chess."""
    return tuple(one for one in GEOMETRIES if condition(one) and (chess960 or not is_peculiar(one)))


def _put(builder: PositionBuilder, geometry: Geometry) -> Geometry:
    """Put White's king and rook, with the right to castle and nothing in their path."""
    builder.place(US, PieceType.KING, geometry.king)
    builder.place(US, PieceType.ROOK, geometry.rook)
    builder.kept |= geometry.path
    builder.castling |= 1 << geometry.rook
    return geometry


def _castles(builder: PositionBuilder, condition: Condition) -> Geometry:
    return _put(builder, builder.choose(geometries(condition)))


def _castling(condition: Condition) -> Template:
    """Return a template for castling with a geometry that meets a condition."""
    return partial(_castles, condition=condition)


def is_peculiar(geometry: Geometry) -> bool:
    """Return True if the geometry does not occur in standard chess."""
    return geometry.king != _HOME or geometry.rook not in (0, 7)


def _is_long(geometry: Geometry) -> bool:
    """Return True if the king moves at least three squares."""
    return abs(geometry.king - geometry.king_to) >= 3


def _uncovers(geometry: Geometry) -> bool:
    """Return True if the rook shields the king's destination from a1, and does not stand on it."""
    return geometry.rook == 1 and geometry.king > 1


def _is_step(geometry: Geometry) -> bool:
    return abs(geometry.king - geometry.king_to) == 1 and geometry.king_to != geometry.rook


def _has_room_outside(geometry: Geometry) -> bool:
    return bool(_outside(geometry) & ~geometry.path)


def _outside(geometry: Geometry) -> int:
    """Return the squares of the back rank beyond the rook, seen from the king."""
    below = (1 << geometry.rook) - 1
    return below if geometry.rook < geometry.king else RANKS[0] & ~(2 * below + 1)


def _gives_check(builder: PositionBuilder) -> None:
    geometry = _castles(builder, is_peculiar)
    king = builder.put(THEM, PieceType.KING, builder.reach(geometry.rook_to, (0, 1)))
    builder.keep_between(king, geometry.rook_to)


def _rook_uncovers(builder: PositionBuilder) -> None:
    geometry = _castles(builder, _uncovers)
    slider = builder.put(THEM, builder.choose((PieceType.ROOK, PieceType.QUEEN)), _outside(geometry))
    builder.keep_between(slider, geometry.rook)


def _block_by_other_rook(builder: PositionBuilder) -> None:
    """The rook of the other wing stands in the path of king or rook."""
    pairs = _blocking_pairs()
    geometry, other = builder.choose(pairs)
    builder.place(US, PieceType.ROOK, other)
    builder.castling |= 1 << other
    _put(builder, geometry)


@cache
def _blocking_pairs() -> tuple[tuple[Geometry, int], ...]:
    return tuple(
        (geometry, other)
        for geometry in GEOMETRIES
        for other in range(8)
        if geometry.path >> other & 1 and (other > geometry.king) != (geometry.rook > geometry.king)
    )


def _rook_outside(builder: PositionBuilder, color: Color) -> None:
    """A rook of either side stands beyond the one that may castle."""
    geometry = _castles(builder, _has_room_outside)
    builder.put(color, PieceType.ROOK, _outside(geometry))


def _loses_rook_off_corner(builder: PositionBuilder) -> None:
    put_castling_pieces(builder, THEM)
    rook = builder.choose(squares_in(builder.castling & ~CORNERS))
    builder.put_attacker(US, rook, (builder.choose(OFFICERS),))
    builder.put_last_mover()


def _long_path_attacked(builder: PositionBuilder) -> None:
    """A square that the king passes is attacked, but its origin is not."""
    geometry = _castles(builder, _is_long)
    target = builder.choose(squares_in(geometry.passed & geometry.path))
    builder.put_attacker(THEM, target, (builder.choose(ALL_BUT_KING),), among=~RANKS[0], spare=bits((geometry.king,)))


TEMPLATES: dict[Event, Template] = {
    Event.F_KING_STAYS: _castling(lambda one: one.king == one.king_to),
    Event.F_ROOK_STAYS: _castling(lambda one: one.rook == one.rook_to),
    Event.F_SWAP: _castling(lambda one: (one.king_to, one.rook_to) == (one.rook, one.king)),
    Event.F_KING_TO_ROOKSQ: _castling(lambda one: one.king_to == one.rook),
    Event.F_ROOK_TO_KINGSQ: _castling(lambda one: one.rook_to == one.king),
    Event.F_OOO_KING_GOES_RIGHT: _castling(lambda one: one.rook < one.king < one.king_to),
    Event.F_ROOK_UNCOVERS_CHECK_ILLEGAL: _rook_uncovers,
    Event.F_BLOCKED_ONLY_BY_OTHER_OWN_ROOK: _block_by_other_rook,
    Event.F_ENEMY_ROOK_OUTSIDE: partial(_rook_outside, color=THEM),
    Event.F_OWN_ROOK_OUTSIDE: partial(_rook_outside, color=US),
    Event.F_GIVES_CHECK: _gives_check,
    Event.F_KING_FILE_NOT_E_CASTLE: _castling(lambda one: one.king != _HOME),
    Event.F_RIGHT_LOST_ROOK_NONCORNER: _loses_rook_off_corner,
    Event.F_LONG_PATH_ATTACKED: _long_path_attacked,
    Event.F_LONG_KING_PATH_GE3_LEGAL: _castling(_is_long),
    Event.F_KINGSTEP_COLLIDES_WITH_CASTLE_UCI: _castling(_is_step),
}
