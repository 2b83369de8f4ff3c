"""Whether an engine is wrong after a long game only because it cannot read a line of so many bytes."""

from __future__ import annotations

from collections.abc import Sequence

from ...generator.line import Line
from ...generator.position import Position
from ...generator.setup import options_of, set_up_alike
from ...generator.types.moves import Move
from ..engines.asking.session import EngineSession
from .comparing import is_right

LONG = 200
"""Games of fewer moves fit into a line of any program."""
SHORT = 40
"""A game of so many moves has to be right, with and without the padding."""
MOVES_OUT_AND_BACK = "g1f3 g8f6 f3g1 f6g8"
"""Moves from the starting position that lead back to it: before a game they make its line longer, and no more."""
PADDING = 4 * 8


def too_long(line: Line, depth: int, engine: EngineSession) -> str | None:
    """Return a remark if the length of a game from the starting position is why an engine is wrong after it, or None.

    The engine then is right after fewer moves of the game, and wrong once these come after moves that lead back to the
    starting position. Raises Interrupted.
    """
    if len(line.moves) < LONG or line.base != Position.start():
        return None
    padding = Line.from_uci(line.base, " ".join([MOVES_OUT_AND_BACK] * (PADDING // 4))).moves

    def is_right_after(moves: Sequence[Move]) -> bool:
        part = set_up_alike(line, line.base, tuple(moves))
        return part is not None and is_right(part, depth, engine)

    if not is_right_after((*padding, *line.moves[:SHORT])):
        return None
    right, wrong = SHORT, len(line.moves)
    while wrong - right > 1:
        middle = (right + wrong) // 2
        right, wrong = (middle, wrong) if is_right_after(line.moves[:middle]) else (right, middle)
    kept = line.moves[: max(SHORT, right - PADDING // 2)]
    if is_right_after((*padding, *kept)) or not is_right_after(kept):
        return None
    return f"{engine.name} cannot read a line of {_bytes_of(line, wrong):,} bytes, a game of {wrong} plies"


def _bytes_of(line: Line, moves: int) -> int:
    """Return the length of the line, as UCI has it, that sets up a position by the first moves of a game."""
    start = "startpos" if options_of(line) else f"fen {line.base.fen()}"
    return len(f"position {start} moves {' '.join(line.uci_moves()[:moves])}\n")
