"""The description of differences between two divides, and of the cause of an incorrect count, in reports."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ..generator.position_setup import SetupOption, describe_setup, parse_setup
from ..harness.engines.command_lines import command_line
from ..harness.engines.spec import short_names
from ..harness.explaining.rules import Rule
from ..harness.model.results.finding import Cause, Difference, Finding, RootMove, SuspiciousLines, WrongMove
from .board import MarkedBoard, board_text
from .layout import Indented, LabeledValues, SideBySide
from .table import ReportTable
from .text import count, one_line, unwrapped

SHOWN_ROOT_MOVES = 16
LONGEST = 400
"""Maximum number of characters of a line of source."""


def describe_root_move(move: RootMove) -> str:
    """Return "missing", "extra", "duplicate", or the signed difference in nodes of a root move."""
    if move.got is None:
        return "missing"
    if move.expected is None:
        return "extra"
    if move.repeated:
        return "duplicate"
    return f"{move.got - move.expected:+,}"


def _style(move: RootMove) -> str:
    return "red" if move.expected is None else "yellow" if move.got is None else "cyan"


def _marks_of_difference(difference: Difference) -> dict[str, str]:
    marks = {}
    for move in difference.moves[:SHOWN_ROOT_MOVES]:
        marks[move.uci[0:2]] = marks[move.uci[2:4]] = _style(move)
    return marks


def moves_table(difference: Difference) -> ReportTable:
    """Return a table of the root moves that differ."""
    table = ReportTable()
    table.add_columns("move")
    table.add_columns("SAN", drop_order=1)
    engine, reference = names_of(difference)
    table.add_columns(engine, justify="right")
    table.add_columns(reference, justify="right", drop_order=2)
    table.add_columns("difference", justify="right")
    for move in difference.moves[:SHOWN_ROOT_MOVES]:
        table.add_row(
            move.uci,
            move.san or "not a legal move",
            "-" if move.got is None else f"{move.got:,}",
            "-" if move.expected is None else f"{move.expected:,}",
            Text(describe_root_move(move), style=_style(move)),
        )
    return table


def names_of(difference: Difference) -> tuple[str, str]:
    """Return the short names of the engine and its reference."""
    names = short_names((difference.engine, difference.reference))
    return names[difference.engine], names[difference.reference]


def describe_totals(difference: Difference) -> str:
    """Return the depth and the total of each divide."""
    engine, reference = names_of(difference)
    counts = f"{engine} {difference.got:,}, {reference} {difference.expected:,}"
    return f"depth {difference.depth}: {counts}"


def agreement_sentence(difference: Difference) -> str:
    """Return a sentence that compares two divides in which no root move differs."""
    engine, reference = names_of(difference)
    if difference.got != difference.expected and difference.depth == 1:
        counts = f"{engine} has {count(difference.got, 'move')} here, {reference} has"
        return f"{counts} {difference.expected:,}; no root moves are printed that would show which."
    both = f"{engine} and {reference}"
    if difference.got == difference.expected:
        return f"{both} agree on every root move."
    totals = f"but different totals: {difference.got:,} and {difference.expected:,}."
    return f"{both} count the same nodes after each legal move, {totals}"


def render_difference(difference: Difference, board: bool = True) -> RenderableType:
    """Return the root moves that differ, next to a board if `board` is True."""
    if not difference.moves:
        return Text(agreement_sentence(difference), style="dim")
    table = moves_table(difference)
    drawn = board_text(difference.fen, _marks_of_difference(difference))
    parts: list[RenderableType] = [SideBySide(drawn, table) if board else table]
    if len(difference.moves) > SHOWN_ROOT_MOVES:
        parts.append(Text(f"... and {len(difference.moves) - SHOWN_ROOT_MOVES} more root moves", style="dim"))
    return Group(*parts)


STYLES = {
    "extra": "red",
    "missing": "yellow",
    "duplicate": "magenta",
    "notation": "magenta",
    "state": "red",
    "undo": "red",
    "fen": "red",
    "draw": "yellow",
}
LABELS = {
    "notation": "written wrongly",
    "state": "played wrongly",
    "undo": "taken back wrongly",
    "fen": "printed wrongly",
    "draw": "cut off by a draw",
}
"""Labels for kinds of wrong moves. For other kinds, the label is the name of the kind."""
REFERENCE_LABELS = {
    "extra": "is only in the engine's list",
    "missing": "is only in the reference's list",
    "duplicate": "occurs more often in the reference's list",
    "notation": "is written wrongly by the reference",
    "state": "is played wrongly by the reference",
    "undo": "is taken back wrongly by the reference",
    "draw": "is cut off by a draw in the reference's list",
}
"""The labels if the reference is wrong."""
SHOWN_MOVES = 8


def _marks(finding: Finding) -> dict[str, str]:
    marks: dict[str, str] = {}
    for move in finding.wrong[:SHOWN_MOVES]:
        for square in move.squares:
            marks[square] = "cyan"
    for move in finding.wrong[:SHOWN_MOVES]:
        for square in (move.uci[0:2], move.uci[2:4]):
            marks[square] = STYLES[move.kind]
    return marks


def path_in_san(finding: Finding) -> str:
    """Return the moves from the failing position to the cause, in SAN if they are legal."""
    return " ".join(san or uci for uci, san in finding.path)


def render_finding(finding: Finding) -> RenderableType:
    """Return a finding with its heading."""
    return Group(Text(finding.headline_with_move, style="bold"), render_cause(finding))


def render_cause(finding: Finding) -> RenderableType:
    """Return the path, the position, a marked board and a sentence for each wrong move of a finding."""
    facts: dict[str, str | Text] = {"after": path_in_san(finding)} if finding.path else {}
    facts["in"] = unwrapped(finding.fen)
    if played_from(finding):
        facts["played from"] = unwrapped(played_from(finding))
    parts: list[RenderableType] = [LabeledValues(facts.items(), style="dim", gap=1)]
    parts += [Text(remark, overflow="fold") for remark in remarks(finding)]
    sentences = [sentence(move) for move in (*finding.state, *finding.wrong)[:SHOWN_MOVES]]
    if len(finding.state) + len(finding.wrong) > SHOWN_MOVES:
        sentences.append(Text(f"... and {len(finding.state) + len(finding.wrong) - SHOWN_MOVES} more", style="dim"))
    board = MarkedBoard(finding.fen, _marks(finding), finding.wrong[:SHOWN_MOVES])
    parts.append(Indented(SideBySide(board, Group(*sentences))))
    if command := explain_command(finding):
        parts.append(unwrapped(("rule: ", "dim"), command))
    if finding.suspicious:
        parts += [Text("most suspicious lines:", style="dim"), Indented(_suspicious_lines(finding.suspicious))]
    return Group(*parts)


def _suspicious_lines(places: Sequence[SuspiciousLines]) -> ReportTable:
    """Return a table of suspicious lines with their source."""
    table = ReportTable()
    table.add_columns("line")
    table.add_columns("score", justify="right")
    table.add_columns("source")
    for place in places:
        table.add_row(one_line(describe_place(place), LONGEST), f"{place.score:.2f}", one_line(place.text, LONGEST))
    return table


def describe_place(place: SuspiciousLines) -> str:
    """Return the file and the lines of a place, such as "mine.c:12-14"."""
    return f"{place.name}:{place.first}" + (f"-{place.last}" if place.last > place.first else "")


def explain_command(finding: Finding) -> str:
    """Return the command that explains the rule of the first wrong move, or "" if no rule is known."""
    rules = {rule.value for rule in Rule}
    known = [move.rule for move in (*finding.state, *finding.wrong) if move.rule in rules]
    return command_line("explain", known[0]) if known else ""


def played_from(finding: Finding) -> str:
    """Return the position and the moves that reveal a fault in the engine's state when it plays them, or ""."""
    return f"{finding.base_fen} by {' '.join(finding.base_moves)}" if finding.base_moves and not finding.setup else ""


