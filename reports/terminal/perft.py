"""Counts of one position: the statistics of a perft, and how a count by pieces has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.model.command_lines import divide_command
from ...harness.model.engine_names import short_names
from ...harness.model.results.perft import CountFinished, CountMismatch
from ..text import again, count, duration, whole
from .parts.table import ReportTable


def stats_table(rows: Sequence[Mapping[str, int]]) -> ReportTable:
    """Return a column for each depth, from 0 on: a count grows by depth, so that a row for each would be too wide."""
    table = ReportTable()
    table.add_columns("depth")
    for depth in range(len(rows)):
        table.add_columns(str(depth), justify="right", turn=depth + 1)
    for name in rows[0]:
        table.add_row(name.replace("_", " "), *(f"{row[name]:,}" for row in rows))
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
    names = short_names((mismatch.engine, mismatch.reference))
    said = (
        f"{names[mismatch.engine]} counts {mismatch.got:,} nodes at depth {mismatch.depth}, "
        f"{names[mismatch.reference]} {mismatch.expected:,}: {mismatch.fen}"
    )
    command = divide_command(mismatch.fen, mismatch.depth, mismatch.engine, mismatch.reference, chess960)
    return Group(Text(said, overflow="fold"), again(command))
