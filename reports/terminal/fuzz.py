"""The report of a fuzzing run: its figures, and its findings with commands that reproduce them.

Times are printed only if they determined what was examined. Otherwise, the same seed produces the same bytes.
"""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...generator.events import Event
from ...harness.checking.causes import CauseGroup
from ...harness.engines.spec import full_name
from ...harness.fuzzing.model import FuzzFinding, FuzzFinished, causes_of_findings
from ..content.fuzz import chance_of_new_event, counts_table, event_table, speed_facts, summary, swept
from ..failure import render_fuzz_finding, title_of
from ..layout import Indented, not_tried
from ..text import count, reproduce_line, unreachable
from .coverage import render_code


def render(finished: FuzzFinished, verbose: bool = False, quiet: bool = False) -> RenderableType:
    """Return the report, which ends with the findings; `verbose` shows all figures, `quiet` none."""
    parts = [
        *_figures(finished, verbose, quiet),
        *not_tried(finished.untried, verbose=verbose, quiet=quiet),
        summary(finished),
    ]
    return Group(*parts, *_findings(finished))


def _figures(finished: FuzzFinished, verbose: bool, quiet: bool) -> list[RenderableType]:
    """Return the heading and the main figures of a run, or all figures if `verbose`."""
    if quiet:
        return []
    figures = [_all_figures(finished)] if verbose else [Text(line, overflow="fold") for line in main_figures(finished)]
    code = [] if finished.code is None else render_code(finished.code, verbose)
    return [_heading(finished), Text(), *figures, *code, *[Text()] * verbose]


def _findings(finished: FuzzFinished) -> list[RenderableType]:
    parts: list[RenderableType] = []
    if finished.known:
        parts.append(Text(f"{count(len(finished.known), 'finding')} in the baseline", style="dim"))
    parts += [Text(f"fixed: {one}", style="green", overflow="fold") for one in finished.fixed]
    for number, group in enumerate(causes_of_findings(finished.findings), 1):
        parts += [Text(), render_fuzz_finding(number, group.simplest), *_others(group)]
    return parts


def _heading(finished: FuzzFinished) -> Text:
    started = finished.started
    against = " and ".join(map(full_name, started.references)) or "itself"
    return Text.assemble(
        (f"perft-check {started.version}", "bold"),
        "  fuzzing ",
        (full_name(started.engine), "cyan"),
        f" against {against}, seed {started.seed}; checks: {', '.join(started.checks)}",
        overflow="fold",
    )


def _others(group: CauseGroup[FuzzFinding]) -> list[RenderableType]:
    """Return a line for each additional finding of a cause, with its command if it is different."""
    parts: list[RenderableType] = []
    for finding in group.members[1:]:
        positions = count(finding.times, "position")
        facts = f"check: {finding.discrepancy.check}; occurs in {positions}{unreachable(finding.label)}"
        title = f"same cause: {title_of(finding.discrepancy)} ({facts}): "
        parts.append(Text.assemble((title, "dim"), str(finding.discrepancy.game), overflow="fold"))
        if finding.replay != group.simplest.replay:
            parts.append(Indented(reproduce_line(finding.replay)))
    return parts


def main_figures(finished: FuzzFinished) -> list[str]:
    """Return the main figures of a run in two or three lines."""
    coverage, sweep = finished.coverage, finished.started.sweep
    examined = f"examined: {count(coverage.examples, 'position')}"
    if sweep:
        examined += f"; sweep cases: {swept(finished)}"
    events = f"{_event_coverage(finished)} (-v lists them)"
    if chance := chance_of_new_event(finished):
        events += f"; {chance} further positions would cover a new one"
    return [examined, events, *_speed(finished)]


def _all_figures(finished: FuzzFinished) -> RenderableType:
    """Return all figures of a run."""
    coverage, possible = finished.coverage, [Event(event) for event in finished.started.possible_events]
    positions = {Event(event): number for event, number in coverage.events}
    parts: list[RenderableType] = [counts_table("strategy", coverage.strategies), Text()]
    if finished.started.sweep:
        parts.append(Text(f"sweep cases: {swept(finished)}", overflow="fold"))
    rows = sorted(positions.items(), key=lambda row: (row[1], row[0]))
    parts += [event_table("rare event", rows), Text()]
    never = [event.label for event in possible if event not in positions]
    parts.append(Text(f"{_event_coverage(finished)}{'; never: ' * bool(never)}{', '.join(never)}", overflow="fold"))
    if chance := chance_of_new_event(finished):
        parts.append(Text(f"{chance} further positions would cover a new event", overflow="fold"))
    parts += [Text(line, overflow="fold") for line in _speed(finished)]
    return Group(*parts)


def _speed(finished: FuzzFinished) -> list[str]:
    return [f"{name}: {value}" for name, value in speed_facts(finished)]


def _event_coverage(finished: FuzzFinished) -> str:
    """Return the number of rare events that have occurred, among those that the strategies can generate."""
    possible = finished.started.possible_events
    occurred = {event for event, _ in finished.coverage.events}.intersection(possible)
    return f"rare events covered: {len(occurred)} of {len(possible)}"
