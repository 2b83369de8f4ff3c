"""The vocabulary of sequences: the steps of a script, and a king and rooks that may castle.

Scripts are written for White to move first, as scenes are, and played for either color.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ...generator.types.pieces import Color, Kind
from ..position_builder import PositionBuilder
from ..templates.chess960 import Condition, Geometry, geometries


@dataclass(frozen=True)
class Go:
    """A move between two squares; castling goes to the square of the rook."""

    origin: int
    target: int
    promotion: Kind | None = None


class Reply(Enum):
    """A move that depends on what was played before."""

    WAIT = "wait"
    """Some piece moves that has no part in the script; nothing is taken, no right is lost, no check given."""
    BACK = "back"
    """The piece that this side has moved last goes back."""


WAIT, BACK = Reply.WAIT, Reply.BACK
Step = Go | Reply


@dataclass(frozen=True)
class Script:
    """The plies of a line, and a right or an en passant square that would allow a move at its end, were it still there.

    A line is refused if they would give the side to move no further move.
    """

    steps: tuple[Step, ...]
    lost: int = 0
    """Rooks that might castle if their right had not ended, as a bitboard."""
    passed: int | None = None
    """The square where a pawn might be taken if it had just come two squares."""


SequenceTemplate = Callable[[PositionBuilder], Script]
"""Puts on a builder what a script needs, and returns the script. Kings may be left out. Raises NoRoom."""


def go(builder: PositionBuilder, origin: int, target: int, promotion: Kind | None = None) -> Go:
    """Return a move, and let the squares on its way and the one where it ends stay empty until then."""
    builder.keep_between(origin, target)
    builder.keep(target)
    return Go(origin, target, promotion)


def put_waiter(builder: PositionBuilder, color: Color) -> None:
    """Put a knight that can wait, for a side whose king must stay where it is."""
    builder.put(color, Kind.KNIGHT)


class Men(NamedTuple):
    """The squares of a king and of a rook, and of both after castling."""

    king: int
    rook: int
    king_to: int
    rook_to: int


def any_geometry(geometry: Geometry) -> bool:
    """Take every way to castle."""
    return True


def put_pieces(
    builder: PositionBuilder, color: Color, condition: Condition = any_geometry, *, has_right: bool = True
) -> Men:
    """Put a king and a rook with the right to castle, and nothing in their way.

    Without the right the rook is left out: the square where it would stand stays empty. Raises NoRoom.
    """
    geometry = builder.choose(geometries(condition, chess960=builder.chess960))
    up = 8 * color.back_rank
    men = Men(*(square + up for square in geometry))
    builder.may_mirror = False
    builder.place(color, Kind.KING, men.king)
    if has_right:
        put_rook(builder, color, men.rook)
    builder.kept |= (geometry.way | 1 << geometry.rook) << up
    return men


def put_rook(builder: PositionBuilder, color: Color, square: int) -> None:
    """Put a rook that may castle. Raises NoRoom."""
    builder.place(color, Kind.ROOK, square)
    builder.castling |= 1 << square
