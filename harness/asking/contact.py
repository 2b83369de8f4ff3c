"""Whether an engine takes the position that it is given, and its answers are understood.

An engine that is never given the position, or whose answer is not understood, would fail at every position, and each
failure would look like a fault in its moves. Two positions with different counts show it at the start; what is
understood in these is looked at again where the engine fails for the first time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...generator.counting.perft import perft
from ...generator.line import Line
from ...generator.position import Position
from ..engines.base import Engine, EngineError, NotUnderstood
from ..engines.call import EngineCall
from ..engines.capabilities import StartsProgram
from ..engines.stdio.sentinels import SENTINELS

if TYPE_CHECKING:
    from .client import EngineClient


def check_contact(engine: Engine, call: EngineCall) -> None:
    """Raise NotUnderstood if a program, which has been started, gives one count for two positions, at two depths.

    Any other failure is left to the first case that shows it, and is reported with that case.
    """
    if not isinstance(engine, StartsProgram) or engine.has_taken_position:  # functions take a position, or fail
        return
    lines = [Line(Position.from_fen(fen)) for fen in SENTINELS]
    for depth in (least := max(1, engine.min_depth), least + 1):
        counts = set[int]()
        for line in lines:
            try:
                counts.add(engine.perft(line, depth, call.step()))
            except EngineError:
                return
            if counts == {perft(line.position, depth)} or len(counts) > 1 or call.stopped:
                return
    (count,) = counts
    if count == perft(Position.start(), depth):
        raise NotUnderstood(f"{engine.name} counts the starting position, whatever it is given")
    first, second = (perft(line.position, depth) for line in lines)
    raise NotUnderstood(
        f"{engine.name} does not take the position, or its answer is not understood: at depth {depth} it counts "
        f"{count:,} in {SENTINELS[0]!r} and in {SENTINELS[1]!r}, which have {first} and {second}"
    )


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
