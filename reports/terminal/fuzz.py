"""The report of a fuzzing run: what it has met, in short, and last the finds, each with the command that repeats it.

It tells of time only where time has decided what was examined: else one seed gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from ...generator.events import Event
from ...harness.checking.causes import CauseGroup
from ...harness.engines.spec import introduce, short_names
from ...harness.fuzzing.model import Discrepancy, Find, FuzzFinished, causes_of_finds
from ..facts import DRAWN, course_facts, speed_of
from ..text import REACHABILITY, again, count, whole
from .coverage import render_code
from .parts.board import ShownBoard
from .parts.finding import render_cause
from .parts.layout import Indented, not_tried
from .parts.table import ReportTable


def render(finished: FuzzFinished, verbose: bool = False, quiet: bool = False) -> RenderableType:
    """Return the whole report, its finds last. `verbose` has all figures; `quiet` leaves out what the run has met."""
    parts = [*_figures(finished, verbose, quiet), *not_tried(finished.untried, quiet=quiet), summary(finished)]
    return Group(*parts, *_finds(finished))


def render_several(
    finished: Mapping[str, FuzzFinished], failed: Mapping[str, str], verbose: bool = False, quiet: bool = False
) -> RenderableType:
    """Return the reports of several runs, then a line for each with its name; `failed` are those without a report."""
    parts: list[RenderableType] = []
    for name, one in finished.items():
        parts += [*_figures(one, verbose, quiet), *not_tried(one.untried, name, quiet), *_finds(one), Text()]
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


def _finds(finished: FuzzFinished) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for number, group in enumerate(causes_of_finds(finished.finds), 1):
        parts += [Text(), render_find(number, group.simplest), *_others(group)]
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


def _others(group: CauseGroup[Find]) -> list[RenderableType]:
    """Return a line for each of the other finds of a cause, and the command that shows it, if it is another one."""
    parts: list[RenderableType] = []
    for find in group.members[1:]:
        facts = f"check: {find.discrepancy.check}; seen in {count(find.times, 'position')}; {REACHABILITY[find.label]}"
        title = f"the same cause: {title_of(find.discrepancy)} ({facts}): "
        parts.append(Text.assemble((title, "dim"), str(find.discrepancy.line), overflow="fold"))
        if find.replay != group.simplest.replay:
            parts.append(Indented(again(find.replay)))
    return parts


def render_find(number: int, find: Find) -> RenderableType:
    """Return one find: what is wrong, on which board, why, and the command that shows it again."""
    return render_discrepancy(number, find.discrepancy, facts_of(find), find.replay, find.comes_again)


def facts_of(find: Find) -> str:
    """Return what found it, how often, how small it was made, and whether it comes again."""
    facts = f"check: {find.discrepancy.check}; seen in {count(find.times, 'position')}"
    strategy = DRAWN.get(find.first.strategy, find.first.strategy)
    facts += f", first in number {find.first.example:,} ({strategy}); {count(find.pieces, 'piece')}"
    if find.pieces < find.pieces_before:
        facts += f", reduced from {find.pieces_before}"
    facts += _way_to_see_it_again(find)
    return f"{facts}; {REACHABILITY[find.label]}"


def _way_to_see_it_again(find: Find) -> str:
    if not find.discrepancy.history:
        return "" if find.comes_again else "; a new process does not show it"
    asked = f"all {count(len(find.discrepancy.history), 'position')} since the start"
    if find.comes_again:
        return f"; this position alone may not show it: the replay asks for {asked}"
    return f"; a new process does not show it, nor one that is asked for {asked}, as the replay does"


def render_discrepancy(
    number: int, found: Discrepancy, facts: str = "", replay: str = "", comes_again: bool = True
) -> RenderableType:
    """Return one discrepancy: what is wrong, on which board and why."""
    title = (title_of(found), "bold red") if comes_again else (f"not reproduced: {title_of(found)}", "bold yellow")
    parts: list[RenderableType] = [
        Text.assemble((f"{number}. ", "bold"), title, overflow="fold"),
        Text(facts or f"check: {found.check}", style="dim", overflow="fold"),
    ]
    if found.message and (found.finding is None or found.message != found.finding.note):
        parts.append(Text(found.message, overflow="fold"))
    if found.finding is not None:
        parts.append(render_cause(found.finding))
    else:
        parts.append(whole(("in ", "dim"), str(found.line)))
        parts.append(Indented(ShownBoard(found.line.base.fen())))
    if replay:
        parts.append(again(replay))
    return Group(*parts)


def title_of(found: Discrepancy) -> str:
    """Return what is wrong in one line."""
    title = found.finding.headline_with_move if found.finding is not None else found.verdict.value
    return title + " of the reference" * found.reference_failed


def figures_in_short(finished: FuzzFinished) -> list[str]:
    """Return what the run has met, in three or four lines."""
    coverage, sweep = finished.coverage, finished.started.sweep
    examined = f"examined: {count(coverage.examples, 'position')}"
    if sweep:
        examined += f"; fixed questions (the sweep): {swept(finished)}"
    met = f"{_events_met(finished)} (-v lists them)"
    if told := chance_of_new_event(finished):
        met += f"; of further positions, {told} would show a new one"
    speed = [] if finished.reported_timeline is None else [f"speed: {speed_of(finished)}"]
    return [examined, met, *speed]


def _coverage(finished: FuzzFinished) -> RenderableType:
    """Return all that the run has met, and its course."""
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
    parts.append(Text(f"{_events_met(finished)}{'; never met: ' * bool(never)}{', '.join(never)}", overflow="fold"))
    if told := chance_of_new_event(finished):
        parts.append(Text(f"of further positions, {told} would show a new one", overflow="fold"))
    parts += [Text(f"{name}: {value}", overflow="fold") for name, value in course_facts(finished)]
    return Group(*parts)


def _events_met(finished: FuzzFinished) -> str:
    """Return how many of the rare events that can be drawn were met."""
    possible = finished.started.possible_events
    met = {event for event, _ in finished.coverage.events}.intersection(possible)
    return f"{len(met)} of {count(len(possible), 'rare event')} of chess came up"


def swept(finished: FuzzFinished) -> str:
    """Return how far the sweep came."""
    questions = finished.started.sweep
    return f"{finished.swept:,} of {questions:,}" if finished.swept < questions else f"all {questions:,}"


def chance_of_new_event(finished: FuzzFinished) -> str:
    """Return how many of the next positions would show an event not met so far; "" if all were, or nothing is known."""
    coverage = finished.coverage
    are_left = bool({*finished.started.possible_events} - {event for event, _ in coverage.events})
    if not coverage.examples or not are_left:
        return ""
    likely = coverage.chance_of_new_event
    if not likely:
        return f"fewer than 1 in {coverage.examples:,}"
    often = round(1 / likely)
    return f"about 1 in {often:,}" if often > 1 else "nearly each"


def counts_table(title: str, rows: tuple[tuple[str, int], ...]) -> ReportTable:
    """Return how many examples each strategy has drawn, or have each label."""
    table = ReportTable(ruled=True)
    table.add_columns(title)
    table.add_columns("positions", justify="right")
    for name, number in rows:
        table.add_row(DRAWN.get(name, name), f"{number:,}")
    return table


def event_table(title: str, rows: list[tuple[Event, int]]) -> ReportTable:
    """Return how many positions met each event, with the sentence that says what it is."""
    table = ReportTable(ruled=True)
    table.add_columns(title)
    table.add_columns("positions", justify="right")
    table.add_columns("that is")
    for event, number in rows:
        table.add_row(event.label, f"{number:,}", event.sentence)
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
    if not finished.finds:
        style = "bold yellow" if finished.interrupted else "bold green"
        return Text(f"{cut}{_findings(finished, name)}", style=style)
    style = "bold red" if any(find.comes_again for find in finished.finds) else "bold yellow"
    return Text(f"{cut}{_findings(finished, name)}", style=style, overflow="fold")


def _findings(finished: FuzzFinished, name: str) -> str:
    examined = count(finished.coverage.examples, "position")
    own = sum(find.is_of_engine for find in finished.finds)
    kinds = count(own, "kind of fault", "kinds of faults") if own else "no fault"
    causes = len(causes_of_finds(find for find in finished.finds if find.is_of_engine))
    if causes < own:
        kinds += f" from {count(causes, 'cause')}"
    vanished = sum(not find.comes_again for find in finished.finds)
    innocent = len(finished.finds) - own - vanished
    others = f", and {count(innocent, 'difference')} that it is not to blame for" if innocent else ""
    others += f", and {count(vanished, 'failure')} not reproduced" if vanished else ""
    stored = f"; kept in {finished.stored}" if finished.stored else ""
    return f"{kinds} of {name} in {examined}{others}{stored}"
