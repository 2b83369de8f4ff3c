"""The detection score: what each strategy has caught, by class of fault."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from ..harness.zoo.catalogue import ZOO
from ..harness.zoo.hunting import Outcome
from ..harness.zoo.score import Row, summed
from .text import duration


def score_table(outcomes: Sequence[Outcome]) -> Table:
    """Return a row for each strategy and class, and one for all classes of a strategy."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("strategy", "class"):
        table.add_column(title)
    for title in ("faults", "triggered", "detected", "families", "explained", "time", "positions", "pieces"):
        table.add_column(title, justify="right")
    for strategy in dict.fromkeys(outcome.hunt.strategy for outcome in outcomes):
        mine = [outcome for outcome in outcomes if outcome.hunt.strategy == strategy]
        themes = sorted({ZOO[outcome.hunt.fault].theme for outcome in mine}, key=str.casefold)
        for theme in themes:
            row = summed(outcome for outcome in mine if ZOO[outcome.hunt.fault].theme == theme)
            table.add_row(strategy, theme, *_cells(row))
        table.add_row(strategy, "all", *_cells(summed(mine)), style="bold", end_section=True)
    return table


def _cells(row: Row) -> list[str]:
    return [
        str(row.faults),
        f"{row.triggered:.1f}",
        f"{row.detected:.1f}",
        f"{row.families_detected} of {row.families}",
        f"{row.explained:.0%}",
        "-" if row.seconds is None else duration(row.seconds),
        "-" if row.positions is None else f"{row.positions:g}",
        "-" if row.pieces is None else f"{row.pieces:g}",
    ]


def survivors(outcomes: Sequence[Outcome]) -> list[str]:
    """Return a line for each strategy with the faults that it has not detected with every seed."""
    lines = []
    for strategy in dict.fromkeys(outcome.hunt.strategy for outcome in outcomes):
        missed = [one.hunt.fault for one in outcomes if one.hunt.strategy == strategy and not one.detected]
        named = [f"{name} ({missed.count(name)})" for name in dict.fromkeys(missed)]
        lines.append(f"{strategy} missed (with so many seeds): {', '.join(named) or 'none'}")
    return lines
