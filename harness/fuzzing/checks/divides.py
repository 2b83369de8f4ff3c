"""Does the engine count the same as a reference below every move?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....generator.line import Line
from ....generator.position import Position
from ...checking.comparing import differing_moves
from ...checking.descent import descend
from ...engines.asker import Asker
from ...engines.base import EngineError
from ...model.events import Cause, Finding
from ...model.verdict import Verdict
from ..model import Discrepancy
from .base import Probe, discrepancies_in, line_of
from .deepening import affordable_depth


class Divides:
    """Compares the divides of engine and reference, and follows a difference down to the wrong moves."""

    names = ("moves",)

    def __init__(self, engine: Asker, reference: Asker, arbiter: Asker | None) -> None:
        """The `arbiter` is asked to confirm a finding against the reference."""
        self._engine, self._reference, self._arbiter = engine, reference, arbiter

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        depth = max(probe.depth, self._engine.min_depth)
        if probe.depth > 1:
            depth = affordable_depth(probe.position, depth)
        try:
            got = self._engine.divide(probe.line, depth)
        except EngineError:
            # It may give no answer because it does not know one of the moves that lead there.
            on_the_way = list(self._on_the_way(probe.line))
            if not on_the_way:
                raise
            yield from on_the_way
            return
        expected = self._reference.divide(probe.line.afresh(), depth)
        if got.total == expected.total and not differing_moves(got, expected):
            return
        finding = descend(probe.line, depth, self._engine, self._reference)
        if finding is None:
            text = "the difference does not come again when it is asked for once more"
            base = probe.line.base
            finding = Finding(cause=Cause.VANISHED, fen=base.fen(), chess960=base.chess960, note=text)
        for discrepancy in discrepancies_in(self.names[0], finding, line_of(finding, probe.line)):
            yield self._confirmed(discrepancy, finding)

    def _on_the_way(self, line: Line) -> Iterator[Discrepancy]:
        """Yield what is wrong with the moves of the first position of a line where something is."""
        depth = max(1, self._engine.min_depth)
        for played in range(len(line.moves)):
            before = Line(line.base, line.moves[:played])
            finding = descend(before, depth, self._engine, self._reference)
            if finding is not None:
                yield from discrepancies_in(self.names[0], finding, line_of(finding, before))
                return

    def _confirmed(self, discrepancy: Discrepancy, finding: Finding) -> Discrepancy:
        """Return the discrepancy, as a split where the arbiter contradicts the reference."""
        if self._arbiter is None:
            return discrepancy
        leaf = Line(_position(finding))
        if not differing_moves(self._arbiter.divide(leaf, 1), self._reference.divide(leaf, 1)):
            return discrepancy
        text = f"{self._arbiter.name} contradicts the reference {self._reference.name} here"
        return replace(discrepancy, verdict=Verdict.SPLIT, message=text)


def _position(finding: Finding) -> Position:
    return Position.from_fen(finding.fen, finding.chess960)
