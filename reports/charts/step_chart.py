"""Numbers that grow with time as an SVG picture, a flight of stairs for each name: a score, or the events of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log

from ...harness.fuzzing.course.model import Course
from ...harness.zoo.hunting.model import Score
from ..text import count
from . import colors

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
    return draw_stairs(stairs, f"<style>{colors.of_document(len(stairs.lines))}</style>")


def draw_stairs(stairs: Stairs, style: str = "") -> str:
    """Return an SVG element; without a style, the page around it gives the colors."""
    ends = [points[-1][1] if points else 0 for points in stairs.lines.values()]
    places = spread([stairs.y(end) for end in ends], LABEL_GAP, TOP, stairs.bottom)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {stairs.height}" width="{WIDTH}" '
        f'height="{stairs.height}" role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(stairs.title)}</title>',
        f'<desc id="desc">{escape(stairs.description)}</desc>',
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
