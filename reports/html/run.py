"""The page of a run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ...harness.checking.causes import CauseGroup, causes_of_run
from ...harness.engines.command_lines import commands_of_case
from ...harness.engines.spec import full_name, short_name
from ...harness.model.capabilities import sentence_of
from ...harness.model.results.events import CaseResult, RunFinished
from ...harness.model.results.verdict import Verdict
from ...suites.case import label
from ..content.run import describe_ending, suite_table
from ..text import count, describe_counts, duration, short, speed, unreachable
from . import components
from .components import ExplorerColumn, Row, TableExplorer, nonempty, status
from .page import Page


def run_page(finished: RunFinished) -> Page:
    """Return the page of a run."""
    started = finished.started
    groups = causes_of_run(finished.failures)
    vanished = finished.not_reproduced
    return Page(
        "run",
        has_boards=bool(groups or vanished),
        title=f"{short_name(started.engine)}: run",
        status=status(finished.exit_code, *describe_ending(finished, groups)),
        facts=nonempty(
            [
                ("engine", full_name(started.engine)),
                ("compared with", ", ".join(("the counts of the suites", *map(full_name, started.references)))),
                ("planned", f"{count(started.positions, 'position')}, {short(started.nodes)} nodes"),
                ("counted", f"{finished.nodes:,} nodes in {duration(finished.seconds)}"),
                ("speed", speed(finished.nodes, finished.engine_seconds)),
                ("not tried", sentence_of(finished.untried)),
            ]
        ),
        causes=[_cause(number, group, started.engine) for number, group in enumerate(groups)],
        vanished=[_show_vanished(number, one, started.engine) for number, one in enumerate(vanished)],
        suites=suite_table(finished) if finished.results else None,
        explorer=_explorer(finished),
    )


def _cause(number: int, group: CauseGroup[CaseResult], engine: str) -> components.CauseSection:
    def other(one: CaseResult) -> components.SimilarFailure:
        name = _name(one) + (f", not explained: same symptoms as {one.like}" if one.like else "")
        return components.SimilarFailure(name, one.fen, "".join(commands_of_case(one, engine)[:1]))

    shown = _show_case(number, group.simplest, engine, group.title)
    return components.cause_section(group, group.title, "position", shown, other)


def _show_vanished(number: int, result: CaseResult, engine: str) -> components.CauseSection:
    """Return the section for a failure that was not reproduced."""
    title = f"{result.verdict.value}: {_name(result)}"
    return components.CauseSection(title, "1 position", _show_case(number, result, engine, title), tone="open")


def _show_case(number: int, result: CaseResult, engine: str, title: str) -> components.ShownFinding:
    """Return the representative failure of a cause, without its message if the title is the same."""
    finding = result.finding
    facts = nonempty(
        [
            ("position", _name(result)),
            ("from", f"{result.source}{unreachable(result.reachability)}"),
            ("verdict", result.verdict.value),
            ("counts", describe_counts(result)),
            ("total", result.message if finding is not None else ""),
            ("suite's FEN", result.fen if finding is not None and result.fen != finding.fen else ""),
        ]
    )
    return components.shown_finding(
        number,
        _name(result),
        facts,
        result.fen,
        finding,
        message="" if finding is not None or result.message == title else result.message,
        commands=commands_of_case(result, engine),
        difference=result.difference,
    )


def _name(result: CaseResult) -> str:
    return label(result.suite, result.name)


_RANKS = {"bad": 0, "open": 1, "good": 2}
"""The sort key of each verdict; failures come first."""


def _explorer(finished: RunFinished) -> TableExplorer:
    """Return the table of all positions: failures first, then unfinished positions, then correct ones."""
    verdicts = tuple(verdict.value for verdict in Verdict)
    tones = tuple("bad" if one.is_failure else "good" if one is Verdict.AGREE else "open" for one in Verdict)
    suites = list(dict.fromkeys(one.suite for one in chain(finished.results, finished.not_begun)))
    numbers = {verdict: number for number, verdict in enumerate(Verdict)}
    suite_numbers = {suite: number for number, suite in enumerate(suites)}

    def rows() -> Iterator[Row]:
        for one in sorted(
            chain(finished.results, finished.not_begun), key=lambda one: _RANKS[tones[numbers[one.verdict]]]
        ):
            yield [
                one.name,
                one.fen,
                numbers[one.verdict],
                suite_numbers[one.suite],
                one.depth,
                one.expected,
                one.got,
                one.nodes,
                round(one.seconds, 4),
            ]

    columns = (
        ExplorerColumn("position", "name"),
        ExplorerColumn("FEN", "fen"),
        ExplorerColumn("verdict", "choice", verdicts, tones, filters=True),
        ExplorerColumn("suite", "choice", tuple(suites)),
        ExplorerColumn("depth", "number"),
        ExplorerColumn("expected", "number"),
        ExplorerColumn("actual", "number"),
        ExplorerColumn("total nodes", "number"),
        ExplorerColumn("seconds", "number"),
    )
    total = len(finished.results) + len(finished.not_begun)
    return TableExplorer("All positions", "position", columns, total, rows)
