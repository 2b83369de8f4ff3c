"""Does the engine count as a reference does, below every move?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ....generator.line import Line
from ....generator.position import Position
from ...checking.comparing import differing_moves
from ...checking.descent import descend
from ...engines.base import Divide, Engine, EngineError
from ...engines.staleness import ensure_of_this_position
from ...model.events import Cause, Finding
from ...model.verdict import Verdict
from ..model import Fault
from ..questions import Questions
from .base import Probe, faults_in, place_of
from .deepening import affordable_depth


class ReferenceFailed(Exception):
    """A reference gave no answer; the engine under test cannot be judged."""

    def __init__(self, reference: Engine, failure: EngineError) -> None:
        super().__init__(f"the reference {reference.name} failed: {failure}")
        self.verdict = failure.verdict


class Divides:
    """Compares divides, and follows a difference down to the wrong moves."""

    names = ("moves",)

    def __init__(self, engine: Engine, reference: Engine, arbiter: Engine | None, questions: Questions) -> None:
        """The `arbiter` is asked to confirm a finding against the reference."""
        self._engine, self._reference, self._arbiter, self._questions = engine, reference, arbiter, questions

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        """Yield the faults. Raises EngineError, ReferenceFailed."""
        depth = max(probe.depth, self._engine.min_depth)
        if probe.depth > 1:
            depth = affordable_depth(probe.position, depth)
        try:
            got = self._divide(probe.line, depth)
        except EngineError:
            # It may have no answer because it does not know a move on the way there.
            faults = list(self._on_the_way(probe.line))
            if not faults:
                raise
            yield from faults
            return
        expected = self._expect(probe.line, depth)
        if got.total == expected.total and not differing_moves(got, expected):
            return
        finding = descend(probe.line, depth, self._divide, self._expect, self._fen)
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
            finding = descend(before, depth, self._divide, self._expect, self._fen)
            if finding is not None:
                yield from faults_in(self.names[0], finding, place_of(before))
                return

    def _divide(self, line: Line, depth: int) -> Divide:
        """Return the engine's answer. Raises EngineError, also where it is about the position asked for before."""
        got = self._questions.ask(partial(self._engine.divide, line, depth))
        return ensure_of_this_position(self._engine, line, depth, got)

    def _expect(self, line: Line, depth: int) -> Divide:
        return self._ask_reference(self._reference, line, depth)

    def _ask_reference(self, reference: Engine, line: Line, depth: int) -> Divide:
        try:
            return self._questions.ask(partial(reference.divide, line.afresh(), depth))
        except EngineError as failure:
            raise ReferenceFailed(reference, failure) from None

    def _fen(self, line: Line) -> str | None:
        return self._questions.ask(partial(self._engine.fen, line))

    def _confirmed(self, fault: Fault, finding: Finding) -> Fault:
        """Return the fault, or, where the arbiter contradicts the reference, that the two disagree."""
        if self._arbiter is None:
            return fault
        leaf = Line(_position(finding))
        if not differing_moves(self._ask_reference(self._arbiter, leaf, 1), self._expect(leaf, 1)):
            return fault
        text = f"{self._arbiter.name} contradicts the reference {self._reference.name} here"
        return Fault(fault.check, Verdict.SPLIT, fault.place, fault.finding, text)


def _position(finding: Finding) -> Position:
    return Position.from_fen(finding.fen, finding.chess960)
