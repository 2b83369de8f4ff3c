"""The report of a fuzzing run: what it has met, in short, and last the findings, each with a command to reproduce it.

Times are printed only if they have decided what was examined: otherwise one seed gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from ...generator.events import Event
from ...harness.checking.causes import CauseGroup
from ...harness.engines.spec import introduce
from ...harness.fuzzing.model import FuzzFinding, FuzzFinished, causes_of_findings
from ..facts.fuzz import chance_of_new_event, counts_table, speed_of, summary, swept, timeline_facts
from ..failure import render_fuzz_finding, title_of
from ..layout import Indented, not_tried
from ..table import ReportTable
from ..text import again, count, unreachable
from .coverage import render_code


def render(finished: FuzzFinished, verbose: bool = False, quiet: bool = False) -> RenderableType:
    """Return the report, its findings last. `verbose` has all figures; `quiet` leaves out what the run has met."""
    parts = [
        *_figures(finished, verbose, quiet),
        *not_tried(finished.untried, verbose=verbose, quiet=quiet),
        summary(finished),
    ]
    return Group(*parts, *_findings(finished))


def render_several(
    finished: Mapping[str, FuzzFinished], failed: Mapping[str, str], verbose: bool = False, quiet: bool = False
) -> RenderableType:
    """Return the reports of several runs, then a line for each with its name; `failed` are those without a report."""
    parts: list[RenderableType] = []
    for name, one in finished.items():
        parts += [
            *_figures(one, verbose, quiet),
            *not_tried(one.untried, name, verbose=verbose, quiet=quiet),
            *_findings(one),
            Text(),
        ]
    parts += [Text.assemble((f"{name}: ", "bold"), summary(one), overflow="fold") for name, one in finished.items()]
    parts += [
        Text.assemble((f"{name}: ", "bold"), (failure, "bold red"), overflow="fold") for name, failure in failed.items()
    ]
    return Group(*parts)


def _figures(finished: FuzzFinished, verbose: bool, quiet: bool) -> list[RenderableType]:
    """Return what was fuzzed, and what the run has met: in a few lines, or all of it."""
    if quiet:
        return []
    told = [_coverage(finished)] if verbose else [Text(line, overflow="fold") for line in figures_in_short(finished)]
    code = [] if finished.code is None else render_code(finished.code, verbose, with_times=finished.depends_on_time)
    return [_heading(finished), Text(), *told, *code, *[Text()] * verbose]


def _findings(finished: FuzzFinished) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for number, group in enumerate(causes_of_findings(finished.findings), 1):
        parts += [Text(), render_fuzz_finding(number, group.simplest), *_others(group)]
    return parts


def _heading(finished: FuzzFinished) -> Text:
    started = finished.started
    against = " and ".join(map(introduce, started.references)) or "itself"
    return Text.assemble(
        (f"perft-check {started.version}", "bold"),
        "  fuzzing ",
        (introduce(started.engine), "cyan"),
        f" against {against}, seed {started.seed}; checks: {', '.join(started.checks)}",
        overflow="fold",
    )


def _others(group: CauseGroup[FuzzFinding]) -> list[RenderableType]:
    """Return a line for each of the other findings of a cause, and the command that reproduces it, if different."""
    parts: list[RenderableType] = []
    for finding in group.members[1:]:
        seen = count(finding.times, "position")
        facts = f"check: {finding.discrepancy.check}; seen in {seen}{unreachable(finding.label)}"
        title = f"the same cause: {title_of(finding.discrepancy)} ({facts}): "
        parts.append(Text.assemble((title, "dim"), str(finding.discrepancy.game), overflow="fold"))
        if finding.replay != group.simplest.replay:
            parts.append(Indented(again(finding.replay)))
    return parts


def figures_in_short(finished: FuzzFinished) -> list[str]:
    """Return what the run has met, in three or four lines."""
    coverage, sweep = finished.coverage, finished.started.sweep
    examined = f"examined: {count(coverage.examples, 'position')}"
    if sweep:
        examined += f"; fixed questions (the sweep): {swept(finished)}"
    met = f"{_events_met(finished)} (-v lists them)"
    if told := chance_of_new_event(finished):
        met += f"; {told} further positions would cover a new one"
    speed = [] if finished.reported_timeline is None else [f"speed: {speed_of(finished)}"]
    return [examined, met, *speed]


def _coverage(finished: FuzzFinished) -> RenderableType:
    """Return all that the run has met, and its timeline."""
    coverage, possible = finished.coverage, [Event(event) for event in finished.started.possible_events]
    positions = {Event(event): number for event, number in coverage.events}
    parts: list[RenderableType] = [counts_table("strategy", coverage.strategies), Text()]
    if coverage.labels:
        parts += [counts_table("kind of position", coverage.labels), Text()]
    if finished.started.sweep:
        parts.append(Text(f"fixed questions (the sweep): {swept(finished)}", overflow="fold"))
    rows = sorted(positions.items(), key=lambda row: (row[1], row[0]))
    parts += [event_table("rare event", rows), Text()]
    never = [event.label for event in possible if event not in positions]
    parts.append(Text(f"{_events_met(finished)}{'; not covered: ' * bool(never)}{', '.join(never)}", overflow="fold"))
    if told := chance_of_new_event(finished):
        parts.append(Text(f"{told} further positions would cover a new one", overflow="fold"))
    parts += [Text(f"{name}: {value}", overflow="fold") for name, value in timeline_facts(finished)]
    return Group(*parts)


def _events_met(finished: FuzzFinished) -> str:
    """Return how many of the rare events that can be drawn were met."""
    possible = finished.started.possible_events
    met = {event for event, _ in finished.coverage.events}.intersection(possible)
    return f"{len(met)} of {count(len(possible), 'rare event')} of chess covered"


def event_table(title: str, rows: list[tuple[Event, int]]) -> ReportTable:
    """Return how many positions met each event, with the sentence that says what it is."""
    table = ReportTable(ruled=True)
    table.add_columns(title)
    table.add_columns("positions", justify="right")
    table.add_columns("that is")
    for event, number in rows:
        table.add_row(event.label, f"{number:,}", event.sentence)
    return table
