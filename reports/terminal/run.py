"""The report of a run as rich renderables, for the terminal and for pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.checking.causes import CauseGroup, causes_of_run
from ...harness.model.command_lines import commands_of_case
from ...harness.model.results.events import CaseResult, RunFinished, SuiteSize
from ...harness.model.results.verdict import Verdict
from ..facts import suite_rows
from ..text import REACHABILITY, again, count, counts, duration, label, short, short_name, speed, whole
from .parts.finding import render_difference, render_finding
from .parts.layout import Indented, WideTable, not_tried

_STYLES = {
    Verdict.AGREE: "green",
    Verdict.MISMATCH: "bold red",
    Verdict.SPLIT: "bold magenta",
    Verdict.UNFINISHED: "dim",
}
_PLURALS = {
    Verdict.MISMATCH: "mismatches",
    Verdict.CRASH: "crashes",
    Verdict.UNPARSEABLE: "unparseable outputs",
    Verdict.SPLIT: "positions on which references disagree",
}
SHOWN_NAMES = 6
_FAILURE_STYLE = "bold yellow"


def style_of(verdict: Verdict) -> str:
    """Return the rich style of a verdict."""
    return _STYLES.get(verdict, _FAILURE_STYLE)


def render(finished: RunFinished, verbose: bool = False, quiet: bool = False) -> RenderableType:
    """Return the whole report: tables, what went wrong cause by cause, the causes in short, one line that sums it up.

    `verbose` adds a row for every position; `quiet` leaves out the tables.
    """
    causes = causes_of_run(finished.failures)
    parts: list[RenderableType] = []
    if not quiet:
        parts += [_heading(finished), Text()]
        if verbose and finished.results:
            parts += [_case_table(finished), Text()]
        parts += [suite_table(finished), Text()] if finished.results else []
    for group in causes:
        parts += [render_failure(group.simplest, finished.started.engine), *_others(group), Text()]
    for result in finished.not_reproduced:
        parts += [render_failure(result, finished.started.engine), Text()]
    if sum(group.positions for group in causes) > 1 and not quiet:
        parts += [cause_table(causes), Text()]
    parts += [*not_tried(finished.untried, quiet=quiet), summary(finished)]
    return Group(*parts)


def _heading(finished: RunFinished) -> Text:
    started = finished.started
    against = f" against {', '.join(started.references)}" if started.references else ""
    return Text.assemble(
        (f"perft-check {started.version}", "bold"),
        "  ",
        (started.engine, "cyan"),
        f"{against}, {count(started.positions, 'position')}, {short(started.nodes)} nodes",
    )


def _case_table(finished: RunFinished) -> WideTable:
    table = WideTable(ruled=True)
    table.add_columns("position")
    table.add_columns("depth", "nodes", "speed", justify="right")
    table.add_columns("verdict")
    for result in finished.results:
        table.add_row(
            label(result.suite, result.name),
            str(result.depth),
            f"{result.got:,}" if result.got is not None else "-",
            speed(result.nodes, result.seconds),
            Text(result.verdict.value, style=style_of(result.verdict)),
        )
    return table


def suite_table(finished: RunFinished) -> WideTable:
    """Return a row for each suite: how much of it was counted, what came of it, and how fast."""
    table = WideTable(ruled=True)
    table.add_columns("suite")
    table.add_columns("positions", "agree", "fail", "deepest", "nodes", "time", "speed", justify="right")
    for row in suite_rows(finished):
        table.add_row(
            row.name,
            row.positions,
            Text(str(row.agree), style="green" if row.agree else "dim"),
            Text(str(row.fail), style="bold red" if row.fail else "dim"),
            str(row.deepest),
            f"{row.nodes:,}",
            duration(row.seconds),
            speed(row.nodes, row.seconds),
        )
    return table


def render_failure(result: CaseResult, engine: str) -> RenderableType:
    """Return the facts about one position that does not agree with `engine`."""
    style = style_of(result.verdict)
    head = Text.assemble((f"{result.verdict.value.upper()}", style), f"  {label(result.suite, result.name)}")
    head.append(f"  ({result.source}; {REACHABILITY[result.reachability]})", style="dim")
    body: list[RenderableType] = [whole(result.fen)]
    if told := counts(result):
        body.append(Text(told))
    if result.message:
        body.append(Text(result.message, style=style, overflow="fold"))
    if result.finding is not None:
        body.append(render_finding(result.finding))
    elif result.difference is not None:
        body.append(render_difference(result.difference))
    body += map(again, commands_of_case(result, engine))
    return Group(head, Indented(*body))


def cause_table(causes: Sequence[CauseGroup[CaseResult]]) -> WideTable:
    """Return a row for each cause: in how many positions it shows, and the simplest of them."""
    table = WideTable(ruled=True)
    table.add_columns("cause", prose=True)
    table.add_columns("positions", justify="right")
    table.add_columns("first example")
    for group in causes:
        table.add_row(Text(group.title), f"{group.positions:,}", Text(label(group.simplest.suite, group.simplest.name)))
    return table


def _others(group: CauseGroup[CaseResult]) -> list[RenderableType]:
    """Return the names of the other failures with the same cause."""
    names = [label(result.suite, result.name) for result in group.members[1:]]
    if not names:
        return []
    more = f" and {len(names) - SHOWN_NAMES:,} more" if len(names) > SHOWN_NAMES else ""
    text = f"the same cause in {count(len(names), 'other')}: {', '.join(names[:SHOWN_NAMES])}{more}"
    return [Indented(Text(text, style="dim", overflow="fold"))]


def summary(finished: RunFinished) -> Text:
    """Return the last line: how it ended, how much was counted, how long it took."""
    return Text.assemble(ending(finished, causes_of_run(finished.failures)), f"  {figures_of(finished)}")


def figures_of(finished: RunFinished) -> str:
    """Return how much was counted, how long it took, and how fast the engine was."""
    figures = f"{short(finished.nodes)} nodes in {duration(finished.seconds)}"
    if (rate := speed(finished.nodes, finished.engine_seconds)) != "":
        figures += f", {short_name(finished.started.engine)} at {rate}"
    return figures


def ending(finished: RunFinished, causes: Sequence[CauseGroup[CaseResult]]) -> tuple[str, str]:
    """Return how a run ended, with its rich style; `causes` are those of its failures."""
    agree, total = finished.count(Verdict.AGREE), finished.started.positions
    failures = [
        count(number, verdict.value, _PLURALS.get(verdict, ""))
        for verdict in Verdict
        if verdict.is_failure and (number := finished.count(verdict))
    ]
    if finished.interrupted:
        state, style = f"interrupted: {agree} of {count(total, 'position')} agree", "bold yellow"
    elif finished.out_of_time:
        share = f"{int(100 * finished.share)} % of the nodes counted"
        state = f"out of time: {agree} of {count(total, 'position')} agree, {share}"
        style = "yellow"
    elif not finished.results:
        state, style = "nothing to run: the filter and the limits leave no count", "bold yellow"
    elif agree < total:
        vanished = len(finished.not_reproduced)
        rest = {
            "failed once and not again": vanished,
            "not compared": total - agree - vanished - len(finished.failures),
        }
        told = "".join(f", {number} {what}" for what, number in rest.items() if number)
        state, style = f"{agree} of {count(total, 'position')} agree{told}", "bold yellow"
    else:
        state, style = "the one position agrees" if total == 1 else f"all {total:,} positions agree", "bold green"
    if failures:
        several = sum(group.positions for group in causes) > 1
        state += f", {', '.join(failures)}" + (f" from {count(len(causes), 'cause')}" if several else "")
        style = "bold red"
    return state, style


def sizes_table(suites: Iterable[SuiteSize]) -> WideTable:
    """Return a row for each suite."""
    table = WideTable()
    table.add_columns("suite")
    table.add_columns("positions", "counts", "nodes", "deepest", "Chess960", justify="right")
    for suite in suites:
        total = suite.total
        figures = (total.positions, total.counts, total.nodes, suite.deepest, suite.chess960)
        table.add_row(total.name, *(f"{figure:,}" for figure in figures))
    return table
