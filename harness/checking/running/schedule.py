"""The schedule of a run: which counts are made next, and the results so far.

Small counts of all positions come first, so that a run that is out of time has seen every position.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ...model.results.events import CaseResult
from ...model.results.verdict import Verdict
from .pace import Left
from .plan import RunPlan
from .record import CaseRecord, complete, unfinished

LATER = 64
"""Is added to the digits of all cases but those that go before the others."""
DONE = 255


class Schedule:
    """The cases of a run. Threads take cases and may end a round; all else is done by the thread that created it."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self._next = bytearray(digits + LATER for digits in plan.outline.digits)
        """When the next counts of each case are made, or that it is done: the least number comes first."""
        for number in plan.outline.first:
            self._next[number] -= LATER
        self._results: list[CaseResult | None] = [None] * len(self._next)
        """By the place of the case; None for those that were not begun."""
        self._lock = threading.Lock()
        self._level, self._begin = DONE, 0
        """The cases that are handed out now: those at this level, from this place on."""
        self._is_paused = True

    def __len__(self) -> int:
        """Return how many cases there are."""
        return len(self._next)

    def begin_round(self) -> bool:
        """Hand out cases until the level is counted, or until `pause`. Return False if no counts are left."""
        if self._next.find(self._level, self._begin) < 0:
            self._level, self._begin = min(self._next, default=DONE), 0
        self._is_paused = False
        return self._level != DONE

    def take(self) -> CaseRecord | None:
        """Return the case that is counted next, with the counts to be made; None at the end of the round."""
        with self._lock:
            number = -1 if self._is_paused else self._next.find(self._level, self._begin)
            if number < 0:
                return None
            self._begin = number + 1
        suite, case = self._plan.case(number)
        return CaseRecord.of(number, suite, case, self._level % LATER, self._results[number])

    def pause(self) -> None:
        """End the round: hand out no more cases."""
        self._is_paused = True

    def settle(self, record: CaseRecord, result: CaseResult) -> CaseResult | None:
        """Take in the result of what was counted of a case; return it if the case is done, and None otherwise."""
        number, later = record.number, record.later_digits
        is_done = later is None or result.verdict not in (Verdict.AGREE, Verdict.SKIPPED)
        if is_done:
            result = complete(result, record.case)
        self._results[number] = result
        with self._lock:
            self._next[number] = DONE if later is None or is_done else self._next[number] - record.digits + later
        return result if is_done else None

    def end(self) -> tuple[Sequence[CaseResult], Sequence[CaseResult]]:
        """Return the results of the cases that were begun, and of those that were not."""
        not_begun = []
        for number, when in enumerate(self._next):
            if when != DONE:
                suite, case = self._plan.case(number)
                result = self._results[number]
                if result is None:
                    not_begun.append(unfinished(suite, case, None))
                else:
                    self._results[number] = unfinished(suite, case, result)
        return tuple(filter(None, self._results)), tuple(not_begun)

    def left(self, *, chess960: bool) -> Left:
        """Return what the engine is still asked, given whether it is asked about Chess960."""
        questions = nodes = 0
        for number, when in enumerate(self._next):
            if when != DONE:
                case, result = self._plan.case(number)[1], self._results[number]
                if chess960 or not case.position.chess960:
                    counts = case.counts[0 if result is None else len(result.counts) :]
                    questions += len(counts)
                    nodes += sum(count for _, count in counts)
        return Left(questions, nodes)
