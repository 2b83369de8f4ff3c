"""The schedule of a run: the next counts, the results so far, and an estimate of the remaining time.

Small counts of all positions come first, so that a run covers every position even if it runs out of time.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from ...model.results.events import CaseResult
from ...model.results.verdict import Verdict
from .plan import RunPlan
from .record import CaseRecord, complete, unfinished

DONE = 255


@dataclass(frozen=True)
class Workload:
    """The counts that an engine still has to run."""

    questions: int
    nodes: int


class Schedule:
    """The cases of a run. Any thread may call `take` and `pause`, but only the creating thread may call the rest."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self._next = bytearray(plan.totals.digits)
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

    def left(self, *, chess960: bool) -> Workload:
        """Return the remaining workload; `chess960` says whether it includes Chess960 positions."""
        questions = nodes = 0
        for number, when in enumerate(self._next):
            if when != DONE:
                case, result = self._plan.case(number)[1], self._results[number]
                if chess960 or not case.position.chess960:
                    counts = case.counts[0 if result is None else len(result.counts) :]
                    questions += len(counts)
                    nodes += sum(count for _, count in counts)
        return Workload(questions, nodes)


ENOUGH_SECONDS = 3.0
"""Total time of answers after which the remaining time can be estimated."""
LOOK_AGAIN = 1.5
"""Factor by which the total time of answers must grow before a short estimate is repeated."""
LONG_SECONDS = 60.0
"""Remaining time in seconds above which it is announced."""


class Pace:
    """Measures the time of an engine's answers."""

    def __init__(self) -> None:
        self._questions = self._nodes = 0
        self._seconds = 0.0
        self._next_look = ENOUGH_SECONDS

    def note(self, nodes: int, seconds: float) -> bool:
        """Record an answer; return True if it is time to estimate the remaining time."""
        self._questions, self._nodes = self._questions + 1, self._nodes + nodes
        self._seconds += seconds
        if self._seconds < self._next_look:
            return False
        self._next_look = self._seconds * LOOK_AGAIN
        return True

    def announce(self, name: str, left: Workload, threads: int, advice: str) -> str | None:
        """Return a line about the remaining time if it is long and was not announced before, or None otherwise.

        The estimate is the smaller of two: one assumes a time proportional to the nodes, the other a constant time per
        count.
        """
        by_question = left.questions * self._seconds / max(1, self._questions)
        by_node = left.nodes * self._seconds / max(1, self._nodes)
        seconds = min(by_question, by_node) / max(1, threads)
        if seconds <= LONG_SECONDS:
            return None
        self._next_look = math.inf
        is_slow_by_question = by_question <= by_node
        pace = self._seconds / self._questions if is_slow_by_question else self._nodes / self._seconds
        speed = f"takes {pace:.1f} s per question" if is_slow_by_question else f"counts {pace:,.0f} nodes per second"
        return f"{name} {speed}: this run will take about {_in_words(seconds)} more; {advice}"


def _in_words(seconds: float) -> str:
    hours, minutes = seconds / 3600, round(seconds / 60)
    return f"{minutes} min" if hours < 2 else f"{hours:.0f} h"
