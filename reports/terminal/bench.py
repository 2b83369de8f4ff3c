"""Speeds side by side, against an older engine, and what techniques take."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean, median

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.model.results.bench import BenchFinished, Comparison, Pace, Speed, TechniqueCost
from ...harness.model.results.verdict import Verdict
from ..text import count
from .parts.drawings import Bar, Bars
from .parts.layout import WideTable


def render(finished: BenchFinished) -> RenderableType:
    """Return the speeds, if any, and the comparison and what each technique takes, if that was asked for."""
    parts: list[RenderableType] = [bench_table(finished.speeds), *_bars(finished.speeds)] if finished.speeds else []
    if finished.comparison is not None:
        parts += _comparison(finished.comparison)
    if finished.techniques:
        parts += [technique_table(finished), *notes(finished)]
    return Group(*parts)


def bench_table(speeds: Sequence[Speed]) -> WideTable:
    """Return millions of leaf nodes a second, and how each engine compares with the first one."""
    table = WideTable(ruled=True, title="million leaf nodes a second")
    table.add_columns("engine")
    places = {one.position: one for one in speeds}
    for name, one in places.items():
        table.add_columns(f"{name} {one.depth}", justify="right")
    first = speeds[0].engine
    table.add_columns(f"of {first}", justify="right")
    for engine in dict.fromkeys(one.engine for one in speeds):
        mine = [one for one in speeds if one.engine == engine]
        table.add_row(engine, *map(cell, mine), ratio(speeds, engine, first))
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
    engines = list(dict.fromkeys(one.engine for one in speeds))
    failed = {one.position for one in speeds if one.verdict is not Verdict.AGREE}
    common = [one for one in speeds if one.position not in failed]
    if len(engines) < 2 or not common:
        return []
    bars = [_bar(engine, [one.rounds for one in common if one.engine == engine]) for engine in engines]
    return [Bars(("engine", "over all positions", "Mnps", "slowest to fastest round"), bars)]


def _bar(engine: str, positions: Sequence[tuple[float, ...]]) -> Bar:
    rounds = [geometric_mean(speeds) for speeds in zip(*positions, strict=True)]
    figures = (f"{median(rounds):,.1f}", f"{min(rounds):,.1f} to {max(rounds):,.1f}")
    return Bar(engine, median(rounds), figures)


def _comparison(compared: Comparison) -> list[RenderableType]:
    """Return a bar for each position, and what they come to."""
    bars = [Bar(f"{one.position} {one.depth}", one.median, ratio_cells(one)) for one in compared.positions]
    longest = max(1.0, *(one.median for one in compared.positions))
    titles = ("position", "speed", "median", "half of the rounds")
    head = Text(heading(compared), style="bold", overflow="fold")
    style = "bold red" if compared.is_too_slow else "bold"
    notes = [Text(note, style="yellow", overflow="fold") for note in compared.notes]
    return [head, Bars(titles, bars, longest), *notes, Text(verdict(compared), style=style, overflow="fold")]


def ratio_cells(pace: Pace) -> tuple[str, str]:
    """Return the median ratio of a position, and between what half of its rounds are."""
    return _times(pace.median), _span(pace.quartiles)


def heading(compared: Comparison) -> str:
    """Return which engines are compared."""
    return f"speed of {compared.engine} against {compared.baseline}"


def verdict(compared: Comparison) -> str:
    """Return what a comparison comes to, in one line."""
    rounds = f"{count(len(compared.rounds), 'round')}, half of them {_span(compared.quartiles)}"
    noise = "more than noise" if compared.is_beyond_noise else "no more than noise"
    sure = f"but for a chance of 5 % it is {_span(compared.interval)}: {noise}"
    unsure = compared.is_too_slow and not compared.is_beyond_noise
    relation = "too slow, below" if compared.is_too_slow else "fast enough, not below"
    end = "" if compared.fail_below is None else f"; {relation} {compared.fail_below:g}"
    end += ": more --rounds would make it sure" if unsure else ""
    return f"{_times(compared.median)} times as fast ({rounds}); {sure}{end}"


def _times(ratio: float) -> str:
    return f"{ratio:.3f}"


def _span(limits: tuple[float, float]) -> str:
    return f"{_times(limits[0])} to {_times(limits[1])}"


def technique_table(finished: BenchFinished) -> WideTable:
    """Return what each technique takes: bytes of tables, and steps for each legal move."""
    table = WideTable(ruled=True, title="what it takes")
    table.add_columns("technique")
    table.add_columns("table bytes", "squares visited a move", "look-ups a move", "Mnps", justify="right")
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
        ranked = _rank([one for one in finished.speeds if one.position == position and one.engine in listing])
        if len(ranked) < 2:
            continue
        best, second, worst = ranked[0], ranked[1], ranked[-1]
        named |= {best.engine, second.engine, worst.engine}
        ahead = ", ".join(f"{best.median / one.median:.1f} times {one.engine}" for one in (second, worst))
        lines.append(f"{position}: {best.engine} lists fastest, {ahead}")
    return lines + [_remark(one) for one in finished.techniques if one.engine in named]


def _rank(speeds: Sequence[Speed]) -> list[Speed]:
    """Return the speeds of right counts, the fastest first."""
    return sorted((one for one in speeds if one.verdict is Verdict.AGREE), key=lambda one: -one.median)


def _remark(technique: TechniqueCost) -> str:
    return f"{technique.engine}: {technique.remark}"
