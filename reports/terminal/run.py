"""The report of a run of suites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.checking.causes import CauseGroup, causes_of_run
from ...harness.engines.spec import full_name, short_names
from ...harness.model.results.events import CaseResult, RunFinished, SuiteSize
from ...suites.bundled import ALL_BUNDLED, bundled_path
from ...suites.case import label
from ..content.run import case_table, describe_ending, style_of, suite_table
from ..failure import render_failure
from ..layout import Indented, not_tried
from ..table import ReportTable
from ..text import count, describe_counts, duration, short, speed, unwrapped, visible

SHOWN_NAMES = 6


def render(finished: RunFinished, verbose: bool = False, quiet: bool = False, slowest: int = 0) -> RenderableType:
    """Return the complete report: tables, the simplest failure of each cause, a table of causes, and a summary line.

    `verbose` adds a row for each position, and `quiet` omits the tables. `slowest` is the number of slowest positions
    to list, even with `quiet`.
    """
    causes = causes_of_run(finished.failures)
    parts: list[RenderableType] = []
    if not quiet:
        parts += [_heading(finished), Text()]
        if verbose and finished.results:
            parts += [case_table(finished.results), Text()]
        parts += [suite_table(finished), Text()] if finished.results else []
    for group in causes:
        parts += [render_failure(group.simplest, finished.started.engine), *_others(group), Text()]
    for result in finished.not_reproduced:
        parts += [render_failure(result, finished.started.engine), Text()]
    if sum(group.positions for group in causes) > 1 and not quiet:
        parts += [cause_table(causes), Text()]
    if slowest and finished.results:
        parts += [_slowest_table(finished, slowest), Text()]
    parts += [Text(f"fixed: {one}", style="green", overflow="fold") for one in finished.fixed]
    parts += [*not_tried(finished.untried, verbose=verbose, quiet=quiet), summary(finished)]
    return Group(*parts)


def render_concise(finished: RunFinished, slowest: int = 0) -> RenderableType:
    """Return a line `file:line: what is wrong` for each failure, which editors can parse, and a summary line."""
    failed = sorted([*finished.failures, *finished.not_reproduced], key=_location)
    tables = [_slowest_table(finished, slowest)] if slowest and finished.results else []
    return Group(*map(_concise_line, failed), *tables, summary(finished))


def _location(result: CaseResult) -> tuple[str, int]:
    """Return the file of a position, which for a bundled suite is that of the package, and the line number."""
    file, line = result.file_and_line
    name = file.removesuffix(".epd")
    return (str(bundled_path(name)) if name in ALL_BUNDLED else file), line or 1


def _concise_line(result: CaseResult) -> Text:
    file, line = _location(result)
    why = result.message
    if (finding := result.finding) is not None:
        rules = [move.rule for move in (*finding.state, *finding.wrong)]
        why = finding.headline_with_move + (f" [{rules[0]}]" if rules else "")
    text = "; ".join(filter(None, [result.name, describe_counts(result), why]))
    return unwrapped(
        (f"{visible(file)}:{line}: ", "bold"),
        (result.verdict.value, style_of(result.verdict)),
        f": {visible(text)}",
    )


def _heading(finished: RunFinished) -> Text:
    started = finished.started
    against = f" against {', '.join(map(full_name, started.references))}" if started.references else ""
    return Text.assemble(
        (f"perft-check {started.version}", "bold"),
        "  ",
        (full_name(started.engine), "cyan"),
        f"{against}, {count(started.positions, 'position')}, {short(started.nodes)} nodes",
    )


def _slowest_table(finished: RunFinished, number: int) -> ReportTable:
    """Return a table of the slowest positions, slowest first."""
    table = ReportTable(ruled=True)
    table.add_columns("slowest")
    table.add_columns("depth", justify="right", drop_order=3)
    table.add_columns("nodes", justify="right", drop_order=2)
    table.add_columns("time", justify="right")
    table.add_columns("speed", justify="right", drop_order=1)
    for result in nlargest(number, finished.results, key=lambda one: one.seconds):
        table.add_row(
            label(result.suite, result.name),
            str(result.depth),
            f"{result.nodes:,}",
            duration(result.seconds),
            speed(result.nodes, result.seconds),
        )
    return table


def cause_table(causes: Sequence[CauseGroup[CaseResult]]) -> ReportTable:
    """Return a table with the number of positions and the simplest position of each cause."""
    table = ReportTable(ruled=True)
    table.add_columns("positions", justify="right")
    table.add_columns("first example", drop_order=1)
    table.add_columns("cause")
    for group in causes:
        table.add_row(f"{group.positions:,}", label(group.simplest.suite, group.simplest.name), group.title)
    return table


def _others(group: CauseGroup[CaseResult]) -> list[RenderableType]:
    """Return a line with the names of the other explained failures of a cause, and one about those only counted."""
    others = group.members[1:]
    names = [label(result.suite, result.name) for result in others if not result.like]
    lines = []
    if others:
        shown = names[:SHOWN_NAMES]
        named = f"{': ' if len(shown) == len(others) else ', among them '}{', '.join(shown)}" if shown else ""
        lines.append(f"same cause in {count(len(others), 'other position')}{named}")
    if counted := len(others) - len(names):
        lines.append(
            f"{counted:,} of these failures {'is' if counted == 1 else 'are'} not explained here; "
            "to explain every failure, add --explain all"
        )
    return [Indented(Text(line, style="dim", overflow="fold")) for line in lines]


def summary(finished: RunFinished) -> Text:
    """Return the last line of the report, a summary of the run."""
    return Text.assemble(describe_ending(finished, causes_of_run(finished.failures)), f"  {figures_of(finished)}")


def figures_of(finished: RunFinished) -> str:
    """Return the nodes, the duration and the speed of a run."""
    figures = f"{short(finished.nodes)} nodes in {duration(finished.seconds)}"
    if (rate := speed(finished.nodes, finished.engine_seconds)) != "":
        started = finished.started
        figures += f", {short_names((started.engine, *started.references))[started.engine]} at {rate}"
    return figures


def sizes_table(suites: Iterable[SuiteSize]) -> ReportTable:
    """Return a table of the sizes of suites."""
    table = ReportTable()
    table.add_columns("suite")
    table.add_columns("positions", justify="right")
    table.add_columns("counts", justify="right", drop_order=2)
    table.add_columns("nodes", justify="right")
    table.add_columns("deepest", justify="right", drop_order=1)
    table.add_columns("Chess960", justify="right", drop_order=3)
    for suite in suites:
        total = suite.total
        figures = (total.positions, total.counts, total.nodes, suite.deepest, suite.chess960)
        table.add_row(total.name, *(f"{figure:,}" for figure in figures))
    return table
