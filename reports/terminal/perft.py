"""The statistics of a perft: how many moves of each kind lead to the leaf nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .parts.tables import WideTable

_TITLES = {"en_passant": "e.p.", "discovered_checks": "discovered", "double_checks": "double"}
"""Titles of columns, where they are not the names of the figures."""


def stats_table(rows: Sequence[Mapping[str, int]]) -> WideTable:
    """Return a row for each depth from 0 on; each has the same figures by name."""
    table = WideTable()
    for title in ("depth", *(_TITLES.get(name, name) for name in rows[0])):
        table.add_column(title, justify="right")
    for ply, row in enumerate(rows):
        table.add_row(str(ply), *(f"{number:,}" for number in row.values()))
    return table
