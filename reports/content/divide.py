"""Tables and sentences about divides and kinds of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from ...harness.engines.spec import short_names
from ...harness.model.results.positions import EngineDivide, ReferenceVote
from ..table import ReportTable
from ..text import figure


def all_moves(divides: Sequence[EngineDivide]) -> ReportTable:
    """Return a table with a row for each root move of any engine and a column for each engine."""
    table = ReportTable()
    table.add_columns("move")
    names = short_names(one.engine for one in divides)
    for one in divides:
        table.add_columns(names[one.engine], justify="right")
    counts = [dict(one.root_moves) for one in divides]
    for move in sorted({move for one in counts for move in one}):
        table.add_row(move, *(figure(one.get(move)) for one in counts))
    table.add_row("total", *(f"{one.total:,}" for one in divides), style="bold")
    return table


def agreement_on_totals(totals_only: Sequence[str]) -> str:
    """Return a sentence for engines that agree, some of which print only totals."""
    names = list(short_names(totals_only).values())
    print_none = "prints" if len(names) == 1 else "print"
    return f"The totals agree; {' and '.join(names)} {print_none} no root moves to compare."


def render_vote(vote: ReferenceVote | None) -> list[Text]:
    """Return lines that name the engines outvoted by the references, or say that there is no majority."""
    if vote is None:
        return []
    if not vote.has_majority:
        return [Text("no majority: the references disagree with each other", style="bold magenta")]
    if not vote.dissenters:
        return []
    dissenters = list(short_names(vote.dissenters).values())
    names = f"{dissenters[0]} alone differs" if len(dissenters) == 1 else f"{', '.join(dissenters)} differ"
    return [Text(f"{names}; all others agree", style="bold")]


def stats_table(rows: Sequence[Mapping[str, int]]) -> ReportTable:
    """Return a table with a column for each depth from 0, because one row per depth would be too wide."""
    table = ReportTable()
    table.add_columns("depth")
    for depth in range(len(rows)):
        table.add_columns(str(depth), justify="right", drop_order=depth + 1)
    for name in rows[0]:
        table.add_row(name.replace("_", " "), *(f"{row[name]:,}" for row in rows))
    return table
