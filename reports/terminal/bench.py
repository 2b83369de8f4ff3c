"""Speeds side by side: a row for each engine, a column for each position; and what techniques take."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean, median

from rich.console import Group, RenderableType

from ...harness.model.bench import BenchFinished, Speed, TechniqueCost
from ...harness.model.verdict import Verdict
from .parts.tables import WideTable


def render(finished: BenchFinished) -> RenderableType:
    """Return the speeds, if any, and what each technique takes, if that was asked for."""
    parts: list[RenderableType] = [bench_table(finished.speeds)] if finished.speeds else []
    if finished.techniques:
        parts += [_technique_table(finished), *notes(finished)]
    return Group(*parts)


def bench_table(speeds: Sequence[Speed]) -> WideTable:
    """Return millions of leaf nodes a second, and how each engine compares with the first one."""
    table = WideTable(ruled=True, title="million leaf nodes a second")
    table.add_column("engine")
    places = {one.position: one for one in speeds}
    for name, one in places.items():
        table.add_column(f"{name} {one.depth}", justify="right")
    first = speeds[0].engine
    table.add_column(f"of {first}", justify="right")
    for engine in dict.fromkeys(one.engine for one in speeds):
        mine = [one for one in speeds if one.engine == engine]
        table.add_row(engine, *map(_cell, mine), _ratio(speeds, engine, first))
    return table


def _cell(speed: Speed) -> str:
    return f"{speed.median:,.1f}" if speed.verdict is Verdict.AGREE else speed.verdict.value


def _ratio(speeds: Sequence[Speed], engine: str, other: str) -> str:
    """Return the geometric mean, over positions, of the median ratio of two engines' speeds in one round."""
    base = {one.position: one for one in speeds if one.engine == other}
    ratios = [
        median(ours / theirs for ours, theirs in zip(one.rounds, base[one.position].rounds, strict=True))
        for one in speeds
        if one.engine == engine and one.verdict is base[one.position].verdict is Verdict.AGREE
    ]
    return f"{geometric_mean(ratios):.2f}" if ratios else "-"


def _technique_table(finished: BenchFinished) -> WideTable:
    """Return what each technique takes: bytes of tables, and steps for each legal move."""
    table = WideTable(ruled=True, title="what it takes")
    table.add_column("technique")
    for title in ("table bytes", "squares visited a move", "look-ups a move", "Mnps"):
        table.add_column(title, justify="right")
    for one in finished.techniques:
        steps = ("-" if number is None else f"{number:.2f}" for number in (one.squares, one.look_ups))
        table.add_row(one.name, f"{one.table_bytes:,}", *steps, _mean(finished.speeds, one.engine))
    return table


def _mean(speeds: Sequence[Speed], engine: str) -> str:
    medians = [one.median for one in speeds if one.engine == engine and one.verdict is Verdict.AGREE]
    return f"{geometric_mean(medians):,.0f}" if medians else "-"


def notes(finished: BenchFinished) -> list[str]:
    """Return a line for each position, with the fastest that lists moves, and what the speed of those named is from."""
    listing = {one.engine for one in finished.techniques if one.lists_moves}
    lines, named = [], {one.engine for one in finished.techniques if not one.lists_moves}
    for position in dict.fromkeys(one.position for one in finished.speeds):
        ranked = _ranked([one for one in finished.speeds if one.position == position and one.engine in listing])
        if len(ranked) < 2:
            continue
        best, second, worst = ranked[0], ranked[1], ranked[-1]
        named |= {best.engine, second.engine, worst.engine}
        ahead = ", ".join(f"{best.median / one.median:.1f} times {one.engine}" for one in (second, worst))
        lines.append(f"{position}: {best.engine} lists fastest, {ahead}")
    return lines + [_remark(one) for one in finished.techniques if one.engine in named]


def _ranked(speeds: Sequence[Speed]) -> list[Speed]:
    """Return the speeds of right counts, the fastest first."""
    return sorted((one for one in speeds if one.verdict is Verdict.AGREE), key=lambda one: -one.median)


def _remark(technique: TechniqueCost) -> str:
    return f"{technique.engine}: {technique.remark}"
