"""Tables of the moves of a position by GenType, and of the options of a command."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.model.results.listing import ConfigurationShown, InForce, Listed, MoveListing
from ..text import count, whole
from .parts.board import board_text
from .parts.table import ReportTable


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


def heading(shown: ConfigurationShown) -> str:
    """Return the line that says which file and profile are in force."""
    profile = f", profile {_printable(shown.profile)}" if shown.profile is not None else ""
    return f"perft-check {shown.command}: {shown.file or 'no configuration file'}{profile}"


def options_table(shown: ConfigurationShown) -> ReportTable:
    """Return the options with their values and sources."""
    table = ReportTable()
    table.add_columns("key", "value", "from")
    for option in shown.options:
        table.add_row(option.key, whole(value_text(option)), option.source)
    return table


def value_text(option: InForce) -> str:
    """Return a value on one line: "-" where it is not set."""
    value = option.value
    if value is None or value == []:
        return "-"
    if isinstance(value, list):
        return ", ".join(_quote(value))
    return str(value).lower() if isinstance(value, bool) else _printable(str(value))


def _quote(texts: list[str]) -> Iterator[str]:
    """Yield texts, in quotes where they could be taken for two."""
    for text in texts:
        yield json.dumps(text) if "," in text else _printable(text)


def _printable(text: str) -> str:
    return text if text.isprintable() and text else json.dumps(text)
