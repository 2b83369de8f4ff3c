"""From loose parts to a position that a FEN can say."""

from __future__ import annotations

from ..generator import validation
from ..generator.position import Position
from ..generator.reachability.labels import is_impossible
from ..generator.validation import FenError


def accept_position(position: Position, impossible: bool) -> Position | None:
    """Return the position if a FEN can say it and, unless `impossible`, it is not impossible; else None."""
    try:
        validation.check_pieces(position.pieces)
        validation.check_side_not_to_move(position.pieces, position.turn)
    except FenError:
        return None
    return None if not impossible and is_impossible(position) else position
