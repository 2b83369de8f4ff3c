"""Tables of the moves of a position by GenType."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.model.results.listing import Listed, MoveListing
from ..board import board_text
from ..table import ReportTable
from ..text import count, whole


def render(listed: Listed) -> RenderableType:
    """Return the FEN, then for each GenType a board and the moves."""
    parts: list[RenderableType] = [whole(listed.fen)]
    if listed.oddities:
        parts.append(Text(f"no game leads here: {'; '.join(listed.oddities)}", style="yellow"))
    for listing in listed.lists:
        parts += ["", _listing(listed.fen, listing)]
    return Group(*parts)


def _listing(fen: str, listing: MoveListing) -> RenderableType:
    """Return the board with the landing squares marked, and a row for each move, the highest value first."""
    marks = {move.landing: "green" for move in listing.moves if move.san is not None}
    marks |= {move.landing: "yellow" for move in listing.moves if move.san is None}
    table = ReportTable()
    table.add_columns("move", "SAN")
    table.add_columns("value", justify="right")
    for move in listing.moves:
        table.add_row(move.uci, move.san or "leaves the king in check", str(move.value) if move.value else "")
    title = Text(f"{listing.title}: {count(len(listing.moves), 'move')}", style="bold")
    return Group(title, board_text(fen, marks), table)
