"""Which setups of a position an engine can be asked for: each kind of engine declares its options."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from ...generator.line import Line
from ...generator.position import Position
from ...generator.setup import IMAGES, Setup, SetupOption, fen_of, options_of

if TYPE_CHECKING:
    from .client import EngineClient

WRITTEN = frozenset(
    {SetupOption.SHREDDER, SetupOption.XFEN, SetupOption.EN_PASSANT_IF_LEGAL, SetupOption.FOUR_FIELDS, *IMAGES}
)
"""What any engine can be sent that takes a FEN."""
REPEATED = frozenset({SetupOption.TWICE, SetupOption.AFTER_ANOTHER})
"""What has a meaning for an engine that goes on living from question to question."""
OF_UCI = frozenset({SetupOption.START_BY_NAME, SetupOption.NEW_GAME})
"""What UCI has a command for."""


def can_take(engine: EngineClient, line: Line, refused: Set[SetupOption] = frozenset()) -> bool:
    """Tell whether an engine can be asked for a line as it is set up; options that it has `refused` it does not take.

    Raises Interrupted.
    """
    if not options_of(line) <= engine.engine.setups - refused or (line.base.chess960 and engine.no_chess960):
        return False
    return not (line.moves and SetupOption.START_BY_NAME in options_of(line)) or engine.plays_moves


def read_back(line: Line) -> Line:
    """Return a line whose base is read from the FEN that engines are sent, where that is written in another way."""
    if not isinstance(line, Setup):
        return line
    return Line(Position.from_fen(fen_of(line), line.base.chess960), line.moves)
