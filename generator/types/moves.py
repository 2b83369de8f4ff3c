"""The vocabulary of moves: GenTypes, the 16-bit move, the move with an ordering value."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from .pieces import PieceType
from .squares import name_of


class GenType(IntEnum):
    """A category of moves, as a search asks for them.

    All but LEGAL are pseudo-legal: right but for the safety of the own king; castling is always
    wholly legal. EVASIONS may be asked for only in check, LEGAL always, the others only out of check.
    """

    CAPTURES = 0
    """Captures, en passant included; of promotions exactly those to a queen, by capture or push."""
    QUIETS = 1
    """Everything that is not among CAPTURES: non-captures, castling, all underpromotions."""
    QUIET_CHECKS = 2
    """The non-captures that give check, directly or discovered; of promotions only those to a
    knight, by push or capture, that check directly. A king never steps next to the other king."""
    EVASIONS = 3
    """King steps off the lines of checking sliders; against a single checker also its capture and
    blocks. En passant if it takes the checker or lands on the line of check. Never castling."""
    NON_EVASIONS = 4
    """CAPTURES and QUIETS together."""
    LEGAL = 5
    """EVASIONS in check, else NON_EVASIONS, without the moves that leave the king attacked."""


class MoveKind(IntEnum):
    """The kind of a move: whether it does more than go from one square to another."""

    NORMAL = 0
    PROMOTION = 1
    EN_PASSANT = 2
    CASTLING = 3


class Move(int):
    """A move in 16 bits: target, origin (6 bits each), promotion piece and kind (2 bits each).

    Castling is written as "king takes own rook": the target is the rook's square, so that standard
    chess and Chess960 are one.
    """

    __slots__ = ()

    @classmethod
    def make(
        cls, origin: int, target: int, kind: MoveKind = MoveKind.NORMAL, promotion: PieceType | None = None
    ) -> Move:
        """Return the move from `origin` to `target` (squares 0 to 63)."""
        piece = 0 if promotion is None else promotion - PieceType.KNIGHT
        return cls(target | origin << 6 | piece << 12 | kind << 14)

    @property
    def target(self) -> int:
        """Target square, 0 to 63; for castling the square of the own rook."""
        return self & 63

    @property
    def origin(self) -> int:
        """Origin square, 0 to 63."""
        return self >> 6 & 63

    @property
    def kind(self) -> MoveKind:
        """The kind of the move."""
        return _KINDS[self >> 14 & 3]

    @property
    def promotion(self) -> PieceType | None:
        """Piece that a pawn becomes, or None."""
        return _PROMOTIONS[self >> 12 & 3] if self.kind is MoveKind.PROMOTION else None

    @property
    def landing(self) -> int:
        """Square where the moving piece lands: the target, but for castling the king's c or g square."""
        if self.kind is not MoveKind.CASTLING:
            return self.target
        return self.origin // 8 * 8 + (6 if self.target > self.origin else 2)

    @property
    def rook_landing(self) -> int:
        """Square where the rook of a castling move lands: beside the king, on the side that it came from."""
        return self.landing + (-1 if self.target > self.origin else 1)

    def uci(self, chess960: bool = False) -> str:
        """Return the move as UCI text: castling as e1g1, or with `chess960` as king takes rook, e1h1."""
        return _uci(self, chess960)

    def __repr__(self) -> str:
        return f"Move({self.uci(chess960=True)})"

    __str__ = __repr__


# Tables, because every divide and every comparison asks for the kind and the text of each move.
_KINDS = tuple(MoveKind)
_PROMOTIONS = tuple(PieceType)[PieceType.KNIGHT : PieceType.KING]


@cache  # at most 65,536 moves in two notations
def _uci(move: Move, chess960: bool) -> str:
    target = move.target if chess960 else move.landing
    promotion = move.promotion
    return name_of(move.origin) + name_of(target) + ("" if promotion is None else promotion.letter)


class ExtMove(NamedTuple):
    """A move with the 32-bit value by which a search would order it (see `movelist.ordering_value`)."""

    move: Move
    value: int
