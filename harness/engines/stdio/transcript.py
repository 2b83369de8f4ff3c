"""An engine's answer to one question, line by line, in a known dialect or in that of its descriptor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..base import Divide, EngineFlood
from .dialects import OTHER_SEPARATORS, root_move, totals
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
    separator: str = ""
    """What it writes between thousands, if none of the usual characters."""
    known: int | None = None
    """The right total, where it is known and `separator` is yet to be found out."""

    def hear(self, line: str) -> bool:
        """Take in one line; return whether it was the total, which ends the answer. Raises EngineGarbage."""
        patterns = self.patterns
        pair = (
            root_move(line, self.separator) if patterns is None or patterns.move is None else patterns.root_move(line)
        )
        if pair is not None:
            self.pairs.append(pair)
            return False
        if patterns is not None and patterns.total is not None:
            self.total = patterns.nodes(line)
            return self.total is not None
        for name, nodes, depth in self._totals(line):
            if depth in (None, self.depth):
                self.total, self.spoken = nodes, name
                return True
            self.pairs.clear()  # some count every depth on the way: those were the root moves of another one
        return False

    def _totals(self, line: str) -> Iterator[tuple[str, int, int | None]]:
        """Yield the totals that a line may tell; note an unusual separator by which it tells the right one."""
        found = list(totals(line, self.dialect, self.separator))
        if self.known is not None and not self._is_right(found):
            for separator in OTHER_SEPARATORS:
                if self._is_right(read := list(totals(line, self.dialect, separator))):
                    self.separator, found = separator, read
        yield from found

    def _is_right(self, found: list[tuple[str, int, int | None]]) -> bool:
        """Tell whether a total is the known one, or what the root moves add up to."""
        right = {self.known, sum(count for _, count in self.pairs) or self.known}
        return any(nodes in right for _, nodes, _ in found)

    @property
    def is_endless(self) -> bool:
        """Whether there are more root moves than any answer has."""
        return len(self.pairs) > MOST_LISTED

    def divide(self) -> Divide:
        """Return the root moves as they came."""
        return Divide.of(self.pairs)
