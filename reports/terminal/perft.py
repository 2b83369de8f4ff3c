"""Counts of one position: the statistics of a perft, and how a count by pieces has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.model.command_lines import divide_command
from ...harness.model.results.perft import CountFinished, CountMismatch
from ..text import again, count, duration, whole
from .parts.layout import WideTable

_TITLES = {"en_passant": "e.p.", "discovered_checks": "discovered", "double_checks": "double"}
"""Titles of columns, where they are not the names of the figures."""


def stats_table(rows: Sequence[Mapping[str, int]]) -> WideTable:
    """Return a row for each depth from 0 on; each has the same figures by name."""
    table = WideTable()
    table.add_columns("depth", *(_TITLES.get(name, name) for name in rows[0]), justify="right")
    for ply, row in enumerate(rows):
        table.add_row(str(ply), *(f"{number:,}" for number in row.values()))
    return table


def render_count(finished: CountFinished) -> RenderableType:
    """Return the count, alone on its line, if it is complete and nothing is wrong with it."""
    if finished.mismatch is not None:
        return _mismatch(finished.mismatch, finished.chess960)
    return whole(str(finished.nodes)) if finished.is_complete else Group()


def summary(finished: CountFinished, ledger: str) -> str:
    """Return a line about the pieces, and how to go on."""
    parts = [
        f"{finished.done:,} of {count(finished.pieces, 'piece')} counted",
        f"{count(finished.positions, 'position')} at ply {finished.split}",
        f"{duration(finished.seconds)} of work",
    ]
    if finished.verified:
        parts.append(f"{finished.verified:,} counted again")
    if finished.wrong_workers:
        parts.append(f"counted wrong, and was left out: {', '.join(finished.wrong_workers)}")
    if not finished.is_complete:
        parts.append("the same command goes on")
    return f"{ledger}: {', '.join(parts)}"


def _mismatch(mismatch: CountMismatch, chess960: bool) -> RenderableType:
    said = (
        f"{mismatch.engine} counts {mismatch.got:,} nodes at depth {mismatch.depth}, "
        f"{mismatch.reference} {mismatch.expected:,}: {mismatch.fen}"
    )
    command = divide_command(mismatch.fen, mismatch.depth, mismatch.engine, mismatch.reference, chess960)
    return Group(Text(said, overflow="fold"), again(command))
