"""The curve of a score as an SVG picture: families detected against seconds, a line for each strategy."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from ...harness.zoo.hunting.model import Score
from ..text import count
from . import colors
from .axes import Axes, spread

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 620, 52, 376
"""Where the field of the curves lies."""
LABEL_GAP = 17


def render(score: Score) -> str:
    """Return the curves of a score as an SVG document, for light and dark pages; same outcomes, same bytes."""
    return drawing(score, f"<style>{colors.of_document(len(score.curves))}</style>")


def drawing(score: Score, style: str = "") -> str:
    """Return the curves of a score as an SVG element; without a style, the page around it gives the colors."""
    axes = Axes(score.budget, score.families)
    curves = score.curves
    ends = [points[-1][1] if points else 0 for points in curves.values()]
    places = spread([_y(axes, end) for end in ends], LABEL_GAP, TOP, BOTTOM)
    told = ", ".join(f"{name} {end}" for name, end in zip(curves, ends, strict=True))
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-labelledby="title desc">',
        '<title id="title">Families of faults detected against time</title>',
        f'<desc id="desc">Of {count(score.families, "family", "families")}, within {score.budget:g} seconds for each '
        f"fault: {escape(told)}.</desc>",
        style,
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        f'<text class="head" x="{LEFT}" y="28">Families detected, of {score.families}</text>',
        *_grid(axes),
    ]
    for number, (name, points) in enumerate(curves.items()):
        drawn.append(_line(axes, number, name, points))
        drawn += _label(number, f"{name} {ends[number]}", _y(axes, ends[number]), places[number])
    return "\n".join([*filter(None, drawn), "</svg>"]) + "\n"


def _x(axes: Axes, seconds: float) -> float:
    return LEFT + axes.across(seconds) * (RIGHT - LEFT)


def _y(axes: Axes, families: float) -> float:
    return BOTTOM - axes.up(families) * (BOTTOM - TOP)


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
    return f'<path class="line s{number}" data-name={quoteattr(name)} d="{"".join(path)}H{RIGHT}"/>'


def _label(number: int, text: str, end: float, place: float) -> list[str]:
    """The name at the end of a line, led to it where others were in the way."""
    leader = f'<line class="leader s{number}" x1="{RIGHT + 2}" y1="{end:.1f}" x2="{RIGHT + 12}" y2="{place:.1f}"/>'
    return [leader, f'<text class="s{number}" x="{RIGHT + 16}" y="{place + 4:.1f}">{escape(text)}</text>']
