"""A trial of Chess960, for engines that do not declare whether they know it.

Two plain castlings are asked about, one to each side: the king goes three files, nothing stands in the way, and nothing
attacks it. No generator of standard chess has them, and hardly any fault of Chess960 takes both away. So an engine that
has one of them knows Chess960, and what it gets wrong elsewhere is its fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....generator.counting.perft import perft
from ....generator.line import Line
from ....generator.position import Position
from ..base import EngineError, EngineTimeout
from ..root_moves import castlings_by_king_target

if TYPE_CHECKING:
    from .session import EngineSession

TOTALS_DEPTH = 2
"""Totals alone are compared at this depth, where a king or a rook that lands elsewhere changes them."""

POSITIONS = "8/8/8/8/8/5k2/8/3K3R w H - 0 1", "8/8/8/8/3k4/8/8/R4K2 w A - 0 1"
"""One castling each. The other king is near, so that it has other moves after it than after any other castling."""


def try_chess960(session: EngineSession) -> str | None:
    """Return how an engine shows that it knows no Chess960, as a clause, or None where it does know it.

    Its process is ended then: what a FEN of Chess960 has left there must not show in later answers. Raises Interrupted.
    """
    told = ""
    try:
        for fen in POSITIONS:
            try:
                failure = _failure(session, fen)
            except EngineTimeout as error:
                return told or without_name(session, error)  # the next position may take as long
            except EngineError as error:
                failure = without_name(session, error)
            if failure is None:
                return None
            told = told or failure
    finally:
        session.restart()
    return told


def without_name(session: EngineSession, error: EngineError) -> str:
    """Return what an error says about an engine that was named before."""
    text = str(error).removeprefix(f"the reference {session.name} failed: ")
    return text.replace(f"{session.name} ", "it ", 1) if text.startswith(f"{session.name} ") else text


def _failure(session: EngineSession, fen: str) -> str | None:
    """Return what is wrong with an answer, None where it has the castling. Raises EngineError, Interrupted."""
    line = Line(Position.from_fen(fen, chess960=True))
    ((target, castling),) = castlings_by_king_target(line.position).items()
    told = session.divide(line, max(1, session.min_depth))
    if told.counts:
        has_it = not {target, castling}.isdisjoint(told.counts)
        return None if has_it else f"it lists no castling {castling} in {fen}"
    depth = max(TOTALS_DEPTH, session.min_depth)
    total, right = session.perft(line, depth), perft(line.position, depth)
    return None if total == right else f"it counts {total} instead of {right} at depth {depth} in {fen}"
