"""Speeds side by side: a row for each engine, a column for each position."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean, median
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from ...harness.model.verdict import Verdict

if TYPE_CHECKING:
    from ...generator.position import Position
    from ...generator.techniques.tracing import Trace
    from ...harness.model.speed import Speed


def bench_table(speeds: Sequence[Speed]) -> Table:
    """Return millions of leaf nodes a second, and how each engine compares with the first one."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="million leaf nodes a second", title_justify="left")
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


def technique_table(speeds: Sequence[Speed], positions: Sequence[Position]) -> Table:
    """Return what each technique takes: bytes of tables, and steps for each legal move of what it knows."""
    from ...generator.techniques.registry import ENTRIES, knows
    from ...generator.techniques.tracing import traces

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="what it takes", title_justify="left")
    table.add_column("technique")
    for title in ("table bytes", "squares visited a move", "look-ups a move", "Mnps"):
        table.add_column(title, justify="right")
    for name, entry in ENTRIES.items():
        walks = list(traces(name, [position for position in positions if knows(name, position)]))
        table.add_row(name, f"{entry.technique.table_bytes:,}", *_steps(walks), _mean(speeds, f"own:{name}"))
    return table


def _steps(walks: Sequence[Trace]) -> tuple[str, str]:
    """Return squares visited and look-ups for each legal move, or dashes where none are recorded."""
    visits = sum(walk.number("visit") + walk.number("test") for walk in walks)
    lookups = sum(walk.number("look-up") for walk in walks)
    moves = sum(walk.legal for walk in walks)
    return (f"{visits / moves:.2f}", f"{lookups / moves:.2f}") if visits + lookups else ("-", "-")


def _mean(speeds: Sequence[Speed], engine: str) -> str:
    medians = [one.median for one in speeds if one.engine == engine and one.verdict is Verdict.AGREE]
    return f"{geometric_mean(medians):,.0f}" if medians else "-"


def technique_notes(speeds: Sequence[Speed]) -> list[str]:
    """Return a line for each position, with the fastest that lists moves, and what the speed of those named is from."""
    from ...generator.techniques.registry import ENTRIES

    listing = [
        one
        for one in speeds
        if one.verdict is Verdict.AGREE and one.engine.removeprefix("own:") in ENTRIES.keys() - {"turbo"}
    ]
    lines, named = [], {"own:turbo"}
    for position in dict.fromkeys(one.position for one in listing):
        ranked = sorted((one for one in listing if one.position == position), key=lambda one: -one.median)
        if len(ranked) < 2:
            continue
        best, second, worst = ranked[0], ranked[1], ranked[-1]
        named |= {best.engine, second.engine, worst.engine}
        ahead = ", ".join(f"{best.median / one.median:.1f} times {one.engine}" for one in (second, worst))
        lines.append(f"{position}: {best.engine} lists fastest, {ahead}")
    return lines + [f"own:{name}: {entry.technique.cost}" for name, entry in ENTRIES.items() if f"own:{name}" in named]
