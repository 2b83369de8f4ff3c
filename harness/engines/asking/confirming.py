"""Reproduce a failure in a new process: alone, after all previous questions, and after as few of them as possible.

`run` and `fuzz` report no failure as a fault of the engine unless it was reproduced.
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
"""The number of new processes that have to give an incorrect count before it is considered reproducible."""
REPEATS = 8
"""The number of times that a question is repeated, in one process and in new ones, if answers seem to vary."""
REPEATS_SECONDS = 3.0
"""Time limit for that. Large counts and engines that start slowly are repeated less often."""
HISTORY_TRIES = 5
"""The number of new processes with the history, and without it, that distinguish its effect from chance."""
HISTORY_SECONDS = 20.0
"""Time limit for that, and for shortening the history."""
FROM_TIME_TO_TIME = "answers differ from time to time (threads? a table? uninitialized memory?)"
"""The explanation for an engine that answers the same question in several ways."""


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
    """The number of answers of new processes, and how many of them were incorrect.

    New processes were asked the question alone, after the whole history, or a second time.
    """

    alone: int = 0
    wrong_alone: int = 0
    after: int = 0
    wrong_after: int = 0
    again: int = 0
    """The number of times that the question was repeated in a process."""
    wrong_again: int = 0

    @property
    def are_mixed(self) -> bool:
        """Whether some but not all new processes that were asked alone gave an incorrect answer."""
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
        """How often answers were incorrect, and the probability of that if the history had no effect.

        The p-value is that of Fisher's exact test: all orders of the incorrect and correct answers are equally likely.
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
    """The shortest history that reproduces the failure; the whole history if it was not reproduced."""
    trials: Trials = field(default_factory=Trials)


def confirm(
    history: Sequence[T],
    fails: Callable[[Sequence[T]], bool],
    fails_again: Callable[[], bool] | None = None,
    *,
    is_count: bool = True,
    is_varying: bool = False,
    tries: int = SURE_TRIES,
    notify: Callable[[int], None] = lambda _questions: None,
) -> Confirmation[T]:
    """Find out under which condition a failure is reproducible. Raises what the callables raise.

    Args:
        history: All questions that the process was asked. It failed at the last one.
        fails: Starts a new process, asks it a history, and returns True if it fails at the last question.
        fails_again: Repeats the question in the process that `fails` has started.
        is_count: The failure is an incorrect count, which may vary. A crash or timeout is confirmed as soon as it is
            reproduced once.
        is_varying: Answers of this engine are known to vary.
        tries: The number of new processes that have to give an incorrect count.
        notify: Called with the number of questions before the whole history is asked.
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
        notify(len(history))
        experiment.try_after_history()
    if not trials.wrong_after:
        return Confirmation(Reproducibility.NEVER, history, trials)
    if is_count:
        experiment.alternate()
    if not trials.depend_on_history:
        return Confirmation(Reproducibility.FROM_TIME_TO_TIME, history, trials)
    return Confirmation(Reproducibility.AFTER_HISTORY, experiment.shorten(), trials)


class _Experiment(Generic[T]):
    """Asks new processes and counts how often they fail."""

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
        """Repeat the question in the process and then in new ones, up to a limit or until answers differ.

        If answers differ within a process, more processes are asked: the difference alone does not prove that answers
        vary by chance, because they may depend on the previous question.
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
        """Ask alternately with and without the history, up to a limit or until answers vary by chance."""
        trials, began = self.trials, time.monotonic()
        while trials.depend_on_history and min(trials.alone, trials.after) < HISTORY_TRIES:
            if time.monotonic() - began > HISTORY_SECONDS:
                break
            if trials.alone < HISTORY_TRIES:
                self.try_alone()
            self.try_after_history()

    def shorten(self) -> Sequence[T]:
        """Return the last half, quarter, ... of the history, as short as a new process still fails after it."""
        shortest, began = self._history, time.monotonic()
        while len(half := shortest[-(len(shortest) // 2) :]) > 1 and time.monotonic() - began < HISTORY_SECONDS:
            if not self._fails(half):
                break
            shortest = half
        return shortest
