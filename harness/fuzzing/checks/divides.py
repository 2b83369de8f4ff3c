"""Does the engine count as a reference does, below every move?"""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.line import Line
from ....generator.position import Position
from ...checking.comparing import differing_moves
from ...checking.descent import descend
from ...engines.asker import Asker
from ...engines.base import EngineError
from ...model.events import Cause, Finding
from ...model.verdict import Verdict
from ..model import Fault
from .base import Probe, faults_in, place_of
from .deepening import affordable_depth


class Divides:
    """Compares divides, and follows a difference down to the wrong moves."""

    names = ("moves",)

    def __init__(self, engine: Asker, reference: Asker, arbiter: Asker | None) -> None:
        """The `arbiter` is asked to confirm a finding against the reference."""
        self._engine, self._reference, self._arbiter = engine, reference, arbiter

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        """Yield the faults. Raises EngineError."""
        depth = max(probe.depth, self._engine.min_depth)
        if probe.depth > 1:
            depth = affordable_depth(probe.position, depth)
        try:
            got = self._engine.divide(probe.line, depth)
        except EngineError:
            # It may have no answer because it does not know a move on the way there.
            faults = list(self._on_the_way(probe.line))
            if not faults:
                raise
            yield from faults
            return
        expected = self._reference.divide(probe.line.afresh(), depth)
        if got.total == expected.total and not differing_moves(got, expected):
            return
        finding = descend(probe.line, depth, self._engine, self._reference)
        if finding is None:
            text = "the difference does not come again when it is asked for once more"
            place = probe.place
            finding = Finding(cause=Cause.VANISHED, fen=place.fen, chess960=place.chess960, note=text)
        for fault in faults_in(self.names[0], finding, probe.place):
            yield self._confirmed(fault, finding)

    def _on_the_way(self, line: Line) -> Iterator[Fault]:
        """Yield what is wrong with the moves of the first position of a line where something is."""
        depth = max(1, self._engine.min_depth)
        for played in range(len(line.moves)):
            before = Line(line.base, line.moves[:played])
            finding = descend(before, depth, self._engine, self._reference)
            if finding is not None:
                yield from faults_in(self.names[0], finding, place_of(before))
                return

    def _confirmed(self, fault: Fault, finding: Finding) -> Fault:
        """Return the fault, or, where the arbiter contradicts the reference, that the two disagree."""
        if self._arbiter is None:
            return fault
        leaf = Line(_position(finding))
        if not differing_moves(self._arbiter.divide(leaf, 1), self._reference.divide(leaf, 1)):
            return fault
        text = f"{self._arbiter.name} contradicts the reference {self._reference.name} here"
        return Fault(fault.check, Verdict.SPLIT, fault.place, fault.finding, text)


def _position(finding: Finding) -> Position:
    return Position.from_fen(finding.fen, finding.chess960)
