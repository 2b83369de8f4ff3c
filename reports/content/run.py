"""The tables of a run's suites and positions, and the outcome of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.text import Text

from ...harness.checking.causes import CauseGroup
from ...harness.model.results.events import CaseResult, RunFinished
from ...harness.model.results.verdict import ExitCode, Verdict
from ...suites.case import label
from ..table import ReportTable
from ..text import count, duration, speed

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
_FAILURE_STYLE = "bold yellow"


def style_of(verdict: Verdict) -> str:
    """Return the Rich style of a verdict."""
    return _STYLES.get(verdict, _FAILURE_STYLE)


def suite_table(finished: RunFinished) -> ReportTable:
    """Return a table with the positions, failures, nodes and speed of each suite."""
    table = ReportTable(ruled=True)
    table.add_columns("suite")
    table.add_columns("positions", justify="right", drop_order=3)
    table.add_columns("agree", "fail", justify="right")
    table.add_columns("deepest", justify="right", drop_order=1)
    table.add_columns("nodes", justify="right")
    table.add_columns("time", justify="right", drop_order=2)
    table.add_columns("speed", justify="right", drop_order=4)
    planned = {suite.name: suite.positions for suite in finished.started.suites}
    for name, group in groupby(finished.results, key=lambda result: result.suite):
        results = list(group)
        agree = sum(one.verdict is Verdict.AGREE for one in results)
        fail = sum(one.verdict.is_failure for one in results)
        nodes, seconds = sum(one.nodes for one in results), sum(one.seconds for one in results)
        done = agree + fail
        table.add_row(
            name,
            str(done) if done == planned.get(name) else f"{done} of {planned.get(name)}",
            Text(str(agree), style="green" if agree else "dim"),
            Text(str(fail), style="bold red" if fail else "dim"),
            str(max(one.depth for one in results)),
            f"{nodes:,}",
            duration(seconds),
            speed(nodes, seconds),
        )
    return table


def case_table(results: Iterable[CaseResult]) -> ReportTable:
    """Return a table with a row for each position."""
    table = ReportTable(ruled=True)
    table.add_columns("position")
    table.add_columns("depth", justify="right", drop_order=3)
    table.add_columns("nodes", justify="right", drop_order=2)
    table.add_columns("speed", justify="right", drop_order=1)
    table.add_columns("verdict")
    for result in results:
        table.add_row(
            label(result.suite, result.name),
            str(result.depth),
            f"{result.got:,}" if result.got is not None else "-",
            speed(result.nodes, result.seconds),
            Text(result.verdict.value, style=style_of(result.verdict)),
        )
    return table


def describe_ending(finished: RunFinished, causes: Sequence[CauseGroup[CaseResult]]) -> tuple[str, str]:
    """Return a sentence about the outcome of a run and its Rich style; `causes` are the causes of its failures."""
    agree, total = finished.count(Verdict.AGREE), finished.started.positions
    failures = [
        count(number, verdict.value, _PLURALS.get(verdict, ""))
        for verdict in Verdict
        if verdict.is_failure and (number := finished.count(verdict))
    ]
    if finished.interrupted:
        state, style = f"interrupted: {agree:,} of {total:,} positions agree", "bold yellow"
    elif finished.out_of_time:
        share = f"{int(100 * finished.share)} % of the nodes counted"
        state = f"out of time: {agree:,} of {total:,} positions agree, {share}"
        style = "yellow"
    elif not finished.results:
        state, style = "nothing to run: the options exclude every count", "bold yellow"
    elif agree < total:
        vanished, known = len(finished.not_reproduced), finished.count(Verdict.KNOWN)
        rest = {
            "not reproduced": vanished,
            "in the baseline": known,
            "not compared": total - agree - vanished - known - len(finished.failures),
        }
        details = "".join(f", {number} {what}" for what, number in rest.items() if number)
        state, style = f"{agree:,} of {total:,} positions agree{details}", "bold yellow"
    else:
        state, style = "the one position agrees" if total == 1 else f"all {total:,} positions agree", "bold green"
    if failures:
        several = sum(group.positions for group in causes) > 1
        state += f", {', '.join(failures)}" + (f" from {count(len(causes), 'cause')}" if several else "")
        style = "bold red"
    elif finished.require_all and finished.results and finished.exit_code is ExitCode.NOTHING_TO_RUN:
        state, style = f"{state}, but --require-all requires more than was tried", "bold yellow"
    return state, style
