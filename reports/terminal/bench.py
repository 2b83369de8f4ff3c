"""Speeds side by side, against an older engine, and what techniques take."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean, median

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.engines.spec import short_name, short_names
from ...harness.model.results.bench import CHANCE, BenchFinished, Comparison, Speed, SpeedRatio
from ...harness.model.results.verdict import Verdict
from ..layout import Facts
from ..table import ReportTable
from ..text import count
from .parts.drawings import Bar, Bars

LARGE = 2.0
"""From this ratio on, speeds are printed as multiples, not in percent."""


def render(finished: BenchFinished) -> RenderableType:
    """Return the speeds, if any, and the comparison and what each technique takes, if that was asked for."""
    parts: list[list[RenderableType]] = []
    if finished.speeds:
        names = short_names(one.engine for one in finished.speeds)
        commands = [(name, spec) for spec, name in names.items() if name != spec.removeprefix("uci:")]
        parts += [[Facts(commands)] * bool(commands), [bench_table(finished.speeds)], _bars(finished.speeds)]
    if finished.comparison is not None:
        parts.append(_comparison(finished.comparison))
    if finished.techniques:
        parts += [[technique_table(finished)], list(notes(finished))]
    shown = [Text(), *(line for part in parts if part for line in (*part, Text()))]
    return Group(*shown[1:-1])


def bench_table(speeds: Sequence[Speed]) -> ReportTable:
    """Return millions of leaf nodes a second, and how each engine compares with the first one."""
    table = ReportTable(ruled=True, title="million leaf nodes a second")
    table.add_columns("engine")
    places = {one.position: one for one in speeds}
    for name, one in places.items():
        table.add_columns(f"{name} {one.depth}", justify="right", turn=1)
    first = speeds[0].engine
    names = short_names(one.engine for one in speeds)
    table.add_columns(f"of {names[first]}", justify="right")
    for engine, name in names.items():
        mine = [one for one in speeds if one.engine == engine]
        table.add_row(name, *map(cell, mine), ratio(speeds, engine, first))
    return table


def cell(speed: Speed) -> str:
    """Return a speed, or why there is none."""
    return f"{speed.median:,.1f}" if speed.verdict is Verdict.AGREE else speed.verdict.value


def ratio(speeds: Sequence[Speed], engine: str, other: str) -> str:
    """Return the geometric mean, over positions, of the median ratio of two engines' speeds in one round."""
    base = {one.position: one for one in speeds if one.engine == other}
    ratios = [
        median(ours / theirs for ours, theirs in zip(one.rounds, base[one.position].rounds, strict=True))
        for one in speeds
        if one.engine == engine and one.verdict is base[one.position].verdict is Verdict.AGREE
    ]
    return f"{geometric_mean(ratios):.2f}" if ratios else "-"


def _bars(speeds: Sequence[Speed]) -> list[RenderableType]:
    """Return a bar for each engine: its speed in the middle over the positions that all of them counted right."""
    names = short_names(one.engine for one in speeds)
    failed = {one.position for one in speeds if one.verdict is not Verdict.AGREE}
    common = [one for one in speeds if one.position not in failed]
    if len(names) < 2 or not common:
        return []
    bars = [_bar(name, [one.rounds for one in common if one.engine == engine]) for engine, name in names.items()]
    return [Bars(("engine", "over all positions", "Mnps", "slowest to fastest round"), bars)]


def _bar(name: str, positions: Sequence[tuple[float, ...]]) -> Bar:
    rounds = [geometric_mean(speeds) for speeds in zip(*positions, strict=True)]
    extremes = f"{min(rounds):,.1f} to {max(rounds):,.1f}" if len(rounds) > 1 else ""
    figures = (f"{median(rounds):,.1f}", extremes)
    return Bar(name, median(rounds), figures)


