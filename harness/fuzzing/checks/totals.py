"""Does the engine count the same where it is asked for the total alone? For engines that have a function for each."""

from __future__ import annotations

from collections.abc import Iterator

from ...asking.client import EngineClient
from ...model.results.events import Cause, Finding
from ..model import Discrepancy
from .base import Probe, discrepancies_in
from .deepening import affordable_depth


class Totals:
    """Compares the total that is asked for alone, where the divide is right. A wrong divide is for another check."""

    names = ("total",)

    def __init__(self, engine: EngineClient, reference: EngineClient) -> None:
        self._engine, self._reference = engine, reference

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield at most one discrepancy. Raises EngineError."""
        depth = max(probe.depth, self._engine.min_depth)
        if probe.depth > 1 and not probe.is_exact:
            depth = affordable_depth(probe.position, depth)
        line = probe.line.afresh()
        got, expected = self._engine.perft(line, depth), self._reference.perft(line, depth)
        if got == expected or self._engine.divide(line, depth).total != expected:
            return
        note = (
            f"it counts {got:,} nodes instead of {expected:,} at depth {depth} where it is asked for the total alone, "
            "though its divide adds up to the right number: look at how nodes are added up or kept"
        )
        finding = Finding(cause=Cause.COUNT, fen=line.base.fen(), chess960=line.base.chess960, note=note, depth=depth)
        yield from discrepancies_in(self.names[0], finding, line)
