"""Speeds as SVG: those of an engine over its runs, and a bar with the spread of a bench."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import floor, log10
from statistics import median

from ...harness.history.model import KeptRun, SpeedLine, SpeedsOverTime
from ...harness.model.machine import readable
from ..text import count, short
from . import colors

WIDTH, HEIGHT = 760, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 736, 48, 208
"""Where the field of the line lies."""
MOST_TICKS = 10
"""So many runs have their number below them."""


def speeds_document(speeds: SpeedsOverTime) -> str:
    """Return the speeds as an SVG document, for light and dark pages: a chart for each engine, one below the other."""
    charts = [
        f'<g transform="translate(0 {number * HEIGHT})">{"".join(_parts(line))}</g>'
        for number, line in enumerate(speeds.lines)
    ]
    height = HEIGHT * max(1, len(charts))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    return "\n".join([head, f"<style>{colors.of_document(1)}</style>", *charts, "</svg>"]) + "\n"


def draw_speeds(line: SpeedLine) -> str:
    """Return the chart of one engine as an SVG element; the page around it gives the colors."""
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(describe_line(line))}">'
    return "".join([head, *_parts(line), "</svg>"])


def describe_line(line: SpeedLine) -> str:
    """Return what a chart shows, in words."""
    first, last = (f"{speed:,.3g}" for speed in (line.speeds[0], line.speeds[-1]))
    began, ended = (readable(run.origin.began) for run in (line.runs[0], line.runs[-1]))
    if len(line.runs) == 1:
        return f"1 run, {began} UTC: {first} million leaf nodes a second"
    return f"{count(len(line.runs), 'run')}, {began} to {ended} UTC: {first} at first, {last} at last"


def _parts(line: SpeedLine) -> Iterator[str]:
    most = max(line.speeds)
    yield f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    yield f'<text class="head" x="{LEFT}" y="28">{escape(line.engine)}: million leaf nodes a second</text>'
    yield from _grid(most)
    places = [_across(number, len(line.runs)) for number in range(len(line.runs))]
    heights = [BOTTOM - speed / most * (BOTTOM - TOP) for speed in line.speeds]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(places, heights, strict=True))
    yield f'<path class="line s0" d="M{path}"/>'
    every = max(1, -(-len(line.runs) // MOST_TICKS))
    for number, (run, x, y) in enumerate(zip(line.runs, places, heights, strict=True)):
        yield f'<path class="line s0 dot" d="M{x:.1f} {y:.1f}h0.01"><title>{escape(_run(run))}</title></path>'
        if number % every == 0:
            yield f'<text class="soft" x="{x:.1f}" y="{BOTTOM + 20}" text-anchor="middle">{run.number}</text>'
    yield f'<text x="{(LEFT + RIGHT) / 2:.1f}" y="{BOTTOM + 42}" text-anchor="middle">run</text>'


def _run(run: KeptRun) -> str:
    digest = f", digest {run.origin.digest[:12]}" if run.origin.digest else ""
    return f"run {run.number}, {readable(run.origin.began)} UTC: {short(run.speed or 0)} nodes a second{digest}"


def _across(number: int, runs: int) -> float:
    """Return where a run stands; a single one stands in the middle."""
    return LEFT + (RIGHT - LEFT) * (0.5 if runs == 1 else 0.02 + 0.96 * number / (runs - 1))


def _grid(most: float) -> Iterator[str]:
    """Yield at most six lines at round speeds, from 0 on."""
    size = 10.0 ** floor(log10(most))
    step = next(size * part for part in (0.2, 0.5, 1.0, 2.0) if most <= 5.5 * size * part)
    for number in range(floor(most / step + 1e-9) + 1):
        y = BOTTOM - number * step / most * (BOTTOM - TOP)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>'
        yield f'<text class="soft" x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{number * step:g}</text>'


BAR_WIDTH, BAR_HEIGHT = 100, 12


def bar(values: Sequence[float], most: float) -> str:
    """Return a bar as long as the median of the values, with a line from the least to the greatest of them.

    `most` is the value at the right end. A text beside it has to say the figures.
    """
    low, middle, high = (BAR_WIDTH * value / most for value in (min(values), median(values), max(values)))
    return (
        f'<svg class="bar" viewBox="0 0 {BAR_WIDTH} {BAR_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="{BAR_WIDTH}" height="{BAR_HEIGHT}"/>'
        f'<rect class="median" width="{middle:.2f}" height="{BAR_HEIGHT}"/>'
        f'<path class="spread" d="M{low:.2f} 6H{high:.2f}M{low:.2f} 3V9M{high:.2f} 3V9"/></svg>'
    )
