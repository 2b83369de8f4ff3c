"""The faults of the zoo, and the detection score of each strategy."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.engines.command_lines import command_line, divide_command
from ...harness.zoo.fault import Demonstration, Fault
from ...harness.zoo.results import Score
from ..content.score import missed_lines, score_table
from ..layout import LabeledValues
from ..table import ReportTable
from ..text import count, unwrapped


def fault_table(faults: Sequence[Fault]) -> ReportTable:
    """Return a table of faults."""
    table = ReportTable()
    table.add_columns("fault", "class", "shows as")
    table.add_columns("bugs", drop_order=1)
    for one in faults:
        table.add_row(one.name, one.fault_class, one.effect or "nothing", " ".join(one.ids))
    return table


def summary(faults: Sequence[Fault]) -> str:
    """Return the number of faults, families and controls."""
    seeded = [one for one in faults if not one.is_control]
    families = count(len({one.family for one in seeded}), "family", "families")
    return f"{count(len(seeded), 'fault')} of {families}, {count(len(faults) - len(seeded), 'control')}"


def properties(fault: Fault) -> LabeledValues:
    """Return the properties of a fault except its story, ending with the command that shows it."""
    rows: dict[str, str | Text] = {
        "class": f"{fault.fault_class}, family {fault.family}, scope {fault.scope}",
        "shows as": fault.effect or "nothing: a control, which must not be reported",
        "seen in": "; ".join(fault.sources) or "textbooks",
        "rules": ", ".join(fault.rules) or "-",
        "position": unwrapped(_replayed(fault.demonstration)),
        "depth": str(fault.demonstration.depth),
        "see": unwrapped(_demonstration(fault)),
    }
    return LabeledValues(rows.items())


def _demonstration(fault: Fault) -> str:
    """Return the command that shows a fault: a divide, or a replay if it requires moves or a printed FEN."""
    engine, reference, shows = f"zoo:{fault.name}", "own:turbo", fault.demonstration
    if not shows.moves and not shows.setup and fault.effect != "fen":
        return divide_command(shows.fen, shows.depth, engine, reference, shows.chess960)
    variant = ["--chess960"] if shows.chess960 else []
    return command_line("fuzz", "--replay", _replayed(shows), "-e", engine, "-a", reference, *variant)


def _replayed(shows: Demonstration) -> str:
    text = " ".join([shows.fen, "moves", *shows.moves]) if shows.moves else shows.fen
    return f"{text} setup {shows.setup}" if shows.setup else text


def render(score: Score) -> RenderableType:
    """Return the table of scores and the missed faults."""
    parts: list[RenderableType] = [score_table(score)]
    return Group(*parts, *(Text(line) for line in missed_lines(score)))
