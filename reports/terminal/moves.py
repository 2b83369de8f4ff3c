"""The moves of a position by a GenType, on a board."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...generator.movelist import MoveList
from ...generator.position import Position
from ...generator.types.moves import GenType
from ...generator.types.squares import name_of
from ..text import count
from .parts.board import board_text
from .parts.tables import WideTable


def render(position: Position, gentype: GenType, moves: MoveList) -> RenderableType:
    """Return the board with the landing squares marked, and a row for each move, the highest value first."""
    ordered = sorted(moves, key=lambda extended: -extended.value)
    legal = set(position.legal_moves)
    marks = {name_of(move.landing): "green" for move, _ in ordered if move in legal}
    marks |= {name_of(move.landing): "yellow" for move, _ in ordered if move not in legal}
    table = WideTable()
    table.add_column("move")
    table.add_column("SAN")
    table.add_column("value", justify="right")
    for move, value in ordered:
        san = position.san(move) if move in legal else "leaves the king in check"
        table.add_row(move.uci(position.chess960), san, str(value) if value else "")
    title = Text(f"{gentype.name}: {count(len(ordered), 'move')}", style="bold")
    return Group(title, board_text(position.fen(), marks), table)
