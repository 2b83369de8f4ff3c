"""The rare events that a fuzzing run has met, against seconds, as an SVG picture."""

from __future__ import annotations

from ...harness.fuzzing.course.model import Course
from ..text import count
from . import step_chart
from .step_chart import Stairs

HEIGHT = 260


def drawing(course: Course, possible: int) -> str:
    """Return the events met, of those that are possible, as an SVG element; the page around it gives the colors.

    The run has lasted for some time, and has met an event.
    """
    met, most = len(course.events), max(len(course.events), possible)
    last = course.events[-1][1]
    return step_chart.drawing(
        Stairs(
            title="Rare events met against time",
            description=f"{met} of {count(most, 'rare event')} met in {course.seconds:.1f} seconds, "
            f"the last one after {last:.1f}.",
            heading=f"Rare events met, of {most}",
            across="seconds (logarithmic)",
            seconds=course.seconds,
            most=most,
            lines={"met": [(seconds, number) for number, (_, seconds) in enumerate(course.events, 1)]},
            height=HEIGHT,
        )
    )
