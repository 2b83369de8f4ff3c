"""Facts that several reports tell: the course of a fuzzing run in words, and how each suite of a run ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from ..harness.fuzzing.model import FuzzFinished
from ..harness.fuzzing.timeline import CampaignTimeline
from ..harness.model.results.events import RunFinished
from ..harness.model.results.verdict import Verdict
from .text import duration, short

DRAWN = {
    "asked ahead": "many at once",
    "asked ahead (Chess960)": "many at once (Chess960)",
}
"""What people are shown in place of the names of some strategies, which say nothing to them."""


def course_facts(finished: FuzzFinished) -> tuple[tuple[str, str], ...]:
    """Return names and what they say, for a report; nothing of a run that one seed repeats byte for byte."""
    course = finished.reported_timeline
    return () if course is None else (("speed", positions_a_second(finished)), *facts_of_course(course))


def positions_a_second(finished: FuzzFinished) -> str:
    """Return how many positions were examined a second, as "20.1 k positions a second"."""
    rate = short(finished.examples / finished.seconds) if finished.seconds else "0"
    return f"{rate} {'position' if rate == '1' else 'positions'} a second"


def speed_of(finished: FuzzFinished) -> str:
    """Return how fast a run was, how long it took, and the share of the CPU time that the engine had, if known."""
    course = finished.timeline
    speed = f"{positions_a_second(finished)}, {duration(finished.seconds)}"
    if course is None or course.engine_share is None:
        return speed
    return f"{speed}; {share_of_engine(course.engine_share)}"


def share_of_engine(share: float) -> str:
    """Return which part of the CPU time was spent inside the engine."""
    return f"{100 * share:.0f} % of CPU time in the engine"


def facts_of_course(course: CampaignTimeline) -> tuple[tuple[str, str], ...]:
    """Return names and what they say, without those of which nothing is known."""
    facts = (
        ("inside the engine", inside_the_engine(course)),
        ("rare events met for the first time", _new(course, course.new_events_a_minute, course.last_new_event)),
        ("pairs of them in one position", _new(course, course.new_pairs_a_minute, course.last_new_pair)),
    )
    return tuple(fact for fact in facts if fact[1])


def inside_the_engine(course: CampaignTimeline) -> str:
    """Return the share of the CPU time that was spent inside the engine; "" where that is not known."""
    if course.engine_share is None:
        return ""
    whole = course.cpu_seconds
    seconds = f"{whole:,.0f} s" if whole >= 9.995 else duration(whole)
    return f"{100 * course.engine_share:.0f} % of {seconds} of CPU time"


def _new(course: CampaignTimeline, rate: float | None, last: float | None) -> str:
    """Return how often something was new at the end, and when for the last time; "" where there was nothing."""
    if rate is None or last is None:
        return ""
    often = f"{rate:,.0f}" if rate >= 10 or rate == 0 else f"{rate:.1f}"
    return f"{often} a minute in the last {duration(course.latest_seconds)}, the last one after {duration(last)}"


@dataclass(frozen=True)
class SuiteRow:
    """One suite."""

    name: str
    positions: str
    """How many positions were compared, and of how many where that is not all."""
    agree: int
    fail: int
    deepest: int
    """The deepest depth that was compared."""
    nodes: int
    seconds: float
    """Time spent in the engine under test."""


def suite_rows(finished: RunFinished) -> Iterator[SuiteRow]:
    """Yield a row for each suite of which a position was begun."""
    planned = {suite.name: suite.positions for suite in finished.started.suites}
    for name, group in groupby(finished.results, key=lambda result: result.suite):
        agree = fail = deepest = nodes = 0
        seconds = 0.0
        for result in group:
            agree += result.verdict is Verdict.AGREE
            fail += result.verdict.is_failure
            deepest, nodes, seconds = max(deepest, result.depth), nodes + result.nodes, seconds + result.seconds
        done = agree + fail
        positions = str(done) if done == planned.get(name) else f"{done} of {planned.get(name)}"
        yield SuiteRow(name, positions, agree, fail, deepest, nodes, seconds)
