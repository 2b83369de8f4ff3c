"""The schedule of a run: the next counts, and the results so far.

Small counts of all positions come first, so that a run covers every position even if it runs out of time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ...model.results.events import CaseResult
from ...model.results.verdict import Verdict
from .plan import RunPlan
from .record import CaseRecord, complete, digits_of, unfinished

DONE = 255


class Schedule:
    """The cases of a run. Any thread may call `take` and `pause`, but only the creating thread may call the rest."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self._next = bytearray(digits_of(case.counts) for suite in plan.suites for case in suite)
        """The number of digits of each case's next count, or `DONE`. Smaller counts are handed out first."""
        self._results: list[CaseResult | None] = [None] * len(self._next)
        """The results by index of the case; None for cases that were not started."""
        self._lock = threading.Lock()
        self._level, self._begin = DONE, 0
        """The cases to hand out next: those at this level, starting at this index."""
        self._is_paused = True

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self._next)

    def begin_round(self) -> bool:
        """Start handing out the cases of the lowest level. Return False if no counts are left."""
        if self._next.find(self._level, self._begin) < 0:
            self._level, self._begin = min(self._next, default=DONE), 0
        self._is_paused = False
        return self._level != DONE

    def take(self) -> CaseRecord | None:
        """Return the record of the next case, or None at the end of the round."""
        with self._lock:
            number = -1 if self._is_paused else self._next.find(self._level, self._begin)
            if number < 0:
                return None
            self._begin = number + 1
        suite, case = self._plan.case(number)
        return CaseRecord.of(number, suite, case, self._level, self._results[number])

    def pause(self) -> None:
        """End the round: hand out no more cases."""
        self._is_paused = True

    def settle(self, record: CaseRecord, result: CaseResult) -> CaseResult | None:
        """Store a case's result so far; return the final result if the case is finished, or None otherwise."""
        number, later = record.number, record.later_digits
        is_done = later is None or result.verdict not in (Verdict.AGREE, Verdict.SKIPPED)
        if is_done:
            result = complete(result, record.case)
        self._results[number] = result
        with self._lock:
            self._next[number] = DONE if later is None or is_done else later
        return result if is_done else None

    def end(self) -> tuple[Sequence[CaseResult], Sequence[CaseResult]]:
        """Return the results of cases that were started, and of cases that were not."""
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
