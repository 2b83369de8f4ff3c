"""Whether an engine agrees with itself: the root moves under which it does not."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.model.results.divide import ConsistencyFinished
from .parts.tables import WideTable


def render(finished: ConsistencyFinished) -> RenderableType:
    """Return the contradictions and what they say."""
    return Group(*[contradiction_table(finished)] * bool(finished.contradictions), *sentences(finished))


def contradiction_table(finished: ConsistencyFinished) -> WideTable:
    """Return a row for each contradiction."""
    table = WideTable()
    for title in ("move", "SAN"):
        table.add_column(title)
    for title in ("in the divide", "after playing it", "from the FEN"):
        table.add_column(title, justify="right")
    for one in finished.contradictions:
        table.add_row(one.uci, one.san or "", f"{one.divided:,}", f"{one.played:,}", f"{one.from_fen:,}")
    return table


def sentences(finished: ConsistencyFinished) -> list[Text]:
    """Return what the contradictions say, each with the first move that shows it; the last line is the verdict."""
    name, found = finished.engine, finished.contradictions
    if not found:
        return [Text(f"{name} agrees with itself under each of {finished.root_moves} root moves", style="bold green")]
    lines = []
    for sentence in dict.fromkeys(one.sentence for one in found):
        first = next(one for one in found if one.sentence == sentence)
        lines.append(Text(f"{sentence} (first after {first.san or first.uci}: {first.fen})", overflow="fold"))
    return [*lines, Text(f"{name} contradicts itself", style="bold red")]
