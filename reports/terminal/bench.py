"""The report of a benchmark: speeds, a comparison with another engine, and the cost of techniques."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean, median

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.engines.spec import short_names
from ...harness.model.results.bench import BenchFinished, Comparison, Speed
from ...harness.model.results.verdict import Verdict
from ..content.bench import bench_table, heading, ratio_table, verdict
from ..layout import LabeledValues
from ..table import ReportTable


def render(finished: BenchFinished) -> RenderableType:
    """Return the speeds and, if requested, the comparison and the cost of each technique."""
    parts: list[list[RenderableType]] = []
    if finished.speeds:
        names = short_names(one.engine for one in finished.speeds)
        commands = [(name, spec) for spec, name in names.items() if name != spec.removeprefix("uci:")]
        parts += [
            [LabeledValues(commands)] * bool(commands),
            [bench_table(finished.speeds)],
            _means(finished.speeds),
        ]
    if finished.comparison is not None:
        parts.append(_comparison(finished.comparison))
    if finished.techniques:
        parts.append([technique_table(finished)])
    shown = [Text(), *(line for part in parts if part for line in (*part, Text()))]
    return Group(*shown[1:-1])


def _means(speeds: Sequence[Speed]) -> list[RenderableType]:
    """Return a table of each engine's speed over the positions that all engines counted correctly."""
    names = short_names(one.engine for one in speeds)
    failed = {one.position for one in speeds if one.verdict is not Verdict.AGREE}
    common = [one for one in speeds if one.position not in failed]
    if len(names) < 2 or not common:
        return []
    table = ReportTable(ruled=True)
    table.add_columns("engine")
    table.add_columns("over all positions", justify="right")
    table.add_columns("slowest to fastest round", justify="right", drop_order=1)
    for engine, name in names.items():
        rounds = [
            geometric_mean(same_round)
            for same_round in zip(*(one.rounds for one in common if one.engine == engine), strict=True)
        ]
        extremes = f"{min(rounds):,.1f} to {max(rounds):,.1f}" if len(rounds) > 1 else ""
        table.add_row(name, f"{median(rounds):,.1f}", extremes)
    return [table]


def _comparison(compared: Comparison) -> list[RenderableType]:
    """Return the ratio for each position, and the verdict."""
    head = Text(heading(compared), style="bold", overflow="fold")
    style = "bold red" if compared.is_too_slow else "bold"
    return [head, ratio_table(compared), Text(verdict(compared), style=style, overflow="fold")]


def technique_table(finished: BenchFinished) -> ReportTable:
    """Return a table of the memory and the speed of each technique."""
    table = ReportTable(ruled=True, title="cost")
    table.add_columns("technique")
    table.add_columns("table bytes", justify="right", drop_order=1)
    table.add_columns("Mnps", justify="right")
    for one in finished.techniques:
        table.add_row(one.name, f"{one.table_bytes:,}", _mean(finished.speeds, f"own:{one.name}"))
    return table


def _mean(speeds: Sequence[Speed], engine: str) -> str:
    medians = [one.median for one in speeds if one.engine == engine and one.verdict is Verdict.AGREE]
    return f"{geometric_mean(medians):,.0f}" if medians else "-"