def _setup_sentence(finding: Finding) -> str:
    """Return a sentence about the setup of the position that shows the fault."""
    try:
        options = parse_setup(finding.setup)
    except ValueError:  # a report written by another version
        return f"The count is incorrect when the position is set up by {finding.setup}."
    base = "" if SetupOption.START_BY_NAME in options else f": {finding.base_fen}"
    setup = describe_setup(options, finding.base_moves)
    return f"The count is incorrect when the position is set up by {setup}{base or '.'}"


def remarks(finding: Finding) -> list[str]:
    """Return the sentences about a cause that do not concern one of its moves."""
    subject = "the reference" if finding.engine_is_correct else "the engine"
    plays = f"The count from its FEN is correct: {subject} plays a move wrongly."
    is_of_state = finding.cause is Cause.STATE and finding.base_fen is not None
    if any(move.kind == "draw" for move in finding.wrong):
        plays = "The count from its FEN is correct."
    if finding.setup:
        plays = f"The count from its FEN alone is correct. {_setup_sentence(finding)}"
    prints = "This concerns the FEN that the engine prints; its counts may be correct."
    return (
        [plays] * is_of_state
        + [prints] * (finding.cause is Cause.FEN)
        + [finding.note] * (finding.note not in ("", finding.headline_with_move))
    )


def sentence(move: WrongMove) -> Text:
    """Return a line that says what is wrong with a move, and why."""
    return Text.assemble((f"{claim(move)}: ", f"bold {STYLES[move.kind]}"), move.sentence)


def claim(move: WrongMove) -> str:
    """Return a move and what is wrong with it, such as "e1g1 (O-O) missing"."""
    name = f"{move.uci} ({move.san})" if move.san else move.uci
    return f"{name} {REFERENCE_LABELS[move.kind] if move.engine_is_correct else LABELS.get(move.kind, move.kind)}"
