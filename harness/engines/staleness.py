"""An engine that refuses a position without a word answers about the one before; that answer is a rejection."""

from __future__ import annotations

from ...generator.counting import perft
from ...generator.line import Line
from .base import Divide, Engine, EngineRejection


def refused(engine: Engine) -> EngineRejection:
    """Return what is to be said about an engine that has been seen to do so."""
    return EngineRejection(f"{engine.name} counts another position: it has refused this one without a word")


def ensure_of_this_position(engine: Engine, line: Line, depth: int, got: Divide) -> Divide:
    """Return the answer of an engine about a line. Raises EngineRejection where it is about another position."""
    if engine.is_stale(depth, got.total, got.counts) and got.total != perft(line.position, depth):
        raise refused(engine)
    return got
