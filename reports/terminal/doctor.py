"""Facts about a machine or an engine."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text


def facts_table(facts: Iterable[tuple[str, str]]) -> Table:
    """Return a row for each fact, a name and a value."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(name, Text(value))
    return table
