"""Which setups of a position an engine can be asked for: each kind of engine declares its options."""

from __future__ import annotations

from ...generator.line import Line
from ...generator.position import Position
from ...generator.setup import IMAGES, Setup, SetupOption, fen_of

WRITTEN = frozenset(
    {SetupOption.SHREDDER, SetupOption.XFEN, SetupOption.EN_PASSANT_IF_LEGAL, SetupOption.FOUR_FIELDS, *IMAGES}
)
"""What any engine can be sent that takes a FEN."""
REPEATED = frozenset({SetupOption.TWICE, SetupOption.AFTER_ANOTHER})
"""What has a meaning for an engine that goes on living from question to question."""
OF_UCI = frozenset({SetupOption.START_BY_NAME, SetupOption.NEW_GAME})
"""What UCI has a command for."""


def read_back(line: Line) -> Line:
    """Return a line whose base is read from the FEN that engines are sent, where that is written in another way."""
    if not isinstance(line, Setup):
        return line
    return Line(Position.from_fen(fen_of(line), line.base.chess960), line.moves)
