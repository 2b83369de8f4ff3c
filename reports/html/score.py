"""The page of a detection score: the curve, the table by class and group, and every fault."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from ...harness.zoo.hunting.model import Score
from ..charts.step_chart import draw_score
from ..terminal.zoo import missed_lines, score_table
from ..text import count, figure, percent
from .page import page
from .parts.explorer import ExplorerColumn, Row, TableExplorer
from .parts.facts import Status, spell_unseen, table_of


def pages(score: Score) -> Iterator[str]:
    """Yield the page of a score in pieces."""
    return page(
        "score",
        title="Detection score",
        status=_status(score),
        facts=(
            ("families", str(score.families)),
            ("faults", str(len({outcome.hunt.fault for outcome in score.outcomes}))),
            ("seeds", str(score.seeds)),
            ("time for each", f"{score.budget:g} s"),
        ),
        command=score.command,
        curve=Markup(spell_unseen(draw_score(score))) if any(score.curves.values()) else None,
        table=table_of(score_table(score), "Detection by class and group"),
        missed=missed_lines(score),
        explorer=_faults(score),
    )


def _status(score: Score) -> Status:
    """Return what the strategies detect; a score is neither right nor wrong, but it may be unfinished."""
    found = [f"by {name} {_share(score, name)}" for name in score.strategies]
    sentence = f"{count(score.families, 'family', 'families')} of faults; detected {', '.join(found)}"
    if len(score.outcomes) < score.planned:
        return Status("open", "Unfinished", f"{len(score.outcomes):,} of {score.planned:,} hunts are done; {sentence}")
    return Status("good", "Done", sentence)


def _share(score: Score, name: str) -> str:
    row = score.strategies[name].groups["all"]
    return f"{figure(row.families_detected)} ({percent(row.families_detected / row.families)})"


def _faults(score: Score) -> TableExplorer:
    strategies = tuple(score.strategies)
    classes = tuple(sorted({fault.fault_class for one in score.strategies.values() for fault in one.faults.values()}))

    def rows() -> Iterator[Row]:
        for number, strategy in enumerate(score.strategies.values()):
            for name, fault in strategy.faults_by_class.items():
                row = fault.row
                yield [
                    name,
                    number,
                    classes.index(fault.fault_class),
                    row.reached,
                    row.triggered,
                    row.detected,
                    row.explained,
                    row.seconds,
                    row.positions,
                    row.pieces,
                ]

    columns = (
        ExplorerColumn("fault", "name"),
        ExplorerColumn("strategy", "choice", strategies, filters=True),
        ExplorerColumn("class", "choice", classes, filters=True),
        *(ExplorerColumn(title, "share") for title in ("reached", "triggered", "detected", "explained")),
        *(ExplorerColumn(title, "number") for title in ("seconds", "positions", "pieces")),
    )
    total = sum(len(strategy.faults) for strategy in score.strategies.values())
    return TableExplorer("Fault by fault", "fault", columns, total, rows)
