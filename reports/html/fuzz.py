"""The page of a fuzzing run."""

from __future__ import annotations

from collections.abc import Iterator

from ...generator.events import Event
from ...harness.checking.causes import CauseGroup
from ...harness.engines.spec import full_name, short_name
from ...harness.fuzzing.model import FuzzFinding, FuzzFinished, causes_of_findings
from ...harness.model.capabilities import sentence_of
from ..content.coverage import figures_of_coverage
from ..content.fuzz import chance_of_new_event, counts_table, speed_facts, summary, swept
from ..failure import discovery_facts, title_of
from ..text import count
from . import components
from .components import ExplorerColumn, Row, TableExplorer, nonempty, status
from .page import Page


def fuzz_page(finished: FuzzFinished) -> Page:
    """Return the page of a fuzzing run."""
    started, coverage = finished.started, finished.coverage
    ending = summary(finished)
    tables = {"Positions by strategy": counts_table("strategy", coverage.strategies)}
    if coverage.labels:
        tables["Positions by reachability"] = counts_table("reachability", coverage.labels)
    return Page(
        "fuzz",
        has_boards=bool(finished.findings),
        is_repeatable=not finished.depends_on_time,
        title=f"{short_name(started.engine)}: fuzz",
        status=status(finished.exit_code, str(ending), str(ending.style)),
        facts=nonempty(
            [
                ("engine", full_name(started.engine)),
                ("compared with", ", ".join(map(full_name, started.references)) or "itself"),
                ("checks", ", ".join(started.checks)),
                ("examined", count(coverage.examples, "position")),
                ("not tried", sentence_of(finished.untried)),
                ("sweep cases", swept(finished) if started.sweep else ""),
                ("further positions that would show a new event", chance_of_new_event(finished)),
                *speed_facts(finished),
                *(figures_of_coverage(code) if (code := finished.code) else ()),
                ("seed", str(started.seed)),
                ("findings saved in", finished.stored or ""),
            ]
        ),
        causes=[_cause(number, group) for number, group in enumerate(causes_of_findings(finished.findings))],
        tables=tables,
        explorer=_events(finished),
    )


def _cause(number: int, group: CauseGroup[FuzzFinding]) -> components.CauseSection:
    def other(one: FuzzFinding) -> components.SimilarFailure:
        return components.SimilarFailure(title_of(one.discrepancy), str(one.discrepancy.game), one.replay)

    finding = group.simplest
    found = finding.discrepancy
    shown = components.shown_finding(
        number,
        title_of(found),
        (("discovery", discovery_facts(finding)),),
        str(found.game),
        found.finding,
        message=found.message,
        commands=(finding.replay,) if finding.replay else (),
    )
    title, tone = (group.title, "bad") if finding.reproducible else (f"not reproduced: {group.title}", "open")
    return components.cause_section(group, title, "position", shown, other, tone)


def _events(finished: FuzzFinished) -> TableExplorer:
    """Return the table of rare events, rarest first."""
    coverage = finished.coverage
    positions = dict(coverage.events)
    possible = {*finished.started.possible_events, *positions}
    events = sorted(map(Event, possible), key=lambda event: (positions.get(event, 0), event))

    def rows() -> Iterator[Row]:
        for event in events:
            yield [event.label, int(event in positions), positions.get(event, 0), event.sentence]

    columns = (
        ExplorerColumn("event", "name"),
        ExplorerColumn("occurred", "choice", ("never", "yes"), ("open", "good"), filters=True),
        ExplorerColumn("positions", "number"),
        ExplorerColumn("meaning", "text"),
    )
    missing = len(events) - len(positions)
    title = f"Rare events: {len(positions)} of {len(events)} occurred" + (f", {missing} never" if missing else "")
    return TableExplorer(title, "event", columns, len(events), rows)
