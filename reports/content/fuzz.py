"""Text about the speed, coverage and outcome of a fuzzing run."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from ...generator.events import Event
from ...harness.coverage.code import CodeCoverage
from ...harness.engines.spec import short_names
from ...harness.fuzzing.model import FuzzFinished, causes_of_findings
from ..table import ReportTable
from ..text import count, duration, percent, short

GENERATED = {
    "pipelined": "many at once",
    "pipelined (Chess960)": "many at once (Chess960)",
}
"""Display names of strategies whose own names are internal."""


def speed_facts(finished: FuzzFinished) -> tuple[tuple[str, str], ...]:
    """Return the speed as a labeled value for a report; empty if the report must depend only on the seed."""
    return (("speed", speed_of(finished)),) if finished.depends_on_time else ()


def speed_of(finished: FuzzFinished) -> str:
    """Return the speed and duration of a run."""
    rate = short(finished.examples / finished.seconds) if finished.seconds else "0"
    return f"{rate} {'position' if rate == '1' else 'positions'} a second, {duration(finished.seconds)}"


def swept(finished: FuzzFinished) -> str:
    """Return the number of questions of the sweep that were asked, such as "all 334"."""
    questions = finished.started.sweep
    return f"{finished.swept:,} of {questions:,}" if finished.swept < questions else f"all {questions:,}"


def chance_of_new_event(finished: FuzzFinished) -> str:
    """Return the estimated share of further positions with a new event, or "" if every event has occurred."""
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
    """Return a table of the number of positions per strategy or label."""
    table = ReportTable(ruled=True)
    table.add_columns(title)
    table.add_columns("positions", justify="right")
    for name, number in rows:
        table.add_row(GENERATED.get(name, name), f"{number:,}")
    return table


def event_table(title: str, rows: Iterable[tuple[Event, int]]) -> ReportTable:
    """Return a table of events with their descriptions and the number of positions in which each occurred."""
    table = ReportTable(ruled=True)
    table.add_columns(title)
    table.add_columns("positions", justify="right")
    table.add_columns("meaning")
    for event, number in rows:
        table.add_row(event.label, f"{number:,}", event.sentence)
    return table


def summary(finished: FuzzFinished) -> Text:
    """Return the last line of a report, a summary of the run."""
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
    kinds = count(own, "kind of fault", "kinds of faults") if own else "no new fault" if finished.known else "no fault"
    causes = len(causes_of_findings(finding for finding in finished.findings if finding.is_of_engine))
    if causes < own:
        kinds += f" from {count(causes, 'cause')}"
    vanished = sum(not finding.reproducible for finding in finished.findings)
    innocent = len(finished.findings) - own - vanished
    others = f", and {count(innocent, 'difference')} not caused by the engine" if innocent else ""
    others += f", and {count(vanished, 'failure')} not reproduced" if vanished else ""
    stored = f"; saved in {finished.stored}" if finished.stored else ""
    return f"{kinds} of {name} found in {examined}{others}{stored}"


UNKNOWN = "unknown, because the compiler lists only branches that ran; clang lists all"
"""The text of a report if branches that never ran have no source location."""


def figures_of_coverage(code: CodeCoverage) -> list[tuple[str, str]]:
    """Return the coverage of the code as labeled values; empty without coverage data."""
    if not code.branches:
        return []
    reached = f"{code.reached:,} of {branches(code.branches)} ({percent(code.reached / code.branches)})"
    on_lines = f"{code.lines_reached:,} of {count(code.lines, 'line')}"
    if not code.knows_unreached:
        reached, on_lines = branches(code.reached), count(code.lines_reached, "line")
    if code.lines:
        reached += f", on {on_lines}"
    figures = [("code reached", reached)]
    if code.by_fuzzing:
        figures.append(("by sweep cases", f"{branches(code.by_suites)}; added by fuzzing: {code.by_fuzzing:,}"))
    return figures


def branches(number: int) -> str:
    """Return "1 branch", "204 branches"."""
    return count(number, "branch", "branches")
