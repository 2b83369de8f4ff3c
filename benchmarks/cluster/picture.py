"""Utilisation over workers as an SVG picture: a curve for each way to count, workers on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import log

from perft_check.reports import charts
from perft_check.reports.charts import LABEL_GAP, spread

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 540, 52, 356
STEPS = 5

Curve = Sequence[tuple[int, float]]
"""Workers, and the share of their time that is used."""


def picture(heading: str, curves: Mapping[str, Curve]) -> str:
    """Return the SVG document, for light and dark pages; the same curves give the same bytes."""
    most = max(workers for curve in curves.values() for workers, _ in curve)
    ends = [_up(curve[-1][1]) for curve in curves.values()]
    places = spread(ends, LABEL_GAP, TOP, BOTTOM)
    told = "; ".join(f"{name}: {100 * curve[-1][1]:.0f} % of {most:,} workers" for name, curve in curves.items())
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="desc">{escape(told)}</desc>',
        f"<style>{charts.rules_of_document(len(curves))}</style>",
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        f'<text class="head" x="{LEFT}" y="28">{escape(heading)}</text>',
        *_grid(sorted({workers for curve in curves.values() for workers, _ in curve}), most),
    ]
    for number, (name, curve) in enumerate(curves.items()):
        path = "L".join(f"{_across(workers, most):.1f} {_up(share):.1f}" for workers, share in curve)
        drawn.append(f'<path class="line s{number}" d="M{path}"/>')
        x, y, place = RIGHT + 2, ends[number], places[number]
        drawn.append(f'<line class="leader s{number}" x1="{x}" y1="{y:.1f}" x2="{x + 10}" y2="{place:.1f}"/>')
        drawn.append(f'<text class="s{number}" x="{x + 14}" y="{place + 4:.1f}">{escape(name)}</text>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _across(workers: int, most: int) -> float:
    return LEFT + (RIGHT - LEFT) * log(workers) / log(most)


def _up(share: float) -> float:
    return BOTTOM - share * (BOTTOM - TOP)


def _grid(workers: Sequence[int], most: int) -> Iterator[str]:
    for step in range(STEPS + 1):
        y = _up(step / STEPS)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>'
        yield f'<text class="soft" x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{100 * step // STEPS} %</text>'
    for number in workers[::2]:
        x = _across(number, most)
        yield f'<text class="soft" x="{x:.1f}" y="{BOTTOM + 22}" text-anchor="middle">{number:,}</text>'
    yield f'<text x="{(LEFT + RIGHT) / 2:.1f}" y="{BOTTOM + 46}" text-anchor="middle">workers (logarithmic)</text>'
