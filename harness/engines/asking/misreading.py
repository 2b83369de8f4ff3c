"""Whether an engine that fails was only misread: the whole of its answer is looked at.

What was understood at the start, in easy positions, may be written in another way in others.
"""

from __future__ import annotations

from ....generator.counting.perft import perft
from ....generator.game import Game
from ..stdio.learned_patterns import misread
from .session import EngineSession

CERTAIN_COUNT = 100
"""A smaller count may be in an answer by chance."""
MOST_PLIES = 4
"""A failure is looked at no deeper: what is misread deeper is misread there, too."""
MOST_LOOKS = 3
"""Failures at which the whole answer is looked at; an engine whose answers were understood so often is faulty."""


class MisreadingGuard:
    """Looks at the first failures of an engine: a correct count that is printed, and not read, is no failure of it."""

    def __init__(self, session: EngineSession) -> None:
        """Take the session of the engine."""
        self._session, self._looks = session, 0

    def check(self, game: Game, depth: int) -> None:
        """Raise NotUnderstood if the correct count of a line that has failed is in two answers, and is not read.

        It is looked for at this depth or the next one that has enough positions; in two answers, because the time in
        one may be any number. Raises Interrupted.
        """
        if self._looks == MOST_LOOKS:
            return
        self._looks += 1
        position = game.position
        depths = range(min(max(1, depth), MOST_PLIES), MOST_PLIES + 1)
        counts = ((one, perft(position, one)) for one in depths if self._session.may_count(one))
        depth, count = next(((one, count) for one, count in counts if count >= CERTAIN_COUNT), (0, 0))
        found = ""
        for _ in range(2):
            found = self._session.find_misread_line(Game(position), depth, count) if count else ""
            if not found:
                return
        raise misread(self._session.name, repr(position.fen()), depth, count, found)
