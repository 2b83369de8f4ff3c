"""Reproduce a failure in a new process: with one question, after all previous questions, or after as few as possible.

`run` and `fuzz` do not report a failure as a fault of the engine unless it was reproduced.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import comb
from typing import Generic, TypeVar

T = TypeVar("T")

SURE_TRIES = 3
"""Number of new processes that must give an incorrect count before the failure is considered reproducible."""
REPEATS = 8
"""Number of times that a question is repeated, both in one process and in new ones, if answers seem to vary."""
REPEATS_SECONDS = 3.0
"""Time limit for `REPEATS`. Large counts and slowly starting engines are repeated less often."""
HISTORY_TRIES = 5
"""Number of new processes to ask with the history, and without it, to distinguish the effect of the history from
chance."""
HISTORY_SECONDS = 20.0
"""Time limit for `HISTORY_TRIES`, and for shortening the history."""


class Reproducibility(Enum):
    """The condition under which a failure is reproduced in a new process."""

    ALONE = 1
    AFTER_HISTORY = 2
    """Only after previous questions."""
    NEVER = 3
    FROM_TIME_TO_TIME = 4
    """Sometimes, independently of previous questions."""


@dataclass
class Trials:
    """The number of answers from new processes, and how many of them were incorrect.

    A process was asked the question alone (`alone`), the whole history (`after`), or the same question twice (`again`).
    """

    alone: int = 0
    wrong_alone: int = 0
    after: int = 0
    wrong_after: int = 0
    again: int = 0
    """Number of times the question was repeated in the same process."""
    wrong_again: int = 0

    @property
    def are_mixed(self) -> bool:
        """Whether some but not all new processes without a history gave an incorrect answer."""
        return 0 < self.wrong_alone < self.alone

    @property
    def differ_in_process(self) -> bool:
        """Whether a process gave different answers to the same question."""
        return self.again > 0 and self.wrong_again != self.again * (self.wrong_alone > 0)

    @property
    def depend_on_history(self) -> bool:
        """Whether all answers after the history were incorrect, and none without it."""
        return self.wrong_alone == 0 and self.wrong_after == self.after > 0

    @property
    def text(self) -> str:
        """A clause that says how often answers were incorrect, with the p-value if the history had no effect.

        The p-value is that of Fisher's exact test.
        """
        if not self.after:
            wrong, times = self.wrong_alone + self.wrong_again, self.alone + self.again
            return f"incorrect {wrong} of {times} times" if wrong else "correct"
        alone = f"incorrect {self.wrong_alone} of {self.alone} times alone"
        both = f"{alone}, {self.wrong_after} of {self.after} times after all previous questions"
        if not self.depend_on_history:
            return both
        return f"{both}: p = {1 / comb(self.after + self.alone, self.after):.1g} if the order were random"


@dataclass(frozen=True)
class Confirmation(Generic[T]):
    """How a failure was reproduced."""

    reproducibility: Reproducibility
    history: Sequence[T]
    """The shortest history that reproduces the failure, or the whole history if it was not reproduced."""
    trials: Trials = field(default_factory=Trials)


def confirm(
    history: Sequence[T],
    fails: Callable[[Sequence[T]], bool],
    fails_again: Callable[[], bool] | None = None,
    *,
    is_count: bool = True,
    is_varying: bool = False,
    tries: int = SURE_TRIES,
) -> Confirmation[T]:
    """Determine the condition under which a failure is reproducible. Exceptions of the callables propagate.

    Args:
        history: All questions that the process was asked, up to the one at which it failed.
        fails: Asks a new process the given history, and returns True if it fails at the last question.
        fails_again: Repeats the question in the process started by `fails`.
        is_count: Whether the failure is an incorrect count. Other failures are retried only once.
        is_varying: Whether answers of this engine are known to vary.
        tries: Number of new processes that must give an incorrect count.
    """
    experiment = _Experiment(history, fails, fails_again)
    trials = experiment.trials
    experiment.try_alone()
    if is_count:
        experiment.repeat_alone(tries, is_varying=is_varying)
    if trials.are_mixed or (is_count and is_varying and (trials.differ_in_process or not trials.wrong_alone)):
        return Confirmation(Reproducibility.FROM_TIME_TO_TIME, history, trials)
    if trials.wrong_alone:
        return Confirmation(Reproducibility.ALONE, history[-1:], trials)
    if len(history) > 1:
        experiment.try_after_history()
    if not trials.wrong_after:
        return Confirmation(Reproducibility.NEVER, history, trials)
    if is_count:
        experiment.alternate()
    if not trials.depend_on_history:
        return Confirmation(Reproducibility.FROM_TIME_TO_TIME, history, trials)
    return Confirmation(Reproducibility.AFTER_HISTORY, experiment.shorten(), trials)


class _Experiment(Generic[T]):
    """Starts new processes, asks them, and counts the failures."""

    def __init__(
        self, history: Sequence[T], fails: Callable[[Sequence[T]], bool], fails_again: Callable[[], bool] | None
    ) -> None:
        self._history, self._fails, self._fails_again = history, fails, fails_again
        self.trials = Trials()

    def try_alone(self) -> None:
        """Ask a new process only the last question."""
        is_wrong = self._fails(self._history[-1:])
        self.trials.alone, self.trials.wrong_alone = self.trials.alone + 1, self.trials.wrong_alone + is_wrong

    def try_after_history(self) -> None:
        """Ask a new process the whole history."""
        is_wrong = self._fails(self._history)
        self.trials.after, self.trials.wrong_after = self.trials.after + 1, self.trials.wrong_after + is_wrong

    def repeat_alone(self, tries: int, *, is_varying: bool) -> None:
        """Repeat the question in the same process and then in new ones, until answers differ or a limit is reached.

        If answers differ within a process, more processes are asked, because answers may depend on the previous
        question rather than on chance.
        """
        trials, began = self.trials, time.monotonic()
        if self._fails_again is not None:
            while (
                trials.again < REPEATS and not trials.differ_in_process and time.monotonic() - began < REPEATS_SECONDS
            ):
                trials.again, trials.wrong_again = trials.again + 1, trials.wrong_again + self._fails_again()
        if is_varying or not trials.wrong_alone:
            tries = 1
        if trials.differ_in_process and not is_varying:
            tries = REPEATS
        while trials.alone < tries and not trials.are_mixed and time.monotonic() - began < REPEATS_SECONDS:
            self.try_alone()

    def alternate(self) -> None:
        """Ask alternately with and without the history, until answers vary by chance or a limit is reached."""
        trials, began = self.trials, time.monotonic()
        while trials.depend_on_history and min(trials.alone, trials.after) < HISTORY_TRIES:
            if time.monotonic() - began > HISTORY_SECONDS:
                break
            if trials.alone < HISTORY_TRIES:
                self.try_alone()
            self.try_after_history()

    def shorten(self) -> Sequence[T]:
        """Return the shortest end of the history (a half, a quarter, ...) after which a new process still fails."""
        shortest, began = self._history, time.monotonic()
        while len(half := shortest[-(len(shortest) // 2) :]) > 1 and time.monotonic() - began < HISTORY_SECONDS:
            if not self._fails(half):
                break
            shortest = half
        return shortest
