"""Suites side by side."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from ...harness.model.events import SuiteSize


def suite_table(suites: Iterable[SuiteSize]) -> Table:
    """Return a row for each suite."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("suite")
    for title in ("positions", "counts", "nodes", "deepest", "Chess960"):
        table.add_column(title, justify="right")
    for suite in suites:
        total = suite.total
        figures = (total.positions, total.counts, total.nodes, suite.deepest, suite.chess960)
        table.add_row(total.name, *(f"{figure:,}" for figure in figures))
    return table
