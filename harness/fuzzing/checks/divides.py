"""Does the engine count the same as a reference below every move?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....generator.line import Line
from ....generator.position import Position
from ...checking.comparing import agree
from ...checking.descent.descending import descend
from ...checking.unlisted import first_unlisted
from ...engines.asker import Asker
from ...engines.base import EngineError
from ...model.results.events import Cause, Finding
from ...model.results.verdict import Verdict
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
            unlisted = list(self._unlisted(probe.line))
            if not unlisted:
                raise
            yield from unlisted
            return
        expected = self._reference.divide(probe.line.afresh(), depth)
        if agree(got, expected):
            return
        unlisted = list(self._unlisted(probe.line))
        yield from unlisted or self._followed(probe.line, depth)

    def _followed(self, line: Line, depth: int) -> Iterator[Discrepancy]:
        """Yield what is wrong at the end of a line, or below it."""
        finding = descend(line, depth, self._engine, self._reference)
        if finding is None:
            text = "the difference does not come again when it is asked for once more"
            finding = Finding(cause=Cause.VANISHED, fen=line.base.fen(), chess960=line.base.chess960, note=text)
        for discrepancy in discrepancies_in(self.names[0], finding, line_of(finding, line)):
            yield self._confirmed(discrepancy, finding)

    def _unlisted(self, line: Line) -> Iterator[Discrepancy]:
        """Yield what is wrong in the first position of a line where the engine does not list the move to be played.

        What it answers after such a move is no fault of its own.
        """
        place = first_unlisted(line, self._engine)
        if place is not None:
            before = Line(line.base, line.moves[:place])
            finding = descend(before, max(1, self._engine.min_depth), self._engine, self._reference)
            if finding is not None:
                yield from discrepancies_in(self.names[0], finding, line_of(finding, before))

    def _confirmed(self, discrepancy: Discrepancy, finding: Finding) -> Discrepancy:
        """Return the discrepancy, as a split where the arbiter contradicts the reference."""
        if self._arbiter is None:
            return discrepancy
        leaf = Line(_position(finding))
        if agree(self._arbiter.divide(leaf, 1), self._reference.divide(leaf, 1)):
            return discrepancy
        text = f"{self._arbiter.name} contradicts the reference {self._reference.name} here"
        return replace(discrepancy, verdict=Verdict.SPLIT, message=text)


def _position(finding: Finding) -> Position:
    return Position.from_fen(finding.fen, finding.chess960)
