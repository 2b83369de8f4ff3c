"""The faults of the zoo, and the detection score of each strategy."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.engines.command_lines import command_line, divide_command
from ...harness.zoo.fault import Demonstration, Fault
from ...harness.zoo.results import Score, ScoreRow
from ..layout import LabeledValues
from ..table import ReportTable
from ..text import count, duration, figure, percent, unwrapped


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


FIGURES = {
    "faults": 5,
    "detected": 7,
    "families": None,
    "share": None,
    "explained": 4,
    "time": 6,
    "positions": 3,
    "pieces": 1,
}
"""The figures for each strategy, with their `drop_order` in the table."""


def score_table(score: Score) -> ReportTable:
    """Return a table of the classes of faults and then the groups of all faults, for each strategy."""
    table = ReportTable(ruled=True)
    table.add_columns("strategy", "faults of")
    for title, order in FIGURES.items():
        table.add_columns(title, justify="right", drop_order=order)
    for name, strategy in score.strategies.items():
        for rows, style in ((strategy.classes, ""), (strategy.groups, "bold")):
            for number, (title, row) in enumerate(rows.items(), 1):
                table.add_row(name, title, *_cells(row), style=style, ends_section=number == len(rows))
    return table


def _cells(row: ScoreRow) -> list[str]:
    return [
        str(row.faults),
        f"{row.detected:.1f}",
        f"{row.families_detected} of {row.families}",
        percent(row.families_detected / row.families),
        percent(row.explained),
        "-" if row.seconds is None else duration(row.seconds),
        figure(row.positions),
        figure(row.pieces),
    ]


def missed_lines(score: Score) -> list[str]:
    """Return one line per strategy with the faults that it missed with at least one seed."""
    lines = []
    for name, strategy in score.strategies.items():
        missed = ", ".join(f"{fault} ({seeds})" for fault, seeds in strategy.missed.items())
        lines.append(f"missed by {name} (number of seeds): {missed or 'none'}")
    return lines


def render(score: Score) -> RenderableType:
    """Return the table of scores and the missed faults."""
    parts: list[RenderableType] = [score_table(score)]
    return Group(*parts, *(Text(line) for line in missed_lines(score)))
