"""The detection score in a terminal: what each strategy has caught, by class and by group of faults."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.zoo.hunting.model import Score, ScoreRow
from ..charts.axes import Axes
from ..text import duration, figure, percent
from .parts.curve import CurveText
from .parts.tables import WideTable

FIGURES = ("faults", "triggered", "detected", "families", "share", "explained", "time", "positions", "pieces")


def render(score: Score) -> RenderableType:
    """Return the table, the curve where anything was detected, and the faults that were missed."""
    parts: list[RenderableType] = [score_table(score)]
    if any(score.curves.values()):
        parts += [CurveText(score.curves, Axes(score.budget, score.families)), ""]
    return Group(*parts, *(Text(line) for line in missed_lines(score)))


def score_table(score: Score) -> WideTable:
    """Return the rows of each strategy: the classes of faults, then the groups of all of them."""
    table = WideTable(ruled=True)
    for title in ("strategy", "faults of"):
        table.add_column(title)
    for title in FIGURES:
        table.add_column(title, justify="right")
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
    """Return a line for each strategy with the faults that it has not detected with every seed."""
    lines = []
    for name, strategy in score.strategies.items():
        missed = ", ".join(f"{fault} ({seeds})" for fault, seeds in strategy.missed.items())
        lines.append(f"{name} missed (with so many seeds): {missed or 'none'}")
    return lines
