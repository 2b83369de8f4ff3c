"""Scripts of sequences: their steps, and functions that put the required pieces.

Scripts are written for White to move first, like positions of a `PositionBuilder`, and are played for either color.
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
    """A move between two squares; for castling, the target is the rook's square."""

    origin: int
    target: int
    promotion: PieceType | None = None


class Reply(Enum):
    """A move that depends on the preceding moves."""

    WAIT = "wait"
    """A quiet move of a piece that the script does not use. It neither ends a castling right nor gives check."""
    BACK = "back"
    """The piece that this side moved last returns to its previous square."""


WAIT, BACK = Reply.WAIT, Reply.BACK
Step = Go | Reply


@dataclass(frozen=True)
class Script:
    """The plies of a game, and the lost rights or en passant square that would allow another move at its end.

    The game is rejected if they would not allow another move.
    """

    steps: tuple[Step, ...]
    lost: int = 0
    """Bitboard of the rooks that could castle if their rights had not ended."""
    passed: int | None = None
    """The square that would allow an en passant capture if the double step had just been made."""


SequenceTemplate = Callable[[PositionBuilder], Script]
"""A function that puts the pieces for a script and returns it. Kings may be left out. Raises NoRoom."""


def go(builder: PositionBuilder, origin: int, target: int, promotion: PieceType | None = None) -> Go:
    """Return a move, and reserve its path and target."""
    builder.keep_between(origin, target)
    builder.keep(target)
    return Go(origin, target, promotion)


def put_waiter(builder: PositionBuilder, color: Color) -> None:
    """Put a knight that can make waiting moves, for a side whose king must not move."""
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
    """Put a king and a rook with the right to castle, with nothing in their path.

    Unless `has_right`, the rook is left out and its square reserved. Raises NoRoom.
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
