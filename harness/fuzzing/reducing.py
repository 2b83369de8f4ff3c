"""Reduce a discrepancy to the simplest line that still shows it.

It counts as the same discrepancy while its signature is the same, so that a reduction cannot slip
into another fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ...generator.line import Line
from ..engines.asking.histories import read_row
from ..engines.asking.retry import FROM_TIME_TO_TIME, SURE_TRIES, count_failures
from ..model.results.finding import Cause, Finding
from ..model.results.verdict import Verdict
from ..model.shutdown import Interrupted
from .examining import Examiner, examine_again, examine_in_turn
from .model import Discrepancy
from .simpler import changed_lines, cost, implausibility, is_sound

MOST_EXAMINATIONS = 4000
"""A reduction ends after this many, finished or not; a few hundred are usually enough."""
MOST_TIMEOUTS = 10
"""A reduction ends after this many answers that did not come in time, because each takes long."""


def reduce(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> tuple[Discrepancy, int, bool]:
    """Return the reduced discrepancy, the depth at which its line shows it, and whether it comes again.

    It has to come again in new processes, each time. Where only the line at which it was found shows it there, it
    is not reduced; where that does not either, it keeps its history, which may show it: at its end, or at another line
    when all of it is asked once more. A wrong answer that comes again in some of them is told as one that differs from
    time to time.
    """
    reduced, shallow, comes_again = _reduce_line(discrepancy, depth, examiner)
    if discrepancy.reference_failed:
        return reduced, shallow, comes_again
    candidates = [(reduced, shallow)] if comes_again else []
    for candidate, deep in [*candidates, (discrepancy, depth)]:
        times = count_failures(partial(_shows_afresh, candidate, deep, examiner))
        if times == SURE_TRIES:
            return replace(candidate, history=()), deep, True
        if times and candidate.verdict is Verdict.MISMATCH:
            return _from_time_to_time(candidate, times), deep, True
    times = count_failures(partial(_shows_after_history, discrepancy, depth, examiner))
    if discrepancy.verdict is Verdict.MISMATCH:
        if 0 < times < SURE_TRIES or (times and _fails_without_history(discrepancy, depth, examiner)):
            return _from_time_to_time(discrepancy, times), depth, True
        if not times and (again := count_failures(partial(_shows_in_history, discrepancy, depth, examiner))):
            return replace(_from_time_to_time(discrepancy, again), history=discrepancy.history), depth, True
    return discrepancy, depth, times > 0


def _from_time_to_time(found: Discrepancy, times: int) -> Discrepancy:
    """Return a find as one that comes again in some of several new processes that are asked the same."""
    base = found.line.base
    processes = times if times == SURE_TRIES else times + 1
    note = f"{FROM_TIME_TO_TIME}; of {processes} new processes that were asked the same {times} showed it"
    finding = Finding(cause=Cause.VANISHED, fen=base.fen(), chess960=base.chess960, note=note)
    return replace(found, finding=finding, message=note, history=())


def _shows_afresh(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> bool:
    """Tell whether a line shows the same in a new process. Raises Interrupted."""
    examiner.renew()
    found = examiner.examine(discrepancy.line, depth, discrepancy.check)
    return any(one.signature == discrepancy.signature for one in found)


def _fails_without_history(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> bool:
    """Tell whether one of some new processes fails in the same way at the line alone: the history then is not why."""
    with suppress(Interrupted):
        for _ in range(SURE_TRIES):
            examiner.renew()
            if any(_are_alike(one, discrepancy) for one in examiner.examine(discrepancy.line, depth)):
                return True
    return False


def _shows_after_history(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> bool:
    """Tell whether a new process fails in the same way at the end of the history, or crashes before.

    Raises Interrupted.
    """
    examiner.renew()
    found, _ = examine_in_turn([read_row(row) for row in discrepancy.history], depth, examiner)
    return any(_are_alike(one, discrepancy) for one in found)


def _shows_in_history(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> bool:
    """Tell whether a new process that is asked for the history again and again fails in the same way somewhere.

    Raises Interrupted.
    """
    examiner.renew()
    _, right = examine_in_turn([read_row(row) for row in discrepancy.history], depth, examiner)
    return bool(examine_again(right, depth, examiner, partial(_are_alike, discrepancy)))


def _are_alike(one: Discrepancy, other: Discrepancy) -> bool:
    return (one.check, one.verdict) == (other.check, other.verdict)


def _reduce_line(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> tuple[Discrepancy, int, bool]:
    """Return the reduced discrepancy, the depth at which its line shows it, and whether it comes again.

    A discrepancy that does not come again when its line is examined again is returned as it is. When
    the run is stopped, the reduction ends with what it has reached. Stopped before the first
    examination, it takes the discrepancy to come again.
    """
    for shallow in range(1, depth + 1):
        reduction = _Reduction(discrepancy, shallow, examiner)
        try:
            if not reduction.starts():
                continue
        except Interrupted:
            return discrepancy, depth, True
        with suppress(Interrupted):
            reduction.run()
        return reduction.reduced, shallow, True
    return discrepancy, depth, False


class _Reduction:
    def __init__(self, discrepancy: Discrepancy, depth: int, examiner: Examiner) -> None:
        self.reduced, self._depth, self._examiner = discrepancy, depth, examiner
        self._signature = discrepancy.signature
        self._tried: set[Line] = set()
        self._examinations_left = MOST_EXAMINATIONS
        self._timeouts_left = MOST_TIMEOUTS

    def starts(self) -> bool:
        """Tell whether the discrepancy comes again."""
        again = self._examine(self.reduced.line)
        if again is not None:
            self.reduced = again
        return again is not None

    def run(self) -> None:
        """Take the first candidate that is simpler and shows the discrepancy, until there is none."""
        while (simplified := self._step(self.reduced.line)) is not None:
            self.reduced = simplified

    def _step(self, line: Line) -> Discrepancy | None:
        limit = cost(line)
        for candidate in self._candidates(line):
            self._tried.add(candidate)
            if self._examinations_left <= 0 or self._timeouts_left <= 0:
                return None
            found = self._examine(candidate)
            # The discrepancy may lie deeper, on another line, which has to be simpler as well.
            if found is not None and cost(found.line) < limit:
                return found
        return None

    def _candidates(self, line: Line) -> Iterator[Line]:
        """Yield the candidates that are simpler; of a position that does not look reachable those first that do."""
        candidates = self._simpler(line)
        return candidates if implausibility(line) == 0 else iter(sorted(candidates, key=implausibility))

    def _simpler(self, line: Line) -> Iterator[Line]:
        limit = cost(line)
        for candidate in changed_lines(line):
            if candidate in self._tried or cost(candidate) >= limit:
                continue
            if is_sound(candidate, like=line):
                yield candidate
            else:
                self._tried.add(candidate)

    def _examine(self, line: Line) -> Discrepancy | None:
        self._examinations_left -= 1
        found = self._examiner.examine(line, self._depth, self.reduced.check)
        self._timeouts_left -= any(discrepancy.verdict is Verdict.TIMEOUT for discrepancy in found)
        return next((discrepancy for discrepancy in found if discrepancy.signature == self._signature), None)
