"""The curve of a score as an SVG picture: families detected against seconds, a line for each strategy."""

from __future__ import annotations

from ...harness.zoo.hunting.model import Score
from ..text import count
from . import step_chart
from .step_chart import Stairs


def render(score: Score) -> str:
    """Return the curves of a score as an SVG document, for light and dark pages; same outcomes, same bytes."""
    return step_chart.render(_stairs(score))


def drawing(score: Score) -> str:
    """Return the curves of a score as an SVG element; the page around it gives the colors."""
    return step_chart.drawing(_stairs(score))


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
