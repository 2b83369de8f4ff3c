"""The explanation of a rule, with an example on a board, and the table of all rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.engines.command_lines import command_line
from ...harness.explaining.examples import Example, RuleText
from ...harness.explaining.rules import Rule, join_words
from ...harness.zoo.fault import Fault
from ..board import board_text
from ..finding import STYLES
from ..layout import Indented, LabeledValues, SideBySide
from ..table import ReportTable
from ..text import count, unwrapped

SHOWN_FAULTS = 5


def rule_table(rules: Iterable[RuleText]) -> ReportTable:
    """Return a table of all rules."""
    table = ReportTable()
    table.add_columns("rule", "title")
    for one in rules:
        table.add_row(one.rule.value, one.rule.title)
    return table


def render(rule: RuleText, faults: Sequence[Fault]) -> RenderableType:
    """Return a rule with its example; `faults` are the zoo's faults that break the rule."""
    example = rule.example
    reasons = [Text(one.sentence) for one in example.reasons]
    board = SideBySide(board_text(example.position.fen(), _marks(example)), Group(*reasons))
    return Group(
        Text(f"{rule.rule.value}: {rule.rule.title}", style="bold"),
        "",
        Text(rule.text),
        Text(f"Source: {rule.source}", style="dim"),
        "",
        Indented(board),
        "",
        LabeledValues(_facts(rule.rule, example, faults)),
    )


def _marks(example: Example) -> dict[str, str]:
    """Return the colors of the squares of wrong moves and of the squares mentioned in the reasons."""
    marks = {square: "cyan" for one in example.reasons for square in one.squares}
    for moves, kind in ((example.missing, "missing"), (example.extra, "extra")):
        if not _is_position(example):
            marks |= {move[at : at + 2]: STYLES[kind] for move in moves for at in (0, 2) if move != "0000"}
    return marks


def _is_position(example: Example) -> bool:
    return any("/" in text for text in example.correct)


def _facts(rule: Rule, example: Example, faults: Sequence[Fault]) -> Iterable[tuple[str, str | Text]]:
    fen = example.position.fen()
    yield "position", unwrapped(fen)
    if _is_position(example):
        yield f"correct {example.question}", unwrapped(example.correct[0])
        yield "wrong answer", unwrapped(example.extra[0])
    else:
        yield f"correct {example.question}", f"{len(example.correct)}: {' '.join(example.correct)}"
        yield "wrong answer", _wrong_moves(example)
    if faults:
        names = ", ".join(fault.name for fault in faults[:SHOWN_FAULTS])
        more = count(len(faults) - SHOWN_FAULTS, "more fault") if len(faults) > SHOWN_FAULTS else ""
        yield "seeded faults", f"{' and '.join(filter(None, [names, more]))}: perft-check zoo show NAME"
    if rule is not Rule.STAGE:
        yield "your engine", unwrapped(_command(example))


def _wrong_moves(example: Example) -> str:
    number = len(example.correct) + len(example.extra) - len(example.missing)
    repeated = [move for move in example.extra if move in example.correct]
    if repeated:
        return f"{number}: these, and {join_words(repeated)} again"
    if example.extra and example.missing:
        return f"{number}: these, but {join_words(example.extra)} instead of {join_words(example.missing)}"
    if example.extra:
        return f"{number}: these and {join_words(example.extra)}"
    return f"{number}: these without {join_words(example.missing)}"


def _command(example: Example) -> str:
    """Return the command that tests an engine with the example."""
    variant = ["--chess960"] if example.position.chess960 else []
    depth = "2" if _is_position(example) else "1"
    return command_line("divide", example.position.fen(), depth, "-e", "./my-engine", *variant)
