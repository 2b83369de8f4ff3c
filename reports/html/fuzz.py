"""The page of a fuzzing run: the finds by cause, and what the run has met and when, where that depends on time."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from ...generator.events import Event
from ...harness.checking.causes import CauseGroup
from ...harness.fuzzing.model import Find, FuzzFinished, causes_of_finds
from ...harness.model.capabilities import sentence_of
from ..charts.step_chart import draw_events_met
from ..facts import course_facts
from ..terminal.fuzz import chance_of_new_event, counts_table, facts_of, summary, swept, title_of
from ..text import count
from .page import page
from .parts import causes
from .parts.explorer import ExplorerColumn, Row, TableExplorer
from .parts.facts import known_facts, status, table_of


def pages(finished: FuzzFinished) -> Iterator[str]:
    """Yield the page of a fuzzing run in pieces."""
    started, coverage = finished.started, finished.coverage
    ending = summary(finished)
    tables = [table_of(counts_table("strategy", coverage.strategies), "Examples of each strategy")]
    if coverage.labels:
        tables.append(table_of(counts_table("position", coverage.labels), "Examples by what games lead to them"))
    return page(
        "fuzz",
        has_boards=bool(finished.finds),
        title=f"{started.engine}: fuzz",
        status=status(finished.exit_code, str(ending), str(ending.style)),
        facts=known_facts(
            [
                ("engine", started.engine),
                ("compared with", ", ".join(started.references) or "itself"),
                ("checks", ", ".join(started.checks)),
                ("examined", count(coverage.examples, "position")),
                ("not tried", sentence_of(finished.untried)),
                ("the sweep", swept(finished) if started.sweep else ""),
                ("chance of a new event", chance_of_new_event(coverage)),
                *course_facts(finished),
                ("seed", str(started.seed)),
                ("finds kept in", finished.stored or ""),
            ]
        ),
        causes=[_cause(number, group) for number, group in enumerate(causes_of_finds(finished.finds))],
        tables=tables,
        curve=_curve(finished),
        explorer=_events(finished),
    )


def _curve(finished: FuzzFinished) -> Markup | None:
    """Return the events met against time, if that is to be told."""
    course = finished.told_course
    if course is None or not course.events or course.seconds <= 0:
        return None
    return Markup(draw_events_met(course, len(finished.started.possible_events)))


def _cause(number: int, group: CauseGroup[Find]) -> causes.CauseSection:
    others = group.members[1 : 1 + causes.SHOWN_OTHERS]
    return causes.CauseSection(
        group.title if group.simplest.comes_again else f"not reproduced: {group.title}",
        count(group.positions, "example"),
        _shown(number, group.simplest),
        tuple(causes.Other(title_of(one.discrepancy), str(one.discrepancy.line), one.replay) for one in others),
        len(group.members) - 1 - len(others),
        "bad" if group.simplest.comes_again else "open",
    )


def _shown(number: int, find: Find) -> causes.ShownFinding:
    found = find.discrepancy
    fen = str(found.line) if found.finding is None else found.finding.fen
    return causes.ShownFinding(
        name=title_of(found),
        facts=(("found by", facts_of(find)),),
        remarks=causes.remarks_of(found.message, found.finding),
        fen=fen,
        path=causes.path_of(found.finding),
        played_from=causes.origin_of(found.finding),
        moves=causes.moves_of(found.finding),
        commands=(find.replay,) if find.replay else (),
        board=causes.board_for(fen, found.finding, number),
    )


def _events(finished: FuzzFinished) -> TableExplorer:
    """Return the rare events, the rarest first: those never met before all others."""
    coverage = finished.coverage
    met, course = dict(coverage.events), finished.told_course
    first_met = {} if course is None else {event: round(seconds, 2) for event, seconds in course.events}
    events = sorted(map(Event, {*finished.started.possible_events, *met}), key=lambda event: (met.get(event, 0), event))

    def rows() -> Iterator[Row]:
        for event in events:
            times = met.get(event, 0) if coverage.are_counted else None
            first = [] if course is None else [first_met.get(event)]
            yield [event.label, int(event in met), times, *first, event.sentence]

    columns = (
        ExplorerColumn("event", "name"),
        ExplorerColumn("met", "choice", ("never met", "met"), ("open", "good"), filters=True),
        ExplorerColumn("positions", "number"),
        *([] if course is None else [ExplorerColumn("first met, s", "number")]),
        ExplorerColumn("that is", "text"),
    )
    missing = len(events) - len(met)
    title = f"Rare events: {len(met)} of {len(events)} met" + (f", {missing} never" if missing else "")
    return TableExplorer(title, "event", columns, len(events), rows)
