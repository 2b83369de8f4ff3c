"""GenTypes, 16-bit moves, and moves with an ordering value."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from .pieces import PieceType
from .squares import name_of


class GenType(IntEnum):
    """A category of moves that a search requests.

    All GenTypes except LEGAL are pseudo-legal: their moves may leave the king in check. Castling moves, however, are
    always legal. EVASIONS may be requested only in check, LEGAL always, all others only if not in check.
    """

    CAPTURES = 0
    """Captures, including en passant. Promotions are included only if they are to a queen, by capture or push."""
    QUIETS = 1
    """All moves that are not CAPTURES: non-captures, castling, and all underpromotions."""
    QUIET_CHECKS = 2
    """Non-captures that give check, directly or by discovery. Promotions are included only if they are to a knight, by
    push or capture, and give direct check. A king never steps next to the other king.
    """
    EVASIONS = 3
    """King steps off the lines of checking sliders and, against a single checker, moves that capture the checker or
    block the check. En passant is included if it captures the checker or blocks the check. Castling never is.
    """
    NON_EVASIONS = 4
    """CAPTURES and QUIETS together."""
    LEGAL = 5
    """EVASIONS in check, otherwise NON_EVASIONS, without moves that leave the king attacked."""


class MoveKind(IntEnum):
    """The kind of a move."""

    NORMAL = 0
    PROMOTION = 1
    EN_PASSANT = 2
    CASTLING = 3


class Move(int):
    """A move in 16 bits: target and origin (6 bits each), promotion piece and kind (2 bits each).

    Castling is encoded as king takes rook: the target is the square of the rook, in standard chess and in Chess960.
    """

    __slots__ = ()

    @classmethod
    def make(
        cls, origin: int, target: int, kind: MoveKind = MoveKind.NORMAL, promotion: PieceType | None = None
    ) -> Move:
        """Create a move from `origin` to `target` (squares 0 to 63)."""
        piece = 0 if promotion is None else promotion - PieceType.KNIGHT
        return cls(target | origin << 6 | piece << 12 | kind << 14)

    @property
    def target(self) -> int:
        """Target square, 0 to 63; for castling, the square of the rook."""
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
        """The piece type that a pawn promotes to, or None."""
        return _PROMOTIONS[self >> 12 & 3] if self.kind is MoveKind.PROMOTION else None

    @property
    def landing(self) -> int:
        """Square on which the moving piece lands: the target or, for castling, the king's destination."""
        if self.kind is not MoveKind.CASTLING:
            return self.target
        return self.origin // 8 * 8 + (6 if self.target > self.origin else 2)

    @property
    def rook_landing(self) -> int:
        """Square on which the castling rook lands."""
        return self.landing + (-1 if self.target > self.origin else 1)

    def uci(self, chess960: bool = False) -> str:
        """Return the move in UCI notation; castling is e1g1, or e1h1 (king takes rook) if `chess960` is True."""
        return _uci(self, chess960)

    def __repr__(self) -> str:
        return f"Move({self.uci(chess960=True)})"

    __str__ = __repr__


# Lookup tables, because every divide and every comparison needs the kind and text of each move.
_KINDS = tuple(MoveKind)
_PROMOTIONS = tuple(PieceType)[PieceType.KNIGHT : PieceType.KING]


@cache  # at most 65,536 moves in each of two notations
def _uci(move: Move, chess960: bool) -> str:
    target = move.target if chess960 else move.landing
    promotion = move.promotion
    return name_of(move.origin) + name_of(target) + ("" if promotion is None else promotion.letter)


class ExtMove(NamedTuple):
    """A move with the 32-bit value by which a search would order it (see `movelist.ordering_value`)."""

    move: Move
    value: int
