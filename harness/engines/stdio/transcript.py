"""An engine's answer to one question, line by line, in a known dialect or in that of its descriptor."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..base import Divide, EngineFlood
from .dialects import root_move, totals
from .patterns import AnswerPatterns

MOST_LISTED = 50_000
"""Root moves of an answer. A position has at most 218, and an engine may list them for each depth on the way."""


def endless(name: str) -> EngineFlood:
    """Return what to raise about an engine that lists more than that."""
    return EngineFlood(f"{name} floods: more than {MOST_LISTED:,} moves in one answer")


@dataclass
class Transcript:
    """An engine's answer to one question, as far as it has been heard."""

    depth: int
    dialect: str | None
    """The way in which this engine writes totals; None accepts any."""
    pairs: list[tuple[str, int]] = field(default_factory=list)
    total: int | None = None
    spoken: str | None = None
    """The way in which the total was written."""
    patterns: AnswerPatterns | None = None
    """How this engine writes root moves and totals, where its descriptor says so."""

    def hear(self, line: str) -> bool:
        """Take in one line; return whether it was the total, which ends the answer. Raises EngineGarbage."""
        patterns = self.patterns
        pair = root_move(line) if patterns is None or patterns.move is None else patterns.root_move(line)
        if pair is not None:
            self.pairs.append(pair)
            return False
        if patterns is not None and patterns.total is not None:
            self.total = patterns.nodes(line)
            return self.total is not None
        for name, nodes, depth in totals(line, self.dialect):
            if depth in (None, self.depth):
                self.total, self.spoken = nodes, name
                return True
            self.pairs.clear()  # some count every depth on the way: those were the root moves of another one
        return False

    @property
    def is_endless(self) -> bool:
        """Whether there are more root moves than any answer has."""
        return len(self.pairs) > MOST_LISTED

    def divide(self) -> Divide:
        """Return the root moves as they came."""
        return Divide.of(self.pairs)
