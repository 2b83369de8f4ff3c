"""How the cause of a wrong count is shown: the way to it, the board, the wrong moves, the rules."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ....generator.setup import SetupOption, describe_setup, read_options
from ....harness.model.results.events import Cause, Finding, WrongMove
from ...text import whole
from .board import ShownBoard
from .facts import Facts
from .layout import Beside, Indented

STYLES = {
    "extra": "red",
    "missing": "yellow",
    "duplicate": "magenta",
    "notation": "magenta",
    "state": "red",
    "undo": "red",
    "fen": "red",
}
LABELS = {
    "notation": "written wrongly",
    "state": "played wrongly",
    "undo": "taken back wrongly",
    "fen": "printed wrongly",
}
"""The label of a kind of wrong move, where it is not the kind itself."""
ALONE = {
    "extra": "is in the engine's list alone",
    "missing": "is in the reference's list alone",
    "duplicate": "is more often in the reference's list",
    "notation": "is written wrongly by the reference",
    "state": "is played wrongly by the reference",
    "undo": "is taken back wrongly by the reference",
}
"""... and where the reference is wrong about it."""
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


def path_text(finding: Finding) -> str:
    """Return the way from the failing position down, in SAN where moves are legal."""
    return " ".join(san or uci for uci, san in finding.path)


def render_finding(finding: Finding) -> RenderableType:
    """Return the finding: heading, path, position, board with marks, and a sentence for each wrong move."""
    return Group(Text(finding.headline, style="bold"), render_cause(finding))


def render_cause(finding: Finding) -> RenderableType:
    """Return the finding without its heading and the command that shows it again."""
    facts: dict[str, str | Text] = {"after": path_text(finding)} if finding.path else {}
    facts["in"] = whole(finding.fen)
    if played_from(finding):
        facts["played from"] = whole(played_from(finding))
    parts: list[RenderableType] = [Facts(facts.items(), style="dim", gap=1)]
    parts += [Text(remark, overflow="fold") for remark in remarks(finding)]
    sentences = [sentence(move) for move in (*finding.state, *finding.wrong)[:SHOWN_MOVES]]
    if len(finding.state) + len(finding.wrong) > SHOWN_MOVES:
        sentences.append(Text(f"... and {len(finding.state) + len(finding.wrong) - SHOWN_MOVES} more", style="dim"))
    board = ShownBoard(finding.fen, _marks(finding), finding.wrong[:SHOWN_MOVES])
    parts.append(Indented(Beside(board, Group(*sentences))))
    return Group(*parts)


def played_from(finding: Finding) -> str:
    """Return the position from which the engine has to play moves to show a fault of state, and the moves."""
    return f"{finding.base_fen} by {' '.join(finding.base_moves)}" if finding.base_moves and not finding.setup else ""


def set_up_by(finding: Finding) -> str:
    """Return the sentence that says how the engine has to be brought to a position to show a fault, if that matters."""
    if not finding.setup:
        return ""
    try:
        options = read_options(finding.setup)
    except ValueError:  # a report of another version
        return f"It is counted wrongly where it is set up by {finding.setup}."
    base = "" if SetupOption.START_BY_NAME in options else f": {finding.base_fen}"
    return f"It is counted wrongly where it is set up by {describe_setup(options, finding.base_moves)}{base or '.'}"


def remarks(finding: Finding) -> list[str]:
    """Return the sentences about a cause as a whole."""
    who = "the reference" if finding.engine_is_right else "the engine"
    plays = f"From its FEN this position is counted right: {who} plays a move wrongly."
    is_of_state = finding.cause is Cause.STATE and finding.base_fen is not None
    if finding.setup:
        plays = f"From its FEN alone this position is counted right. {set_up_by(finding)}"
    prints = "This is about the FEN that the engine prints: what it counts may be right."
    return (
        [plays] * is_of_state
        + [prints] * (finding.cause is Cause.FEN)
        + [finding.note] * (finding.note not in ("", finding.headline))
    )


def sentence(move: WrongMove) -> Text:
    """Return the move, what is wrong with it, and why."""
    return Text.assemble((f"{claim(move)}: ", f"bold {STYLES[move.kind]}"), move.sentence)


def claim(move: WrongMove) -> str:
    """Return a move and what is wrong with it, such as "e1g1 (O-O) missing"."""
    name = f"{move.uci} ({move.san})" if move.san else move.uci
    return f"{name} {ALONE[move.kind] if move.engine_is_right else LABELS.get(move.kind, move.kind)}"
