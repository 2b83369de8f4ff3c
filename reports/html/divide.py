"""The page of a divide."""

from __future__ import annotations

from ...harness.engines.command_lines import difference_command
from ...harness.engines.spec import full_name, short_names
from ...harness.model.results.divide import DivideFinished
from ...harness.model.results.finding import Difference
from ..content.divide import agreement_on_totals, all_moves, render_vote
from ..finding import describe_totals, names_of
from ..table import ReportTable
from ..text import count
from . import components
from .board import board_of
from .components import nonempty, status
from .page import Page


def divide_page(finished: DivideFinished) -> Page:
    """Return the page of a divide."""
    engine, *references = (one.engine for one in finished.divides)
    names = short_names((engine, *references))
    differing = [one for one in finished.differences if one.differs]
    wrong = {move.uci for one in differing for move in one.moves}
    moves = _moves(finished, wrong)
    return Page(
        "divide",
        has_boards=True,
        title=f"{names[engine]}: divide at depth {finished.depth}",
        status=status(finished.exit_code, _sentence(finished, differing), "red" if differing else "green"),
        facts=nonempty(
            [
                ("engine", full_name(engine)),
                ("compared with", ", ".join(map(full_name, references))),
                ("depth", str(finished.depth)),
                ("variant", "Chess960" if finished.chess960 else "standard chess"),
                ("vote", " ".join(map(str, render_vote(finished.vote)))),
            ]
        ),
        fen=finished.fen,
        board=board_of(finished.fen),
        causes=[_cause(number, one, finished) for number, one in enumerate(differing)],
        moves=moves,
        marked=[number for number, row in enumerate(moves.rows) if row.cells[0] in wrong],
    )


def _sentence(finished: DivideFinished, differing: list[Difference]) -> str:
    """Return a line that compares the totals of all engines."""
    first = finished.divides[0]
    names = short_names(one.engine for one in finished.divides)
    if differing:
        counts = ", ".join(f"{names[one.engine]} {one.total:,}" for one in finished.divides)
        return f"depth {finished.depth}: {counts} nodes"
    if not finished.differences:
        return f"{count(first.total, 'node')} below {count(len(first.root_moves), 'root move')}, not compared"
    name, *others = names.values()
    if totals_only := [one.engine for one in finished.divides if one.is_total_only]:
        return f"{agreement_on_totals(totals_only)} {count(first.total, 'node')}"
    return f"{name} and {' and '.join(others)} agree on every root move: {count(first.total, 'node')}"


def _cause(number: int, difference: Difference, finished: DivideFinished) -> components.CauseSection:
    """Return the section for a difference; only the first difference has a finding."""
    finding = finished.finding if number == 0 else None
    _, reference = names_of(difference)
    shown = components.shown_finding(
        number,
        reference,
        (("counts", describe_totals(difference)),),
        finished.fen,
        finding,
        commands=(difference_command(difference, finding),),
        difference=difference,
    )
    title = f"differs from {reference}" if finding is None else finding.headline_with_move
    return components.CauseSection(title, f"against {reference}", shown)


def _moves(finished: DivideFinished, wrong: set[str]) -> ReportTable:
    """Return the counts of all root moves, starting with those that differ."""
    table = all_moves(finished.divides)
    *moves, total = table.rows
    table.rows = [*sorted(moves, key=lambda row: row.cells[0] not in wrong), total]
    return table
