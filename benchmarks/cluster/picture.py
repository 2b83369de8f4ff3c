"""Utilisation over workers as an SVG picture: a curve for each way to count, workers on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import log

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 540, 52, 356
STEPS = 5

LIGHT = ("#0b62c4", "#b45309", "#7c3aed", "#15803d", "#c026d3", "#0e7490", "#be123c", "#57534e")
DARK = ("#6cb2ff", "#fbab4a", "#b79bff", "#5bd184", "#ee8cf7", "#4fd3e8", "#ff8597", "#c4beb9")
DASHES = ("", "7 4")
"""A second round of colors is dashed."""
FONT = "text{font:13px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}"
SHAPES = (
    ".head{font-weight:600;font-size:15px}.all{stroke-dasharray:2 4}"
    ".line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}.dot{stroke-width:7}.leader{stroke-width:1}"
)


def rules_of_document(lines: int) -> str:
    """Return the style sheet of a picture with so many lines, which follows the scheme of the reader."""
    light = _paper("#ffffff", "#1c1917", "#6b6560", "#e7e5e4") + _colors(LIGHT, lines)
    dark = _paper("#0d1117", "#e6edf3", "#9aa4af", "#272e37") + _colors(DARK, lines)
    return f"{FONT}{SHAPES}{_dashes(lines)}{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _dashes(lines: int) -> str:
    return "".join(
        f".line.s{number}{{stroke-dasharray:{DASHES[number // len(LIGHT) % len(DASHES)]}}}"
        for number in range(len(LIGHT), lines)
        if DASHES[number // len(LIGHT) % len(DASHES)]
    )


def _paper(page: str, text: str, soft: str, grid: str) -> str:
    """Return the colors of all but the lines. As they are, for programs that do not know variables."""
    return f".page{{fill:{page}}}text{{fill:{text}}}.soft{{fill:{soft}}}.all{{stroke:{soft}}}.grid{{stroke:{grid}}}"


def _colors(colors: tuple[str, ...], lines: int) -> str:
    return "".join(
        f"path.s{number},line.s{number}{{stroke:{colors[number % len(colors)]}}}"
        f"text.s{number}{{fill:{colors[number % len(colors)]}}}"
        for number in range(lines)
    )


def spread(wanted: Sequence[float], gap: float, lowest: float, highest: float) -> list[float]:
    """Return places for labels near those wanted, at least `gap` apart and within the limits if there is room."""
    order = sorted(range(len(wanted)), key=lambda number: (wanted[number], number))
    places = [0.0] * len(wanted)
    least = lowest
    for number in order:
        places[number] = max(wanted[number], least)
        least = places[number] + gap
    most = highest
    for number in reversed(order):
        places[number] = min(places[number], most)
        most = places[number] - gap
    return places


LABEL_GAP = 17
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
        f"<style>{rules_of_document(len(curves))}</style>",
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
