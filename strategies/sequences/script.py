"""The vocabulary of sequences: the steps of a script, and what a faulty generator may still believe at its end.

Scripts are written for White to move first, as scenes are, and played for either color.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ...generator.types.pieces import Color, Kind
from ..scene import THEM, US, PiecePlacement


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

    A line is refused where the side to move then has no move more with them.
    """

    steps: tuple[Step, ...]
    lost: int = 0
    """Rooks that might castle if their right had not ended, as a bitboard."""
    passed: int | None = None
    """The square where a pawn might be taken if it had just come two squares."""


Sequence = Callable[[PiecePlacement], Script]
"""Puts on a scene what a script needs, and returns the script. Kings may be left out. Raises NoRoom."""


def go(scene: PiecePlacement, origin: int, target: int, promotion: Kind | None = None) -> Go:
    """Return a move, and let the squares on its way and the one where it ends stay empty until then."""
    scene.keep_between(origin, target)
    scene.keep(target)
    return Go(origin, target, promotion)


def put_waiter(scene: PiecePlacement, color: Color) -> None:
    """Put a knight that can wait, for a side whose king must stay where it is."""
    scene.put(color, Kind.KNIGHT)


__all__ = ["BACK", "THEM", "US", "WAIT", "Go", "Reply", "Script", "Sequence", "Step", "go", "put_waiter"]
