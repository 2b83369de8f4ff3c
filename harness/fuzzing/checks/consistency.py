"""Does the engine agree with itself? For engines that are fuzzed without a reference."""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.line import Line
from ...asking.client import EngineClient
from ...checking.consistency import contradictions
from ...model.results.events import Cause, Finding
from ..model import Discrepancy
from .base import Probe, discrepancies_in


class Consistency:
    """Compares the count below each move with the count of the child, played to and from its FEN."""

    names = ("consistency",)

    def __init__(self, engine: EngineClient) -> None:
        self._engine = engine

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield at most one discrepancy, of the first move with a contradiction below it. Raises EngineError."""
        depth = max(2, probe.depth, self._engine.min_depth + 1)
        found = contradictions(probe.position, depth, self._engine)
        if found:
            first = found[0]
            counts = f"divide {first.divided}, played {first.played}, from its FEN {first.from_fen}"
            note = f"below {first.uci} the engine contradicts itself ({counts}): {first.sentence}"
            base = probe.line.base
            finding = Finding(cause=Cause.COUNT, fen=base.fen(), chess960=base.chess960, note=note)
            yield from discrepancies_in(self.names[0], finding, Line(base))
