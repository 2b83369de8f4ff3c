"""The curve of a score as an SVG picture: families detected against seconds, a line for each strategy."""

from __future__ import annotations

from xml.sax.saxutils import escape

from ...harness.zoo.hunting.model import Score
from ..text import count
from .axes import Axes, spread

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 620, 52, 376
"""Where the field of the curves lies."""
LABEL_GAP = 17
LIGHT = ("#0b62c4", "#b45309", "#7c3aed", "#15803d", "#c026d3", "#0e7490", "#be123c", "#57534e")
DARK = ("#6cb2ff", "#fbab4a", "#b79bff", "#5bd184", "#ee8cf7", "#4fd3e8", "#ff8597", "#c4beb9")
DASHES = ("", "7 4")
"""A second round of colors is dashed."""


def render(score: Score) -> str:
    """Return the curves of a score as an SVG document, for light and dark pages; same outcomes, same bytes."""
    axes = Axes(score.budget, score.families)
    curves = score.curves
    ends = [points[-1][1] if points else 0 for points in curves.values()]
    places = spread([_y(axes, end) for end in ends], LABEL_GAP, TOP, BOTTOM)
    told = ", ".join(f"{name} {end}" for name, end in zip(curves, ends, strict=True))
    drawing = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-labelledby="title desc">',
        '<title id="title">Families of faults detected against time</title>',
        f'<desc id="desc">Of {count(score.families, "family", "families")}, within {score.budget:g} seconds for each '
        f"fault: {escape(told)}.</desc>",
        f"<style>{_style(len(curves))}</style>",
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        f'<text class="head" x="{LEFT}" y="28">Families detected, of {score.families}</text>',
        *_grid(axes),
    ]
    for number, (name, points) in enumerate(curves.items()):
        drawing.append(_line(axes, number, name, points))
        drawing += _label(number, f"{name} {ends[number]}", _y(axes, ends[number]), places[number])
    return "\n".join([*drawing, "</svg>"]) + "\n"


def _x(axes: Axes, seconds: float) -> float:
    return LEFT + axes.across(seconds) * (RIGHT - LEFT)


def _y(axes: Axes, families: float) -> float:
    return BOTTOM - axes.up(families) * (BOTTOM - TOP)


def _style(lines: int) -> str:
    plain = (
        "text{font:13px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}"
        ".head{font-weight:600;font-size:15px}.all{stroke-dasharray:2 4}"
        ".line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}.leader{stroke-width:1}"
    )
    dashes = "".join(
        f".line.s{number}{{stroke-dasharray:{DASHES[number // len(LIGHT) % len(DASHES)]}}}"
        for number in range(len(LIGHT), lines)
        if DASHES[number // len(LIGHT) % len(DASHES)]
    )
    light = _paper("#ffffff", "#1c1917", "#6b6560", "#e7e5e4") + _colors(LIGHT, lines)
    dark = _paper("#0d1117", "#e6edf3", "#9aa4af", "#272e37") + _colors(DARK, lines)
    return f"{plain}{dashes}{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _paper(page: str, text: str, soft: str, grid: str) -> str:
    """Return the colors of all but the lines. As they are, for programs that do not know variables."""
    return f".page{{fill:{page}}}text{{fill:{text}}}.soft{{fill:{soft}}}.all{{stroke:{soft}}}.grid{{stroke:{grid}}}"


def _colors(colors: tuple[str, ...], lines: int) -> str:
    return "".join(
        f"path.s{number},line.s{number}{{stroke:{colors[number % len(colors)]}}}"
        f"text.s{number}{{fill:{colors[number % len(colors)]}}}"
        for number in range(lines)
    )


def _grid(axes: Axes) -> list[str]:
    """The ticks of both axes, what they count, and the line that can be reached at most."""
    drawn = []
    for families in axes.family_ticks:
        y = _y(axes, families)
        drawn.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>')
        drawn.append(f'<text class="soft" x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{families}</text>')
    for seconds in axes.second_ticks:
        x = _x(axes, seconds)
        drawn.append(f'<line class="grid" x1="{x:.1f}" y1="{BOTTOM}" x2="{x:.1f}" y2="{BOTTOM + 6}"/>')
        drawn.append(f'<text class="soft" x="{x:.1f}" y="{BOTTOM + 22}" text-anchor="middle">{seconds:g}</text>')
    middle = (LEFT + RIGHT) / 2
    drawn.append(f'<line class="all" x1="{LEFT}" y1="{TOP}" x2="{RIGHT}" y2="{TOP}"/>')
    title = "seconds for each fault (logarithmic)"
    drawn.append(f'<text x="{middle:.1f}" y="{BOTTOM + 46}" text-anchor="middle">{title}</text>')
    return drawn


def _line(axes: Axes, number: int, name: str, points: tuple[tuple[float, int], ...]) -> str:
    """A flight of stairs, from the left edge to the right."""
    before = max((families for seconds, families in points if seconds <= axes.shortest), default=0)
    path = [f"M{LEFT} {_y(axes, before):.1f}"]
    for seconds, families in points:
        if families > before:
            path.append(f"H{_x(axes, seconds):.1f}V{_y(axes, families):.1f}")
    return f'<path class="line s{number}" data-name="{escape(name)}" d="{"".join(path)}H{RIGHT}"/>'


def _label(number: int, text: str, end: float, place: float) -> list[str]:
    """The name at the end of a line, led to it where others were in the way."""
    leader = f'<line class="leader s{number}" x1="{RIGHT + 2}" y1="{end:.1f}" x2="{RIGHT + 12}" y2="{place:.1f}"/>'
    return [leader, f'<text class="s{number}" x="{RIGHT + 16}" y="{place + 4:.1f}">{escape(text)}</text>']
