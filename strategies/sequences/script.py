"""Scripts of sequences: their steps, and functions that put the pieces for them.

Scripts are written for White to move first, like positions of a `PositionBuilder`, and played for either color.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ...generator.types.pieces import Color, PieceType
from ..position_builder import PositionBuilder
from ..templates.chess960 import Condition, Geometry, geometries


@dataclass(frozen=True)
class Go:
    """A move between two squares; for castling the target is the square of the rook."""

    origin: int
    target: int
    promotion: PieceType | None = None


class Reply(Enum):
    """A move that depends on the moves before."""

    WAIT = "wait"
    """A quiet move of a piece that the script does not use; it ends no right and gives no check."""
    BACK = "back"
    """The piece that this side moved last moves back."""


WAIT, BACK = Reply.WAIT, Reply.BACK
Step = Go | Reply


@dataclass(frozen=True)
class Script:
    """The plies of a game, and a right or an en passant square that would allow another move at its end.

    The game is rejected if they would not allow another move.
    """

    steps: tuple[Step, ...]
    lost: int = 0
    """Rooks that could castle if their right had not ended, as a bitboard."""
    passed: int | None = None
    """The en passant square that would allow a capture if the double step had just been made."""


SequenceTemplate = Callable[[PositionBuilder], Script]
"""Puts the pieces that a script needs, and returns the script. Kings may be left out. Raises NoRoom."""


def go(builder: PositionBuilder, origin: int, target: int, promotion: PieceType | None = None) -> Go:
    """Return a move, and reserve its path and its target."""
    builder.keep_between(origin, target)
    builder.keep(target)
    return Go(origin, target, promotion)


def put_waiter(builder: PositionBuilder, color: Color) -> None:
    """Put a knight for waiting moves of a side whose king must not move."""
    builder.put(color, PieceType.KNIGHT)


class KingAndRook(NamedTuple):
    """The squares of a king and a rook before and after castling."""

    king: int
    rook: int
    king_to: int
    rook_to: int


def any_geometry(geometry: Geometry) -> bool:
    """Return True for all geometries."""
    return True


def put_king_and_rook(
    builder: PositionBuilder, color: Color, condition: Condition = any_geometry, *, has_right: bool = True
) -> KingAndRook:
    """Put a king and a rook with the right to castle, and nothing in their path.

    Without the right there is no rook, and its square stays empty. Raises NoRoom.
    """
    geometry = builder.choose(geometries(condition, chess960=builder.chess960))
    up = 8 * color.back_rank
    pair = KingAndRook(*(square + up for square in geometry))
    builder.may_mirror = False
    builder.place(color, PieceType.KING, pair.king)
    if has_right:
        put_rook(builder, color, pair.rook)
    builder.kept |= (geometry.path | 1 << geometry.rook) << up
    return pair


def put_rook(builder: PositionBuilder, color: Color, square: int) -> None:
    """Put a rook that may castle. Raises NoRoom."""
    builder.place(color, PieceType.ROOK, square)
    builder.castling |= 1 << square
