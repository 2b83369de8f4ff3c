"""Suites side by side."""

from __future__ import annotations

from collections.abc import Iterable

from ...harness.model.results.events import SuiteSize
from .parts.tables import WideTable


def suite_table(suites: Iterable[SuiteSize]) -> WideTable:
    """Return a row for each suite."""
    table = WideTable()
    table.add_column("suite")
    for title in ("positions", "counts", "nodes", "deepest", "Chess960"):
        table.add_column(title, justify="right")
    for suite in suites:
        total = suite.total
        figures = (total.positions, total.counts, total.nodes, suite.deepest, suite.chess960)
        table.add_row(total.name, *(f"{figure:,}" for figure in figures))
    return table
