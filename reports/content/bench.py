"""Speeds of engines, and the verdict of a speed comparison."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean, median

from ...harness.engines.spec import short_name, short_names
from ...harness.model.results.bench import CHANCE, Comparison, Speed
from ...harness.model.results.verdict import Verdict
from ..table import ReportTable
from ..text import count

LARGE = 2.0
"""Ratios at or above this are printed as multiples instead of percentages."""


def bench_table(speeds: Sequence[Speed]) -> ReportTable:
    """Return a table of speeds in million leaf nodes per second, and relative to the first engine."""
    table = ReportTable(ruled=True, title="million leaf nodes per second")
    table.add_columns("engine")
    places = {one.position: one for one in speeds}
    for name, one in places.items():
        table.add_columns(f"{name} {one.depth}", justify="right", drop_order=1)
    first = speeds[0].engine
    names = short_names(one.engine for one in speeds)
    table.add_columns(f"of {names[first]}", justify="right")
    for engine, name in names.items():
        mine = [one for one in speeds if one.engine == engine]
        table.add_row(name, *map(cell, mine), ratio(speeds, engine, first))
    return table


def cell(speed: Speed) -> str:
    """Return a speed, or the verdict if the engine failed."""
    return f"{speed.median:,.1f}" if speed.verdict is Verdict.AGREE else speed.verdict.value


def ratio(speeds: Sequence[Speed], engine: str, other: str) -> str:
    """Return the ratio of two engines' speeds: the median over rounds, then the geometric mean over positions."""
    base = {one.position: one for one in speeds if one.engine == other}
    ratios = [
        median(speed / base_speed for speed, base_speed in zip(one.rounds, base[one.position].rounds, strict=True))
        for one in speeds
        if one.engine == engine and one.verdict is base[one.position].verdict is Verdict.AGREE
    ]
    return f"{geometric_mean(ratios):.2f}" if ratios else "-"


def ratio_table(compared: Comparison) -> ReportTable:
    """Return a table of the ratio at each position, and of its quartiles over the rounds."""
    table = ReportTable(ruled=True)
    table.add_columns("position")
    table.add_columns("median", "quartiles", justify="right")
    for one in compared.positions:
        first, third = one.quartiles
        table.add_row(f"{one.position} {one.depth}", f"{one.median:.3f}", f"{first:.3f} to {third:.3f}")
    return table


def heading(compared: Comparison) -> str:
    """Return a heading that names the compared engines."""
    names = short_names((compared.engine, compared.baseline))
    return f"speed of {names[compared.engine]} against {names[compared.baseline]}"


def verdict(compared: Comparison) -> str:
    """Return the verdict of a comparison on one line."""
    unsure = compared.is_too_slow and not compared.is_beyond_noise
    relation = "too slow, below" if compared.is_too_slow else "fast enough, not below"
    end = "" if compared.fail_below is None else f"; {relation} {compared.fail_below:g}"
    wide = not compared.is_beyond_noise and not compared.is_clear
    end += ": increase --seconds to be sure" if unsure else "; increase --seconds for a clearer result" if wide else ""
    is_alike = compared.interval is not None and not compared.is_beyond_noise
    subject = "" if is_alike else f"{short_name(compared.engine)} "
    return f"{subject}{difference(compared)} ({count(len(compared.rounds), 'round')}){end}"


def difference(compared: Comparison) -> str:
    """Return the difference in speed: "is 3.1 % slower, 95 % confidence: 2.2 to 4.0 %"."""
    confidence = f"{1 - CHANCE:.0%} confidence".replace("%", " %")
    if compared.interval is None:
        return f"is {_percents(compared.median)}, with too few rounds to be sure"
    low, high = compared.interval
    if not compared.is_beyond_noise:
        return f"no measurable difference: within {100 * max(1 - low, high - 1):.1f} %, {confidence}"
    if compared.median >= LARGE:
        return f"is {compared.median:.1f} times as fast, {confidence}: {low:.1f} to {high:.1f}"
    if compared.median <= 1 / LARGE:
        return f"takes {1 / compared.median:.1f} times as long, {confidence}: {1 / high:.1f} to {1 / low:.1f}"
    least, most = sorted(100 * abs(1 - end) for end in (low, high))
    return f"is {_percents(compared.median)}, {confidence}: {least:.1f} to {most:.1f} %"


def _percents(ratio: float) -> str:
    return f"{100 * abs(1 - ratio):.1f} % {'slower' if ratio < 1 else 'faster'}"
