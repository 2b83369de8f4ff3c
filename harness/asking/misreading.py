"""Whether an engine that fails was only misread: the whole of its answer is looked at.

What was understood at the start, in easy positions, may be written in another way in others.
"""

from __future__ import annotations

from ...generator.counting.perft import perft
from ...generator.line import Line
from ..engines.base import NotUnderstood
from .client import EngineClient

CERTAIN_COUNT = 100
"""A smaller count may be in an answer by chance."""
MOST_LOOKS = 3
"""Failures at which the whole answer is looked at; an engine whose answers were understood so often is faulty."""


class MisreadingGuard:
    """Looks at the first failures of an engine: a correct count that is printed, and not read, is no failure of it."""

    def __init__(self, client: EngineClient) -> None:
        """Take the client of the engine."""
        self._client, self._looks = client, 0

    def check(self, line: Line, depth: int) -> None:
        """Raise NotUnderstood if the correct count of a line that has failed is in two answers, and is not read.

        It is looked for at the first depth that has enough positions, two answers at most because the time in one may
        be any number. Raises Interrupted.
        """
        if self._looks == MOST_LOOKS:
            return
        self._looks += 1
        position, depth = line.position, max(1, depth)
        while (count := perft(position, depth)) < CERTAIN_COUNT:
            depth += 1
            if not count or not self._client.may_count(depth):
                return
        found = ""
        for _ in range(2):
            found = self._client.find_misread_line(Line(position), depth, count)
            if not found:
                return
        raise NotUnderstood(
            f"{self._client.name} is not understood: in {position.fen()!r} at depth {depth} the correct count, "
            f"{count:,}, is in its answer, but not where a count is expected: {found!r}"
        )
