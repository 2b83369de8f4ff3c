"""The table of the detection score, and the missed faults."""

from __future__ import annotations

from ...harness.zoo.results import Score, ScoreRow
from ..table import ReportTable
from ..text import duration, figure, percent

FIGURES = {
    "faults": 5,
    "triggered": 2,
    "detected": 7,
    "families": None,
    "share": None,
    "explained": 4,
    "time": 6,
    "positions": 3,
    "pieces": 1,
}
"""The figures of a strategy, with their `drop_order` in the table."""


def score_table(score: Score) -> ReportTable:
    """Return a table of the classes of faults and then the groups of all faults, for each strategy."""
    table = ReportTable(ruled=True)
    table.add_columns("strategy", "faults of")
    for title, order in FIGURES.items():
        table.add_columns(title, justify="right", drop_order=order)
    for name, strategy in score.strategies.items():
        for rows, style in ((strategy.classes, ""), (strategy.groups, "bold")):
            for number, (title, row) in enumerate(rows.items(), 1):
                table.add_row(name, title, *_cells(row), style=style, ends_section=number == len(rows))
    return table


def _cells(row: ScoreRow) -> list[str]:
    return [
        str(row.faults),
        f"{row.triggered:.1f}",
        f"{row.detected:.1f}",
        f"{row.families_detected} of {row.families}",
        percent(row.families_detected / row.families),
        percent(row.explained),
        "-" if row.seconds is None else duration(row.seconds),
        figure(row.positions),
        figure(row.pieces),
    ]


def missed_lines(score: Score) -> list[str]:
    """Return a line for each strategy that lists the faults it did not detect with every seed."""
    lines = []
    for name, strategy in score.strategies.items():
        missed = ", ".join(f"{fault} ({seeds})" for fault, seeds in strategy.missed.items())
        lines.append(f"missed by {name} (number of seeds): {missed or 'none'}")
    return lines
