"""Reduce a find: the simplest place, to a fixpoint, that still shows the same fault.

The fault stays the same when its signature does, so that a reduction cannot slip into another bug.
"""

from __future__ import annotations

from contextlib import suppress

from ....generator.line import Line
from ...model.shutdown import Interrupted
from ...model.verdict import Verdict
from ..checks.base import line_of
from ..examining import Examiner
from ..model import Fault
from .simpler import cost, simpler

MOST_EXAMINATIONS = 4000
"""A reduction ends after so many, whatever it has reached: a fixpoint comes after a few hundred."""
MOST_TIMEOUTS = 10
"""... and after so many that the engine did not answer in time, each of which takes long."""


def reduce(fault: Fault, depth: int, examiner: Examiner) -> tuple[Fault, int, bool]:
    """Return the reduced fault, the depth at which its place shows it, and whether it comes again.

    A fault that does not come again when its place is examined anew is returned as it is. When the
    run is stopped, so is the reduction, with what it has reached; if nobody could look yet, the
    fault is taken to come again.
    """
    for shallow in range(1, depth + 1):
        reduction = _Reduction(fault, shallow, examiner)
        try:
            if not reduction.starts():
                continue
        except Interrupted:
            return fault, depth, True
        with suppress(Interrupted):
            reduction.run()
        return reduction.fault, shallow, True
    return fault, depth, False


class _Reduction:
    def __init__(self, fault: Fault, depth: int, examiner: Examiner) -> None:
        self.fault, self._depth, self._examiner = fault, depth, examiner
        self._signature = fault.signature
        self._seen: set[tuple[str, tuple[int, ...]]] = set()
        self._left = MOST_EXAMINATIONS
        self._timeouts = MOST_TIMEOUTS

    def starts(self) -> bool:
        """Tell whether the fault comes again."""
        again = self._examine(line_of(self.fault.place))
        if again is not None:
            self.fault = again
        return again is not None

    def run(self) -> None:
        """Take the first candidate that is simpler and shows the fault, until there is none."""
        while (simplified := self._step(line_of(self.fault.place))) is not None:
            self.fault = simplified

    def _step(self, line: Line) -> Fault | None:
        limit = cost(line)
        for candidate in simpler(line):
            key = (candidate.base.fen(), candidate.moves)
            if key in self._seen or cost(candidate) >= limit:
                continue
            self._seen.add(key)
            if self._left <= 0 or self._timeouts <= 0:
                return None
            found = self._examine(candidate)
            # What the engine shows there may lie elsewhere, deeper down: only what is simpler counts.
            if found is not None and cost(line_of(found.place)) < limit:
                return found
        return None

    def _examine(self, line: Line) -> Fault | None:
        self._left -= 1
        faults = self._examiner.examine(line, self._depth, self.fault.check)
        self._timeouts -= any(fault.verdict is Verdict.TIMEOUT for fault in faults)
        return next((fault for fault in faults if fault.signature == self._signature), None)
