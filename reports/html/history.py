"""The pages of a history: speeds over time, and two runs compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from ...harness.history.model import ChangeKind, RunsCompared, SpeedsOverTime
from ...harness.model.results.verdict import ExitCode
from ..charts import speeds as chart
from ..terminal.history import LEFT_OUT, cautions, changes_table, commands_of, sentence, title
from ..text import count
from .page import page
from .parts.facts import FactTable, Status, known_facts, status, table_of
from .parts.untrusted import spell_unseen

SHOWN = 1_000
"""Changes of one kind on a page."""


@dataclass(frozen=True)
class Changes:
    """The positions that differ in one way."""

    kind: str
    number: int
    table: FactTable
    commands: tuple[str, ...]


def speed_pages(speeds: SpeedsOverTime) -> Iterator[str]:
    """Yield the page of speeds over time in pieces."""
    runs = sum(len(line.runs) for line in speeds.lines)
    return page(
        "speeds",
        title="Speed over time",
        status=Status("good", "Done", f"{count(runs, 'run')} of {count(len(speeds.lines), 'engine')}"),
        facts=known_facts([("left out", f"{count(speeds.left_out, 'run')}: {LEFT_OUT}" if speeds.left_out else "")]),
        charts=[
            (line.engine, chart.describe_line(line), Markup(spell_unseen(chart.drawing(line)))) for line in speeds.lines
        ],
    )


def comparison_pages(compared: RunsCompared) -> Iterator[str]:
    """Yield the page of two runs in pieces."""
    style = {ExitCode.MISMATCH: "red", ExitCode.AGREE: "green"}.get(compared.exit_code, "yellow")
    return page(
        "comparison",
        title=f"Runs {compared.before.number} and {compared.after.number}",
        status=status(compared.exit_code, sentence(compared), style),
        facts=known_facts([("before", title(compared.before)), ("after", title(compared.after))]),
        cautions=list(cautions(compared)),
        changes=[changes for kind in ChangeKind if (changes := _changes(compared, kind)) is not None],
    )


def _changes(compared: RunsCompared, kind: ChangeKind) -> Changes | None:
    found = compared.of(kind)
    if not found:
        return None
    shown = found[:SHOWN]
    commands = tuple(commands_of(shown, compared.after.origin.engine))
    return Changes(kind.value, len(found), table_of(changes_table(shown), kind.value.capitalize()), commands)
