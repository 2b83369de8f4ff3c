"""The page of a perft: the count, and how many moves of each kind lead to the leaf nodes."""

from __future__ import annotations

from collections.abc import Iterator

from ...harness.model.results.perft import PerftFinished
from ..pictures.board import board_of
from ..terminal.perft import stats_table
from ..text import duration, speed
from .page import page
from .parts.facts import Status, known_facts, table_of


def pages(finished: PerftFinished) -> Iterator[str]:
    """Yield the page of a perft in pieces."""
    return page(
        "perft",
        has_boards=True,
        title=f"{finished.engine}: perft {finished.depth}",
        status=_status(finished),
        facts=known_facts(
            [
                ("engine", finished.engine),
                ("compared with", finished.reference or ""),
                ("variant", "Chess960" if finished.chess960 else "standard chess"),
                ("time", duration(finished.seconds)),
                ("speed", speed(finished.nodes, finished.seconds)),
            ]
        ),
        fen=finished.fen,
        board=board_of(finished.fen),
        kinds=table_of(stats_table(finished.kinds), "Leaf nodes by the kind of the last move")
        if finished.kinds
        else None,
    )


def _status(finished: PerftFinished) -> Status:
    counted = f"{finished.nodes:,} leaf nodes at depth {finished.depth}"
    if finished.is_wrong:
        return Status("bad", "Wrong", f"{counted}, {finished.reference} counts {finished.expected:,}")
    return Status("good", "Counted", counted)
