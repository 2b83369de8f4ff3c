"""What a move is to those who divide moves among lists: a capture, a promotion by push ..."""

from __future__ import annotations

from enum import Enum

from ....generator import validation
from ....generator.position import Position
from ....generator.types.pieces import Kind
from ....generator.types.squares import square_of
from ...model.conventions import CAPTURES, QUIETS, Convention


class Nature(Enum):
    """The natures of moves: a title for headings."""

    CAPTURE = "Capture"
    QUIET = "Move that captures nothing"
    EN_PASSANT = "En passant"
    CASTLING = "Castling"
    QUEEN_PUSH = "Promotion to a queen by push"
    QUEEN_CAPTURE = "Promotion to a queen by capture"
    UNDERPROMOTION_PUSH = "Underpromotion by push"
    UNDERPROMOTION_CAPTURE = "Underpromotion by capture"

    @property
    def slug(self) -> str:
        """A short name that stays the same, such as "en-passant"."""
        return self.name.lower().replace("_", "-")

    def home(self, convention: Convention) -> str:
        """Return the list that has such moves: "captures", "quiets" or "neither"."""
        if self is Nature.CAPTURE:
            return CAPTURES
        return QUIETS if self is Nature.QUIET else str(getattr(convention, self.name.lower()))


PROMOTIONS = frozenset(
    {Nature.QUEEN_PUSH, Nature.QUEEN_CAPTURE, Nature.UNDERPROMOTION_PUSH, Nature.UNDERPROMOTION_CAPTURE}
)


def nature_of(position: Position, text: str) -> Nature:
    """Return the nature of a move of a position, legal or not; castling is king takes rook (e1h1)."""
    origin, target = square_of(text[0:2]), square_of(text[2:4])
    own = position.pieces[position.turn]
    takes = validation.occupied_by(position.pieces, position.turn.other) >> target & 1
    if text[4:]:
        if text[4:] == Kind.QUEEN.letter:
            return Nature.QUEEN_CAPTURE if takes else Nature.QUEEN_PUSH
        return Nature.UNDERPROMOTION_CAPTURE if takes else Nature.UNDERPROMOTION_PUSH
    if own[Kind.KING] >> origin & own[Kind.ROOK] >> target & 1:
        return Nature.CASTLING
    if not takes and own[Kind.PAWN] >> origin & 1 and (origin - target) % 8:
        return Nature.EN_PASSANT
    return Nature.CAPTURE if takes else Nature.QUIET