def _comparison(compared: Comparison) -> list[RenderableType]:
    """Return a bar for each position, and what they come to."""
    bars = [Bar(f"{one.position} {one.depth}", one.median, ratio_cells(one)) for one in compared.positions]
    longest = max(1.0, *(one.median for one in compared.positions))
    titles = ("position", "speed", "median", "half of the rounds")
    head = Text(heading(compared), style="bold", overflow="fold")
    style = "bold red" if compared.is_too_slow else "bold"
    notes = [Text(note, style="yellow", overflow="fold") for note in compared.notes]
    return [head, Bars(titles, bars, longest), *notes, Text(verdict(compared), style=style, overflow="fold")]


def ratio_cells(ratio: SpeedRatio) -> tuple[str, str]:
    """Return the median ratio of a position, and between what half of its rounds are."""
    return _times(ratio.median), " to ".join(map(_times, ratio.quartiles))


def heading(compared: Comparison) -> str:
    """Return which engines are compared."""
    names = short_names((compared.engine, compared.baseline))
    return f"speed of {names[compared.engine]} against {names[compared.baseline]}"


def verdict(compared: Comparison) -> str:
    """Return what a comparison comes to, in one line."""
    unsure = compared.is_too_slow and not compared.is_beyond_noise
    relation = "too slow, below" if compared.is_too_slow else "fast enough, not below"
    end = "" if compared.fail_below is None else f"; {relation} {compared.fail_below:g}"
    wide = not compared.is_beyond_noise and not compared.is_clear
    end += ": more --seconds would make it sure" if unsure else "; more --seconds tell more" if wide else ""
    is_alike = compared.interval is not None and not compared.is_beyond_noise
    subject = "" if is_alike else f"{short_name(compared.engine)} "
    return f"{subject}{difference(compared)} ({count(len(compared.rounds), 'round')}){end}"


def difference(compared: Comparison) -> str:
    """Return how the speeds differ, and how sure that is: "is 3.1 % slower, 95 % sure: 2.2 to 4.0 %"."""
    sure = f"{1 - CHANCE:.0%} sure".replace("%", " %")
    if compared.interval is None:
        return f"is {_percents(compared.median)}, as far as too few rounds can tell"
    low, high = compared.interval
    if not compared.is_beyond_noise:
        return f"no difference that could be seen: within {100 * max(1 - low, high - 1):.1f} %, {sure}"
    if compared.median >= LARGE:
        return f"is {compared.median:.1f} times as fast, {sure}: {low:.1f} to {high:.1f}"
    if compared.median <= 1 / LARGE:
        return f"takes {1 / compared.median:.1f} times as long, {sure}: {1 / high:.1f} to {1 / low:.1f}"
    least, most = sorted(100 * abs(1 - end) for end in (low, high))
    return f"is {_percents(compared.median)}, {sure}: {least:.1f} to {most:.1f} %"


def _percents(ratio: float) -> str:
    return f"{100 * abs(1 - ratio):.1f} % {'slower' if ratio < 1 else 'faster'}"


def _times(ratio: float) -> str:
    return f"{ratio:.3f}"


def technique_table(finished: BenchFinished) -> ReportTable:
    """Return what each technique takes: bytes of tables, and steps for each legal move."""
    table = ReportTable(ruled=True, title="what it takes")
    table.add_columns("technique")
    table.add_columns("table bytes", justify="right", turn=1)
    table.add_columns("squares visited a move", "look-ups a move", "Mnps", justify="right")
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
        right = [one for one in finished.speeds if one.verdict is Verdict.AGREE and one.engine in listing]
        ranked = sorted((one for one in right if one.position == position), key=lambda one: -one.median)
        if len(ranked) < 2:
            continue
        best, second, worst = ranked[0], ranked[1], ranked[-1]
        named |= {best.engine, second.engine, worst.engine}
        ahead = ", ".join(f"{best.median / one.median:.1f} times {one.engine}" for one in (second, worst))
        lines.append(f"{position}: {best.engine} lists fastest, {ahead}")
    return lines + [f"{one.engine}: {one.remark}" for one in finished.techniques if one.engine in named]
