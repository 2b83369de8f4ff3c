"""The check of searches: every move that a search prints is legal, and a search does not change the position."""

from __future__ import annotations

from collections.abc import Iterator

from ...checking.searching import check_searches
from ...engines.asking.session import EngineSession
from ..model import Discrepancy
from .base import Probe, discrepancies_in


class Searches:
    """Runs short searches, and checks each move that the engine prints. Only UCI engines can search."""

    name = "search"

    def __init__(self, engine: EngineSession) -> None:
        self._engine = engine

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        for finding in check_searches(self._engine, probe.game):
            yield from discrepancies_in(self.name, finding, probe.game)
