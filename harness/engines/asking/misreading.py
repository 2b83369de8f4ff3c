"""Determine whether a failure was caused by misreading an answer. The answer format may depend on the position."""

from __future__ import annotations

from ....generator.counting.perft import perft
from ....generator.game import Game
from ..stdio.learned_patterns import misread
from .session import EngineSession

CERTAIN_COUNT = 100
"""Minimum count that is unlikely to appear in an answer by chance."""
MOST_PLIES = 4
"""Maximum depth of the checks. Misreading does not depend on depth."""
MOST_CHECKS = 3
"""Number of failures to check. If none of them was caused by misreading, later ones are assumed not to be either."""


class MisreadingGuard:
    """Searches an engine's answers for the correct count after its first few failures."""

    def __init__(self, session: EngineSession) -> None:
        self._session, self._checks = session, 0

    def check(self, game: Game, depth: int) -> None:
        """Raise NotUnderstood if two answers about a game contain the correct count but another number was parsed.

        The depth is increased until the count is large enough. One answer is not enough, because any number in it, such
        as a time, may equal the correct count. Raises Interrupted.
        """
        if self._checks == MOST_CHECKS:
            return
        self._checks += 1
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
