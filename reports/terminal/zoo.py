"""The faults of the zoo, the detection score of each strategy, and the faults that reproduce an engine's counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.engines.command_lines import command_line, divide_command
from ...harness.model.results.diagnosis import Candidate, Diagnosis, Prediction
from ...harness.zoo.fault import Demonstration, Fault
from ...harness.zoo.score import Score, ScoreRow
from ..layout import Indented, LabeledValues
from ..table import ReportTable
from ..text import count, duration, figure, percent, unwrapped

MOST_SHOWN = 3
"""Maximum number of candidates to describe; the others are only named."""


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


def render_diagnosis(diagnosis: Diagnosis) -> RenderableType:
    """Return the candidates, each with its evidence, and the question that distinguishes them."""
    return Group(*_parts(diagnosis))


def _parts(diagnosis: Diagnosis) -> Iterator[RenderableType]:
    total = diagnosis.differing + diagnosis.correct
    if not diagnosis.differing:
        yield Text("all counts are correct" if total > 1 else "the count is correct", style="bold green")
        return
    yield Text(
        f"{diagnosis.differing:,} of {count(total, 'count')} {_are(diagnosis.differing)} incorrect", style="bold red"
    )
    if diagnosis.candidates:
        found = len(diagnosis.candidates)
        yield Text(f"{found} of {diagnosis.tried} known bugs {'reproduces' if found == 1 else 'reproduce'} all counts:")
        for number, candidate in enumerate(diagnosis.candidates[:MOST_SHOWN], 1):
            yield from _candidate(f"{number}. ", candidate, diagnosis)
        if others := [one.name for one in diagnosis.candidates[MOST_SHOWN:]]:
            yield Text(f"and {', '.join(others)}", overflow="fold")
    elif diagnosis.together:
        yield Text("no known bug reproduces all counts alone, but these two do together:")
        for candidate in diagnosis.together:
            yield from _candidate("- ", candidate, diagnosis)
    else:
        yield from _parts_without_cause(diagnosis)
    if diagnosis.out_of_time:
        yield Text("the search reached its time limit; for a longer search, set --time", style="bold yellow")
    if diagnosis.untried:
        yield Text(
            f"{count(diagnosis.untried, 'count')} too large to be tried: give those of a smaller depth", style="dim"
        )
    if diagnosis.next_question is not None:
        yield Text(f"to ask next: {_question(diagnosis.next_question)}", style="bold", overflow="fold")


def _parts_without_cause(diagnosis: Diagnosis) -> Iterator[RenderableType]:
    if diagnosis.out_of_time and diagnosis.tried:
        yield Text(f"none of the {diagnosis.tried} known bugs that were tried reproduces all counts")
    elif diagnosis.tried:
        yield Text(f"none of {diagnosis.tried} known bugs reproduces all counts, alone or with another one")
    for candidate in diagnosis.partial:
        yield from _candidate("- ", candidate, diagnosis)


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _candidate(mark: str, candidate: Candidate, diagnosis: Diagnosis) -> Iterator[RenderableType]:
    scope = f" ({candidate.scope})" if candidate.scope else ""
    yield Text.assemble((f"{mark}{candidate.fault}{scope}", "bold"), f": {candidate.story}", overflow="fold")
    facts = f"reproduces {candidate.reproduced} of {count(diagnosis.differing, 'incorrect count')}"
    if diagnosis.correct:
        facts += f" and agrees with {candidate.agreed} of {count(diagnosis.correct, 'correct count')}"
    if candidate.setup:
        facts += f", if the engine was set up by {candidate.setup}"
    lines = [Text(facts, style="dim", overflow="fold")]
    if candidate.rule:
        lines.append(Text(f"rule: perft-check explain {candidate.rule}", style="dim", overflow="fold"))
    if candidate.confirmed_by is not None:
        lines.append(Text(f"to confirm: {_question(candidate.confirmed_by)}", style="dim", overflow="fold"))
    yield from map(Indented, lines)


def _question(asked: Prediction) -> str:
    """Return a question to ask the engine, with the correct count and the counts of up to `MOST_SHOWN` candidates."""
    played = f" moves {' '.join(asked.moves)}" if asked.moves else ""
    setup = f", set up by {asked.setup}" if asked.setup else ""
    predicted = [f"{_number(nodes)} with {name}" for name, nodes in asked.predicted[:MOST_SHOWN]]
    counts = ", ".join([f"{asked.expected:,} is correct", *predicted])
    command = "perft" if predicted else "divide"
    return f"{command} {asked.depth} of {asked.fen}{played}{setup}: {counts}"


def _number(nodes: int | None) -> str:
    return "no count" if nodes is None else f"{nodes:,}"
