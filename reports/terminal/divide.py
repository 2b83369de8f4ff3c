"""Counts of one position: a divide, event by event, the statistics of a perft, and how a count by pieces has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.engines.command_lines import difference_command, divide_command
from ...harness.engines.spec import short_name, short_names
from ...harness.model.results.divide import (
    Compared,
    ConsistencyFinished,
    Counted,
    Divided,
    DivideEvent,
    DivideFinished,
    Explained,
    Vote,
)
from ...harness.model.results.perft import CountFinished, CountMismatch
from ..finding import render_difference, render_finding, totals_of, without_moves
from ..table import ReportTable
from ..text import again, count, duration, figure, whole


def render(event: DivideEvent) -> RenderableType:
    """Return what is shown when an event comes."""
    match event:
        case Counted():
            return _render_counts(event)
        case Compared():
            return Group(*_compare(event))
        case Explained():
            command = again(difference_command(event.difference, event.finding))
            return Group("", render_finding(event.finding), command)
        case DivideFinished():
            return Group(*render_vote(event.vote))


def root_moves(moves: tuple[tuple[str, int], ...], total: int | None = None) -> Text:
    """Return `move: count` lines, and if there is one a blank line and the total, as programs read them."""
    lines = [f"{move}: {count}" for move, count in moves]
    return whole("\n".join(lines if total is None else [*lines, "", str(total)]))


def _render_counts(event: Counted) -> RenderableType:
    """Return all root moves, with a column for each engine where there are several; none where they differ."""
    if event.differ:
        return Group()
    first, *others = event.divides
    if not others:
        return root_moves(first.root_moves, first.total)
    return Group(all_moves(event.divides), "")


def all_moves(divides: Sequence[Divided]) -> ReportTable:
    """Return a row for each root move that any engine has, with a column for each engine."""
    table = ReportTable()
    table.add_columns("move")
    names = short_names(one.engine for one in divides)
    for one in divides:
        table.add_columns(names[one.engine], justify="right")
    counts = [dict(one.root_moves) for one in divides]
    for move in sorted({move for one in counts for move in one}):
        table.add_row(move, *(figure(one.get(move)) for one in counts))
    table.add_row("total", *(f"{one.total:,}" for one in divides), style="bold")
    return table


def _compare(event: Compared) -> list[RenderableType]:
    difference = event.difference
    totals = totals_of(difference)
    if not difference.differs:
        agreement = agreement_on_totals(event.totals_only) if event.totals_only else without_moves(difference)
        return [Text(agreement), Text(totals, style="bold green")]
    shown = render_difference(difference, board=not event.is_followed)
    return [shown, again(difference_command(difference)), Text(totals, style="bold red")]


def agreement_on_totals(totals_only: Sequence[str]) -> str:
    """Return how engines agree of which some have told no root moves."""
    names = list(short_names(totals_only).values())
    print_none = "prints" if len(names) == 1 else "print"
    return f"The totals agree; {' and '.join(names)} {print_none} no root moves to compare."


def render_vote(vote: Vote | None) -> list[Text]:
    """With two or more references: the engine that stands alone, or that there is no majority."""
    if vote is None:
        return []
    if not vote.has_majority:
        return [Text("no majority: the references disagree with each other", style="bold magenta")]
    if not vote.dissenters:
        return []
    dissenters = list(short_names(vote.dissenters).values())
    names = f"{dissenters[0]} alone differs" if len(dissenters) == 1 else f"{', '.join(dissenters)} differ"
    return [Text(f"{names}; all others agree", style="bold")]


def render_consistency(finished: ConsistencyFinished) -> RenderableType:
    """Return the contradictions and what they say."""
    return Group(*[contradiction_table(finished)] * bool(finished.contradictions), *sentences(finished))


def contradiction_table(finished: ConsistencyFinished) -> ReportTable:
    """Return a row for each contradiction."""
    table = ReportTable()
    table.add_columns("move")
    table.add_columns("SAN", turn=1)
    table.add_columns("in the divide", "after playing it", "from the FEN", justify="right")
    for one in finished.contradictions:
        table.add_row(one.uci, one.san or "", f"{one.divided:,}", f"{one.played:,}", f"{one.from_fen:,}")
    return table


def sentences(finished: ConsistencyFinished) -> list[Text]:
    """Return what the contradictions say, each with the first move that shows it; the last line is the verdict."""
    name, found = short_name(finished.engine), finished.contradictions
    if not found:
        return [Text(f"{name} agrees with itself under each of {finished.root_moves} root moves", style="bold green")]
    lines = []
    for sentence in dict.fromkeys(one.sentence for one in found):
        first = next(one for one in found if one.sentence == sentence)
        lines.append(Text(f"{sentence} (first after {first.san or first.uci}: {first.fen})", overflow="fold"))
    return [*lines, Text(f"{name} contradicts itself", style="bold red")]


def stats_table(rows: Sequence[Mapping[str, int]]) -> ReportTable:
    """Return a column for each depth, from 0 on: a count grows by depth, so that a row for each would be too wide."""
    table = ReportTable()
    table.add_columns("depth")
    for depth in range(len(rows)):
        table.add_columns(str(depth), justify="right", turn=depth + 1)
    for name in rows[0]:
        table.add_row(name.replace("_", " "), *(f"{row[name]:,}" for row in rows))
    return table


def render_count(finished: CountFinished) -> RenderableType:
    """Return the count, alone on its line, if it is complete and nothing is wrong with it."""
    if finished.mismatch is not None:
        return _mismatch(finished.mismatch, finished.chess960)
    return whole(str(finished.nodes)) if finished.is_complete else Group()


def summary(finished: CountFinished, ledger: str) -> str:
    """Return a line about the pieces, and how to go on."""
    parts = [
        f"{finished.done:,} of {count(finished.pieces, 'piece')} counted",
        f"{count(finished.positions, 'position')} at ply {finished.split}",
        f"{duration(finished.seconds)} of work",
    ]
    if finished.verified:
        parts.append(f"{finished.verified:,} counted again")
    if finished.interrupted or not finished.is_complete:
        parts.append("interrupted: the same command goes on" if finished.interrupted else "the same command goes on")
    return f"{ledger}: {', '.join(parts)}"


def _mismatch(mismatch: CountMismatch, chess960: bool) -> RenderableType:
    names = short_names((mismatch.engine, mismatch.reference))
    said = (
        f"{names[mismatch.engine]} counts {mismatch.got:,} nodes at depth {mismatch.depth}, "
        f"{names[mismatch.reference]} {mismatch.expected:,}: {mismatch.fen}"
    )
    command = divide_command(mismatch.fen, mismatch.depth, mismatch.engine, mismatch.reference, chess960)
    return Group(Text(said, overflow="fold"), again(command))
