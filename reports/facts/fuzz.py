"""A fuzzing run in words: its speed and timeline, what it has met, how it ended."""

from __future__ import annotations

from rich.text import Text

from ...harness.engines.spec import short_names
from ...harness.fuzzing.model import FuzzFinished, causes_of_findings
from ...harness.fuzzing.timeline import CampaignTimeline
from ..table import ReportTable
from ..text import count, duration, short

GENERATED = {
    "asked ahead": "many at once",
    "asked ahead (Chess960)": "many at once (Chess960)",
}
"""What is shown instead of the names of some strategies, which only perft-check uses."""


def timeline_facts(finished: FuzzFinished) -> tuple[tuple[str, str], ...]:
    """Return names and values for a report; nothing if one seed repeats the run byte for byte."""
    course = finished.reported_timeline
    return () if course is None else (("speed", positions_a_second(finished)), *facts_of_timeline(course))


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


def facts_of_timeline(course: CampaignTimeline) -> tuple[tuple[str, str], ...]:
    """Return names and values, without those that are not known."""
    facts = (
        ("inside the engine", inside_the_engine(course)),
        ("rare events met for the first time", _new(course, course.new_events_a_minute, course.last_new_event)),
        ("pairs of them in one position", _new(course, course.new_pairs_a_minute, course.last_new_pair)),
    )
    return tuple(fact for fact in facts if fact[1])


def inside_the_engine(course: CampaignTimeline) -> str:
    """Return the share of the CPU time that was spent inside the engine, or "" if that is not known."""
    if course.engine_share is None:
        return ""
    whole = course.cpu_seconds
    seconds = f"{whole:,.0f} s" if whole >= 9.995 else duration(whole)
    return f"{100 * course.engine_share:.0f} % of {seconds} of CPU time"


def _new(course: CampaignTimeline, rate: float | None, last: float | None) -> str:
    """Return how often something was new at the end, and when for the last time; "" if nothing was."""
    if rate is None or last is None:
        return ""
    often = f"{rate:,.0f}" if rate >= 10 or rate == 0 else f"{rate:.1f}"
    return f"{often} a minute in the last {duration(course.latest_seconds)}, the last one after {duration(last)}"


def swept(finished: FuzzFinished) -> str:
    """Return how many questions of the sweep were asked."""
    questions = finished.started.sweep
    return f"{finished.swept:,} of {questions:,}" if finished.swept < questions else f"all {questions:,}"


def chance_of_new_event(finished: FuzzFinished) -> str:
    """Return how many further positions would cover a new event; "" if all are covered, or nothing is known."""
    coverage = finished.coverage
    are_left = bool({*finished.started.possible_events} - {event for event, _ in coverage.events})
    if not coverage.examples or not are_left:
        return ""
    likely = coverage.chance_of_new_event
    if not likely:
        return f"fewer than 1 in {coverage.examples:,}"
    often = round(1 / likely)
    return f"about 1 in {often:,}" if often > 1 else "almost all"


def counts_table(title: str, rows: tuple[tuple[str, int], ...]) -> ReportTable:
    """Return how many examples each strategy has drawn, or have each label."""
    table = ReportTable(ruled=True)
    table.add_columns(title)
    table.add_columns("positions", justify="right")
    for name, number in rows:
        table.add_row(GENERATED.get(name, name), f"{number:,}")
    return table


def summary(finished: FuzzFinished) -> Text:
    """Return the line that sums up a run."""
    cut = "interrupted: " if finished.interrupted else "ended early, after several timeouts: " * finished.is_cut_short
    started = finished.started
    name = short_names((started.engine, *started.references))[started.engine]
    if finished.failure:
        return Text(f"{finished.failure}; until then {_findings(finished, name)}", style="bold red", overflow="fold")
    if not finished.examples:
        return Text(f"{cut}nothing was examined", style="bold yellow")
    if not finished.findings:
        style = "bold yellow" if finished.interrupted else "bold green"
        return Text(f"{cut}{_findings(finished, name)}", style=style)
    style = "bold red" if any(finding.reproducible for finding in finished.findings) else "bold yellow"
    return Text(f"{cut}{_findings(finished, name)}", style=style, overflow="fold")


def _findings(finished: FuzzFinished, name: str) -> str:
    examined = count(finished.coverage.examples, "position")
    own = sum(finding.is_of_engine for finding in finished.findings)
    kinds = count(own, "kind of fault", "kinds of faults") if own else "no fault"
    causes = len(causes_of_findings(finding for finding in finished.findings if finding.is_of_engine))
    if causes < own:
        kinds += f" from {count(causes, 'cause')}"
    vanished = sum(not finding.reproducible for finding in finished.findings)
    innocent = len(finished.findings) - own - vanished
    others = f", and {count(innocent, 'difference')} that it is not to blame for" if innocent else ""
    others += f", and {count(vanished, 'failure')} not reproduced" if vanished else ""
    stored = f"; kept in {finished.stored}" if finished.stored else ""
    return f"{kinds} of {name} in {examined}{others}{stored}"
