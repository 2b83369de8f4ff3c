"""The detection score in a terminal: what each strategy has caught, by class and by group of faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...harness.zoo.catalogue import ZOO
from ...harness.zoo.hunting.hunt import Outcome
from ...harness.zoo.hunting.score import GROUPS, Row, Score, grouped, summed
from ..curve.axes import Axes
from ..text import duration
from .curve import CurveText

FIGURES = ("faults", "triggered", "detected", "families", "share", "explained", "time", "positions", "pieces")


def render(score: Score) -> RenderableType:
    """Return the table, the curve where anything was detected, and who got away."""
    parts: list[RenderableType] = [score_table(score)]
    if any(score.curves.values()):
        parts += [CurveText(score.curves, Axes(score.budget, score.families)), ""]
    return Group(*parts, *(Text(line) for line in survivors(score)))


def score_table(score: Score) -> Table:
    """Return the rows of each strategy: the classes of faults, then the groups of all of them."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("strategy", "faults of"):
        table.add_column(title)
    for title in FIGURES:
        table.add_column(title, justify="right")
    for strategy, outcomes in score.by_strategy.items():
        for theme, found in by_class(outcomes).items():
            table.add_row(strategy, theme, *cells(summed(found)))
        table.add_section()
        for group, found in by_group(outcomes).items():
            table.add_row(strategy, group, *cells(summed(found)), style="bold")
        table.add_section()
    return table


def by_class(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return the outcomes of each class of faults, classes by name."""
    classes = grouped(outcomes, lambda outcome: ZOO[outcome.hunt.fault].theme)
    return dict(sorted(classes.items(), key=lambda item: item[0].casefold()))


def by_fault(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return the outcomes of each fault, sorted by class and name."""
    faults = grouped(outcomes, lambda outcome: outcome.hunt.fault)
    return dict(sorted(faults.items(), key=lambda item: (ZOO[item[0]].theme.casefold(), item[0])))


def by_group(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Return the outcomes of each group of faults, without groups that have none."""
    groups = {
        name: [outcome for outcome in outcomes if belongs(ZOO[outcome.hunt.fault])] for name, belongs in GROUPS.items()
    }
    return {name: found for name, found in groups.items() if found}


def cells(row: Row) -> list[str]:
    """Return the figures of a row as text."""
    return [
        str(row.faults),
        f"{row.triggered:.1f}",
        f"{row.detected:.1f}",
        f"{row.families_detected} of {row.families}",
        percent(row.families_detected / row.families),
        percent(row.explained),
        "-" if row.seconds is None else duration(row.seconds),
        number(row.positions),
        number(row.pieces),
    ]


def percent(share: float | None) -> str:
    """Return a share as "98.8 %", or "-" where there is none."""
    return "-" if share is None else f"{100 * share:.1f} %".replace(".0 ", " ")


def number(figure: float | None) -> str:
    """Return a count with commas, or "-" where there is none."""
    return "-" if figure is None else f"{figure:,.0f}"


def survivors(score: Score) -> list[str]:
    """Return a line for each strategy with the faults that it has not detected with every seed."""
    lines = []
    for strategy, outcomes in score.by_strategy.items():
        missed = [outcome.hunt.fault for outcome in outcomes if not outcome.detected]
        named = [f"{name} ({missed.count(name)})" for name in dict.fromkeys(missed)]
        lines.append(f"{strategy} missed (with so many seeds): {', '.join(named) or 'none'}")
    return lines
