"""Charts as SVG: numbers that grow with time as flights of stairs, and bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log
from statistics import median

from ..harness.coverage.code import CodeCoverage
from ..harness.fuzzing.course import Course
from ..harness.zoo.results import Score
from .text import count

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


def rules_of_page(lines: int) -> str:
    """Return the style sheet for charts within a page: all rules are for `.chart` alone, colors for either scheme."""
    both = tuple(f"light-dark({light}, {dark})" for light, dark in zip(LIGHT, DARK, strict=True))
    paper = _paper("none", "var(--text)", "var(--soft)", "var(--line)")
    return f".chart{{{FONT}{SHAPES}{_dashes(lines)}{paper}{_colors(both, lines)}}}"


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


SHORTEST = 0.1
"""Seconds at which the axis begins, unless the budget is too small for that."""


@dataclass(frozen=True)
class Axes:
    """The two axes; a time before the first one shown stands at the left edge."""

    budget: float
    """Seconds at which the axis of time ends."""
    families: int
    """Families at which the other one ends."""

    @property
    def shortest(self) -> float:
        """Seconds at which the axis of time begins."""
        return min(SHORTEST, self.budget / 10)

    def across(self, seconds: float) -> float:
        """Return where a time stands, from 0 to 1."""
        if seconds <= self.shortest:
            return 0.0
        return min(1.0, log(seconds / self.shortest) / log(self.budget / self.shortest))

    def up(self, families: float) -> float:
        """Return where a number of families stands, from 0 to 1."""
        return families / self.families

    @property
    def second_ticks(self) -> list[float]:
        """Ones, twos and fives within the axis of time."""
        decades = range(floor(log(self.shortest, 10)) - 1, ceil(log(self.budget, 10)) + 1)
        ticks = [float(f"{digit}e{decade}") for decade in decades for digit in (1, 2, 5)]
        return [tick for tick in ticks if self.shortest <= tick <= self.budget]

    @property
    def family_ticks(self) -> list[int]:
        """At most six round numbers within the other axis, from 0 on."""
        steps = (digit * 10**decade for decade in range(5) for digit in (1, 2, 5))
        step = next(step for step in steps if self.families <= 5 * step)
        return list(range(0, self.families + 1, step))


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


WIDTH = 760
LEFT, RIGHT, TOP, BELOW = 64, 620, 52, 64
"""Where the field of the lines lies; the last is what is left free below it."""
LABEL_GAP = 17


@dataclass(frozen=True)
class Stairs:
    """What a picture shows."""

    title: str
    description: str
    """What it shows, in words."""
    heading: str
    across: str
    """What the axis of time counts."""
    seconds: float
    """Where the axis of time ends."""
    most: int
    """Where the other one ends."""
    lines: Mapping[str, Sequence[tuple[float, int]]]
    """For each name the times at which the number has grown, and the number from there on."""
    height: int = 440
    mark: str = ""
    """The end of its identifiers, where a page may have another one."""

    @property
    def axes(self) -> Axes:
        """The axes of the picture."""
        return Axes(self.seconds, self.most)

    @property
    def bottom(self) -> int:
        """Where the field of the lines ends."""
        return self.height - BELOW

    def x(self, seconds: float) -> float:
        """Return where a time stands."""
        return LEFT + self.axes.across(seconds) * (RIGHT - LEFT)

    def y(self, number: float) -> float:
        """Return where a number stands."""
        return self.bottom - self.axes.up(number) * (self.bottom - TOP)


def stairs_document(stairs: Stairs) -> str:
    """Return an SVG document, for light and dark pages; the same numbers give the same bytes."""
    return draw_stairs(stairs, f"<style>{rules_of_document(len(stairs.lines))}</style>")


def draw_stairs(stairs: Stairs, style: str = "") -> str:
    """Return an SVG element; without a style, the page around it gives the colors."""
    ends = [points[-1][1] if points else 0 for points in stairs.lines.values()]
    places = spread([stairs.y(end) for end in ends], LABEL_GAP, TOP, stairs.bottom)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {stairs.height}" width="{WIDTH}" '
        f'height="{stairs.height}" role="img" aria-labelledby="title{stairs.mark} desc{stairs.mark}">',
        f'<title id="title{stairs.mark}">{escape(stairs.title)}</title>',
        f'<desc id="desc{stairs.mark}">{escape(stairs.description)}</desc>',
        style,
        f'<rect class="page" width="{WIDTH}" height="{stairs.height}" rx="6"/>',
        f'<text class="head" x="{LEFT}" y="28">{escape(stairs.heading)}</text>',
        *_grid(stairs),
    ]
    for number, (name, points) in enumerate(stairs.lines.items()):
        drawn.append(_line(stairs, number, name, points))
        drawn += _label(number, f"{name} {ends[number]}", stairs.y(ends[number]), places[number])
    return "\n".join([*filter(None, drawn), "</svg>"]) + "\n"


def _grid(stairs: Stairs) -> list[str]:
    """The ticks of both axes, what they count, and the line that can be reached at most."""
    drawn, bottom = [], stairs.bottom
    for number in stairs.axes.family_ticks:
        y = stairs.y(number)
        drawn.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>')
        drawn.append(f'<text class="soft" x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{number}</text>')
    for seconds in stairs.axes.second_ticks:
        x = stairs.x(seconds)
        drawn.append(f'<line class="grid" x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 6}"/>')
        drawn.append(f'<text class="soft" x="{x:.1f}" y="{bottom + 22}" text-anchor="middle">{seconds:g}</text>')
    middle = (LEFT + RIGHT) / 2
    drawn.append(f'<line class="all" x1="{LEFT}" y1="{TOP}" x2="{RIGHT}" y2="{TOP}"/>')
    drawn.append(f'<text x="{middle:.1f}" y="{bottom + 46}" text-anchor="middle">{escape(stairs.across)}</text>')
    return drawn


def _line(stairs: Stairs, number: int, name: str, points: Sequence[tuple[float, int]]) -> str:
    """A flight of stairs, from the left edge to the right."""
    before = max((reached for seconds, reached in points if seconds <= stairs.axes.shortest), default=0)
    path = [f"M{LEFT} {stairs.y(before):.1f}"]
    for seconds, reached in points:
        if reached > before:
            path.append(f"H{stairs.x(seconds):.1f}V{stairs.y(reached):.1f}")
    return f'<path class="line s{number}" data-name="{escape(name)}" d="{"".join(path)}H{RIGHT}"/>'


def _label(number: int, text: str, end: float, place: float) -> list[str]:
    """The name at the end of a line, led to it where others were in the way."""
    leader = f'<line class="leader s{number}" x1="{RIGHT + 2}" y1="{end:.1f}" x2="{RIGHT + 12}" y2="{place:.1f}"/>'
    return [leader, f'<text class="s{number}" x="{RIGHT + 16}" y="{place + 4:.1f}">{escape(text)}</text>']


def score_document(score: Score) -> str:
    """Return the curves of a score as an SVG document, for light and dark pages; same outcomes, same bytes."""
    return stairs_document(_stairs(score))


def draw_score(score: Score) -> str:
    """Return the curves of a score as an SVG element; the page around it gives the colors."""
    return draw_stairs(_stairs(score))


def _stairs(score: Score) -> Stairs:
    told = ", ".join(f"{name} {points[-1][1] if points else 0}" for name, points in score.curves.items())
    return Stairs(
        title="Families of faults detected against time",
        description=f"Of {count(score.families, 'family', 'families')}, within {score.budget:g} seconds for each "
        f"fault: {told}.",
        heading=f"Families detected, of {score.families}",
        across="seconds for each fault (logarithmic)",
        seconds=score.budget,
        most=score.families,
        lines=score.curves,
    )


EVENTS_HEIGHT = 260


def draw_events_met(course: Course, possible: int) -> str:
    """Return the events met, of those that are possible, as an SVG element; the page around it gives the colors.

    The run has lasted for some time, and has met an event.
    """
    met, most = len(course.events), max(len(course.events), possible)
    last = course.events[-1][1]
    return draw_stairs(
        Stairs(
            title="Rare events met against time",
            description=f"{met} of {count(most, 'rare event')} met in {course.seconds:.1f} seconds, "
            f"the last one after {last:.1f}.",
            heading=f"Rare events met, of {most}",
            across="seconds (logarithmic)",
            seconds=course.seconds,
            most=most,
            lines={"met": [(seconds, number) for number, (_, seconds) in enumerate(course.events, 1)]},
            height=EVENTS_HEIGHT,
        )
    )


def draw_branches_reached(code: CodeCoverage) -> str:
    """Return the branches of an engine's code that were reached, as an SVG element; the page gives the colors.

    The coverage has a curve.
    """
    points, last = code.summary.curve, code.summary.curve[-1]
    return draw_stairs(
        Stairs(
            title="Branches reached against time",
            description=f"{last.branches} of {count(code.branches, 'branch', 'branches')} reached, "
            f"the last one after {last.seconds:.2f} seconds, at position {last.positions:,}.",
            heading=f"Branches reached, of {code.branches}",
            across="seconds (logarithmic)",
            seconds=max(last.seconds, SHORTEST),
            most=code.branches,
            lines={"reached": [(point.seconds, point.branches) for point in points]},
            height=EVENTS_HEIGHT,
            mark="-branches",
        )
    )


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
