"""How a difference between two divides is shown, in whatever report."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ....harness.model.results.events import Difference, RootMove
from ...text import count, short_name
from .board import board_text
from .layout import Beside
from .tables import WideTable

SHOWN_MOVES = 16


def kind_of(move: RootMove) -> str:
    """Return what is wrong with a root move: "missing", "extra", or by how many nodes it is off."""
    if move.got is None:
        return "missing"
    if move.expected is None:
        return "extra"
    if move.repeated:
        return "duplicate"
    return f"{move.got - move.expected:+,}"


def _style(move: RootMove) -> str:
    return "red" if move.expected is None else "yellow" if move.got is None else "cyan"


def _marks(difference: Difference) -> dict[str, str]:
    marks = {}
    for move in difference.moves[:SHOWN_MOVES]:
        marks[move.uci[0:2]] = marks[move.uci[2:4]] = _style(move)
    return marks


def moves_table(difference: Difference) -> WideTable:
    """Return the table of the root moves that differ."""
    table = WideTable()
    table.add_column("move")
    table.add_column("SAN")
    table.add_column(short_name(difference.engine, "engine"), justify="right")
    table.add_column(short_name(difference.reference, "reference"), justify="right")
    table.add_column("wrong", justify="right")
    for move in difference.moves[:SHOWN_MOVES]:
        table.add_row(
            move.uci,
            move.san or "not a legal move",
            "-" if move.got is None else f"{move.got:,}",
            "-" if move.expected is None else f"{move.expected:,}",
            Text(kind_of(move), style=_style(move)),
        )
    return table


def totals_of(difference: Difference) -> str:
    """Return the sums of both divides."""
    counts = f"{difference.engine} {difference.got:,}, {difference.reference} {difference.expected:,}"
    return f"depth {difference.depth}: {counts}"


def without_moves(difference: Difference) -> str:
    """Return how two divides compare in which no root move differs."""
    if difference.got != difference.expected and difference.depth == 1:
        counts = f"{difference.engine} has {count(difference.got, 'move')} here, {difference.reference} has"
        return f"{counts} {difference.expected:,}; no root moves are printed to tell which."
    both = f"{difference.engine} and {difference.reference}"
    if difference.got == difference.expected:
        return f"{both} agree on every root move."
    totals = f"but not of all together: {difference.got:,} and {difference.expected:,}."
    return f"{both} count the same nodes after each legal move, {totals}"


def render_difference(difference: Difference, board: bool = True) -> RenderableType:
    """Return the moves that differ, beside a board unless told not to."""
    if not difference.moves:
        return Text(without_moves(difference), style="dim")
    table = moves_table(difference)
    drawn = board_text(difference.fen, _marks(difference))
    parts: list[RenderableType] = [Beside(drawn, table) if board else table]
    if len(difference.moves) > SHOWN_MOVES:
        parts.append(Text(f"... and {len(difference.moves) - SHOWN_MOVES} more root moves", style="dim"))
    return Group(*parts)
