"""The reports about one position: divides, distributed counts, and move lists by GenType."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.engines.command_lines import difference_command
from ...harness.model.results.positions import (
    CountFinished,
    DifferenceExplained,
    DivideEvent,
    DivideFinished,
    DividesCompared,
    EnginesCounted,
    MoveListing,
    MoveLists,
)
from ..board import board_text
from ..content.divide import agreement_on_totals, all_moves, render_vote
from ..finding import agreement_sentence, describe_totals, render_difference, render_finding
from ..table import ReportTable
from ..text import count, duration, reproduce_line, unwrapped


def render(event: DivideEvent) -> RenderableType:
    """Return the output for an event."""
    match event:
        case EnginesCounted():
            return _render_counts(event)
        case DividesCompared():
            return Group(*_compare(event))
        case DifferenceExplained():
            command = reproduce_line(difference_command(event.difference, event.finding))
            return Group("", render_finding(event.finding), command)
        case DivideFinished():
            return Group(*render_vote(event.vote))


def root_moves(moves: tuple[tuple[str, int], ...], total: int | None = None) -> Text:
    """Return `move: count` lines and, if given, a blank line and the total, in the format that other programs parse."""
    lines = [f"{move}: {count}" for move, count in moves]
    return unwrapped("\n".join(lines if total is None else [*lines, "", str(total)]))


def _render_counts(event: EnginesCounted) -> RenderableType:
    """Return all root moves, with a column for each engine if there are several, or nothing if the engines differ."""
    if event.differ:
        return Group()
    first, *others = event.divides
    if not others:
        return root_moves(first.root_moves, first.total)
    return Group(all_moves(event.divides), "")


def _compare(event: DividesCompared) -> list[RenderableType]:
    difference = event.difference
    totals = describe_totals(difference)
    if not difference.differs:
        agreement = agreement_on_totals(event.totals_only) if event.totals_only else agreement_sentence(difference)
        return [Text(agreement), Text(totals, style="bold green")]
    shown = render_difference(difference, board=not event.is_followed)
    return [shown, reproduce_line(difference_command(difference)), Text(totals, style="bold red")]


def render_answer(
    finished: DivideFinished, totals: Sequence[tuple[int, int, int]], question: tuple[str, int] | None
) -> RenderableType:
    """Return a report on counts that were given as text.

    Each of `totals` is a depth with the actual and the expected count. `question` is the next position and depth to ask
    the engine about.
    """
    (difference,) = finished.differences
    parts: list[RenderableType] = []
    if len(totals) > 1:
        table = ReportTable()
        table.add_columns("depth", "count", "correct", justify="right")
        for depth, actual, expected in totals:
            table.add_row(
                str(depth), Text(f"{actual:,}", style="" if actual == expected else "bold red"), f"{expected:,}"
            )
        parts.append(table)
    if not difference.differs:
        is_correct = all(actual == expected for _, actual, expected in totals)
        parts.append(Text("all counts are correct", style="bold green") if is_correct else Text(""))
        return Group(*parts)
    if difference.moves:
        parts.append(render_difference(difference, board=finished.finding is None))
    if finished.finding is not None:
        parts += ["", render_finding(finished.finding)]
    parts.append(Text(describe_totals(difference), style="bold red"))
    if question is not None:
        fen, depth = question
        parts.append(unwrapped(("next, ask your engine for: ", "dim"), f"divide {depth} of {fen}"))
    return Group(*parts)


def render_count(finished: CountFinished) -> RenderableType:
    """Return the count on a separate line if it is complete."""
    return unwrapped(str(finished.nodes)) if finished.is_complete else Group()


def summary(finished: CountFinished, ledger: str) -> str:
    """Return a line about the progress of a count and how to continue it."""
    parts = [
        f"{finished.done:,} of {count(finished.pieces, 'piece')} counted",
        f"{count(finished.positions, 'position')} at ply {finished.split}",
        f"{duration(finished.seconds)} of work",
    ]
    if finished.interrupted or not finished.is_complete:
        parts.append("interrupted: " * finished.interrupted + "run the same command to continue")
    return f"{ledger}: {', '.join(parts)}"


def render_moves(listed: MoveLists) -> RenderableType:
    """Return the FEN, and a board and the moves for each GenType."""
    parts: list[RenderableType] = [unwrapped(listed.fen)]
    if listed.oddities:
        parts.append(Text(f"no game leads to this position: {'; '.join(listed.oddities)}", style="yellow"))
    for listing in listed.lists:
        parts += ["", _listing(listed.fen, listing)]
    return Group(*parts)


def _listing(fen: str, listing: MoveListing) -> RenderableType:
    """Return a board with marked destinations and a table of the moves, highest value first."""
    marks = {move.landing: "green" for move in listing.moves if move.san is not None}
    marks |= {move.landing: "yellow" for move in listing.moves if move.san is None}
    table = ReportTable()
    table.add_columns("move", "SAN")
    table.add_columns("value", justify="right")
    for move in listing.moves:
        table.add_row(move.uci, move.san or "leaves the king in check", str(move.value) if move.value else "")
    title = Text(f"{listing.title}: {count(len(listing.moves), 'move')}", style="bold")
    return Group(title, board_text(fen, marks), table)
